#!/usr/bin/env python3
"""Learns Rek by policy gradient in self-play and beats random play: PyTorch and the batches of makzero.

An actor-critic with generalised advantage estimation. When the time is up, it plays 100 games against random moves,
every other one as White.

usage: rek_policy_gradient.py [--minutes N] [--seed N]      (needs torch; N minutes of processor time, 2)
"""
import argparse
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import makzero

GAMES, STEPS = 256, 16  # In a batch; plies of each between two updates.
DISCOUNT, TRACE = 0.97, 0.9  # Of a ply; lambda of the advantages.
PIECE, ENTROPY = 0.05, 0.01  # Reward of a piece that is taken, a won game is 1; weight of the policy's entropy.
OWN, ENEMY = slice(0, 2), slice(2, 4)  # Planes of the men and the king of a side.


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
        return logits, torch.tanh(self.value(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1))).squeeze(1)


def policy(logits, masks):
    return F.log_softmax(logits.masked_fill(~masks[:, :4096], -1e9), 1)  # Rek has no drops and no passes.


def see(batch):
    return torch.from_numpy(batch.planes()), torch.from_numpy(batch.legal_masks())


def play(batch, planes, actions):
    """The rewards of those who move, and which games end; these begin anew."""
    mover = batch.to_move()
    results = batch.apply(actions)
    won, lost, ended = results == 1 + mover, results == 2 - mover, results != makzero.Result.ONGOING
    taken = planes[:, ENEMY].sum((1, 2, 3)).numpy() - batch.planes()[:, OWN].sum((1, 2, 3))
    batch.reset(ended)
    return torch.from_numpy(PIECE * taken + won - lost).float(), torch.from_numpy(ended)


def learn(model, batch, optimizer):
    """Plays some plies and updates the model; the share of plies that ended a game."""
    steps = []
    for _ in range(STEPS):
        planes, masks = see(batch)
        with torch.no_grad():
            logits, values = model(planes)
        actions = torch.distributions.Categorical(logits=policy(logits, masks)).sample()
        steps.append((planes, masks, actions, values, *play(batch, planes, actions.numpy())))
    with torch.no_grad():
        following = model(see(batch)[0])[1]
    advantage, advantages = torch.zeros(len(batch)), []
    for _, _, _, values, rewards, ended in reversed(steps):
        goes_on = DISCOUNT * (~ended).float()  # The other side moves next: what it expects counts negatively.
        advantage = rewards - goes_on * (following + TRACE * advantage) - values
        following = values
        advantages.insert(0, advantage)
    planes, masks, actions, values, _, ended = (torch.cat(column) for column in zip(*steps))
    advantages = torch.cat(advantages)
    for rows in torch.randperm(len(actions)).split(1024):
        logits, value = model(planes[rows])
        log_policy = policy(logits, masks[rows])
        gain = (log_policy.gather(1, actions[rows, None]).squeeze(1) * advantages[rows]).mean()
        entropy = -(log_policy.exp() * log_policy).sum(1).mean()
        error = F.mse_loss(value, values[rows] + advantages[rows])
        optimizer.zero_grad()
        (error - gain - ENTROPY * entropy).backward()
        optimizer.step()
    return ended.float().mean().item()


@torch.no_grad()
def score(model, rules, games=100):
    """Wins, draws and losses of its best moves against random ones."""
    batch = makzero.Batch(rules, games, seed=2)
    learner = np.arange(games) % 2  # 0: it is White.
    while (batch.results() == makzero.Result.ONGOING).any():
        planes, masks = see(batch)
        actions = batch.random_actions()
        own = (batch.to_move() == learner) & (actions >= 0)
        actions[own] = policy(model(planes)[0], masks).argmax(1).numpy()[own]
        batch.apply(actions)
    results = batch.results()
    return [int(count.sum()) for count in (results == 1 + learner, results == makzero.Result.DRAW, results == 2 - learner)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    batch = makzero.Batch(makzero.Rules("rek"), GAMES)
    model = ActorCritic(len(batch.plane_names))
    optimizer, updates = torch.optim.Adam(model.parameters(), 1e-3), 0
    while time.process_time() < 60 * options.minutes:
        ends = learn(model, batch, optimizer)
        updates += 1
        if updates % 10 == 0:
            print(f"{time.process_time():4.0f} s  {updates} updates, games of {1 / max(ends, 1e-3):.0f} plies", flush=True)
    print("won {}, drawn {}, lost {} of 100 games against random moves".format(*score(model, batch.rules)))


if __name__ == "__main__":
    main()
