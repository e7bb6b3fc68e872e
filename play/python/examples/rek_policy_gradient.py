#!/usr/bin/env python3
"""Learns Rek by policy gradient in self-play and beats random play: PyTorch and the batches of makzero.

An actor-critic: each step plays a move in every game and takes the return as what the move took and what the critic
expects afterwards (generalised advantage estimation), until the time is up. Then it plays 100 games against random
moves, every other one as White.

usage: rek_policy_gradient.py [--minutes N] [--seed N]      (needs torch; N minutes of processor time)
"""
import argparse
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import makzero
from makzero import Result

GAMES, STEPS = 256, 16  # In a batch; plies of each between two steps of the optimiser.
DISCOUNT, TRACE = 0.97, 0.9  # Of a ply; lambda of the advantages.
PIECE = 0.05  # Reward of a piece that is taken; a won game is 1.
ENTROPY = 0.01


class ActorCritic(nn.Module):
    """Planes [N, planes, 8, 8] to logits [N, 4096] of (origin, destination) and the expected return [N]."""

    def __init__(self, planes, channels=32, keys=16):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(planes, channels, 3, padding=1), nn.ReLU(),
                                  nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU())
        self.origin, self.destination = nn.Conv2d(channels, keys, 1), nn.Conv2d(channels, keys, 1)
        self.value = nn.Linear(2 * channels, 1)

    def forward(self, planes):
        x = self.body(planes)
        origin, destination = self.origin(x).flatten(2), self.destination(x).flatten(2)
        logits = torch.einsum("nko,nkd->nod", origin, destination).flatten(1) / origin.shape[1]**0.5
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        return logits, torch.tanh(self.value(pooled)).squeeze(1)


def policy(logits, masks):
    return F.log_softmax(logits.masked_fill(~masks[:, :4096], -1e9), 1)  # Rek has no drops and no passes.


class Games:
    """What the learner sees of a batch, in arrays that are filled anew for every ply."""

    def __init__(self, games, seed=1):
        self.batch = makzero.Batch(makzero.Rules("rek"), games, seed=seed)
        self.names = self.batch.plane_names

    def see(self):
        return torch.from_numpy(self.batch.planes()), torch.from_numpy(self.batch.legal_masks())

    def play(self, actions):
        """The rewards of those who moved, and which games ended."""
        enemies = [self.names.index("enemy K"), self.names.index("enemy M")]
        own = [self.names.index("own K"), self.names.index("own M")]
        before = self.batch.planes()[:, enemies].sum((1, 2, 3))
        white = self.batch.to_move() == 0
        results = self.batch.apply(actions)
        taken = before - self.batch.planes()[:, own].sum((1, 2, 3))
        ended = results != Result.ONGOING
        won = results == np.where(white, Result.WHITE_WINS, Result.BLACK_WINS)
        decided = ended & (results != Result.DRAW)
        self.batch.reset(ended)
        rewards = PIECE * taken + np.where(decided, np.where(won, 1, -1), 0)
        return torch.from_numpy(rewards).float(), torch.from_numpy(ended)


def learn(model, games, optimizer):
    """Plays some plies and takes a step; the share of games that ended."""
    steps, ends = [], 0
    for _ in range(STEPS):
        planes, masks = games.see()
        with torch.no_grad():
            logits, values = model(planes)
            actions = torch.distributions.Categorical(logits=policy(logits, masks)).sample()
        rewards, ended = games.play(actions.numpy())
        steps.append((planes, masks, actions, values, rewards, ended))
        ends += int(ended.sum())
    with torch.no_grad():
        following = model(games.see()[0])[1]
    advantage, advantages = torch.zeros(GAMES), []
    for _, _, _, values, rewards, ended in reversed(steps):
        goes_on = DISCOUNT * (~ended).float()  # The next to move is the other side: its values count negatively.
        advantage = rewards - goes_on * (following + TRACE * advantage) - values
        following = values
        advantages.append(advantage)
    advantages = torch.cat(advantages[::-1])
    planes, masks, actions, values = (torch.cat(column) for column in list(zip(*steps))[:4])
    order = torch.randperm(len(actions))
    for rows in order.split(1024):
        logits, value = model(planes[rows])
        log_policy = policy(logits, masks[rows])
        chosen = log_policy.gather(1, actions[rows, None]).squeeze(1)
        gain = (chosen * advantages[rows]).mean()
        entropy = -(log_policy.exp() * log_policy).sum(1).mean()
        error = F.mse_loss(value, values[rows] + advantages[rows])
        optimizer.zero_grad()
        (error - gain - ENTROPY * entropy).backward()
        optimizer.step()
    return ends / GAMES / STEPS


@torch.no_grad()
def score(model, count=100):
    """Wins, draws and losses against random moves."""
    games = Games(count, seed=2)
    learner, tally = np.arange(count) % 2, [0, 0, 0]  # 0: it is White.
    while (games.batch.results() == Result.ONGOING).any():
        planes, masks = games.see()
        actions = games.batch.random_actions()
        own = (games.batch.to_move() == learner) & (actions >= 0)
        actions[own] = policy(model(planes)[0], masks).argmax(1).int().numpy()[own]
        games.batch.apply(actions)
    for result, side in zip(games.batch.results(), learner):
        tally[1 if result == Result.DRAW else 0 if (result == Result.BLACK_WINS) == side else 2] += 1
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=4, help="of processor time (4)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    games = Games(GAMES, options.seed)
    model = ActorCritic(len(games.names))
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    begin, step = time.process_time(), 0
    while time.process_time() - begin < 60 * options.minutes:
        length = learn(model, games, optimizer)
        step += 1
        if step % 20 == 0:
            print(f"{time.process_time() - begin:5.0f} s  {step} steps  games of {1 / max(length, 1e-9):.0f} plies", flush=True)
    print("won {}, drawn {}, lost {} of 100 games against random moves".format(*score(model)))


if __name__ == "__main__":
    main()
