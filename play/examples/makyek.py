#!/usr/bin/env python3
"""Plays a game of Mak-yek, the exported network against itself: makyek.py DIR [SEED]
DIR is what `makzero export RUN --to onnx --out DIR` wrote. Needs: pip install onnxruntime numpy.
A front end knows the rules; of the network it must know how planes and moves are numbered (DIR/net.json)."""
import hashlib
import json
import pathlib
import sys

import numpy as np
import onnxruntime

ENCODER_VERSION, MOVE_INDEX = "1", "1-0376168ef34b"  # What this program was written for.
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Board:
    """board[rank, file]: 1 own man, -1 enemy, 0 empty, always as the side to move sees it."""

    def __init__(self):
        self.squares = np.zeros((8, 8), int)
        self.squares[[0, 2]], self.squares[[5, 7]] = 1, -1
        self.quiet = self.ply = 0  # Plies without a capture, and of the game.
        self.seen = {self.key(): 1}

    def key(self):
        return self.ply % 2, self.squares.tobytes()

    def moves(self, side=1):
        """All slides: ((rank, file), (rank, file))."""
        for origin in map(tuple, np.argwhere(self.squares == side).tolist()):
            for step in STEPS:
                to = (origin[0] + step[0], origin[1] + step[1])
                while min(to) >= 0 and max(to) < 8 and self.squares[to] == 0:
                    yield origin, to
                    to = (to[0] + step[0], to[1] + step[1])

    def captures(self, origin, to, side=1):
        """The enemies between which the man arrives, and single enemies between it and another own man."""
        squares = np.pad(self.squares * side, 2)
        squares[origin[0] + 2, origin[1] + 2] = 0
        near = lambda step, far: squares[to[0] + 2 + far * step[0], to[1] + 2 + far * step[1]]
        return {(to[0] + step[0], to[1] + step[1]) for step in STEPS if near(step, 1) == -1
                and (near(step, -1) == -1 or near(step, 2) == 1)}

    def play(self, origin, to):
        taken = self.captures(origin, to)
        for square in {origin} | taken:
            self.squares[square] = 0
        self.squares[to] = 1
        self.squares = -self.squares[::-1, ::-1]  # The other side sees the board from its own.
        self.ply, self.quiet = self.ply + 1, 0 if taken else self.quiet + 1
        self.seen[self.key()] = self.seen.get(self.key(), 0) + 1

    def result(self):
        own, enemy = (self.squares == 1).sum(), (self.squares == -1).sum()
        if own == 0 or not any(self.moves()):
            return "0-1" if self.ply % 2 == 0 else "1-0"
        drawn = self.seen[self.key()] == 3 or self.quiet == 100 or own == enemy == 1 or self.ply == 400
        return "1/2-1/2" if drawn else None

    def planes(self, names):
        """[len(names), 8, 8]; networks differ in the planes that they see ("planes" in net.json)."""
        threats = np.zeros((2, 2, 8, 8))  # Of either side: what it could take now, and where it would arrive.
        for i, side in enumerate((1, -1)):
            for origin, to in self.moves(side):
                for square in self.captures(origin, to, side):
                    threats[i, 0][square] = threats[i, 1][to] = 1
        full, seen = np.ones((8, 8)), self.seen[self.key()]
        planes = {"own M": self.squares == 1, "enemy M": self.squares == -1, "board": full,
                  "own targets": threats[0, 0], "own destinations": threats[0, 1],
                  "enemy targets": threats[1, 0], "enemy destinations": threats[1, 1],
                  "repetition": full * seen / 3, "no progress": full * self.quiet / 100,
                  "plies left": full * min(1, (400 - self.ply) / 64),
                  # Of older networks.
                  "seen 1": full * (seen > 1), "quiet plies": full * self.quiet / 100,
                  "ply": full * (self.ply // 16 * 16) / 400,
                  # Of networks of the whole family: kings, hunters and hands, which Mak-yek has not.
                  **{side + name: 0 * full for side in ("own ", "enemy ") for name in ("K", "H", "hand")}}
        return np.stack([planes[name] for name in names]).astype(np.float32)

    def text(self, square):
        rank, file = square if self.ply % 2 == 0 else (7 - square[0], 7 - square[1])
        return "abcdefgh"[file] + str(rank + 1)


def main():
    folder = pathlib.Path(sys.argv[1])
    net = json.loads((folder / "net.json").read_text())
    names = [plane["name"] for plane in net["planes"]]
    encoder = ENCODER_VERSION + "-" + hashlib.sha256("".join(name + "\n" for name in names).encode()).hexdigest()[:12]
    if (net["ruleset"], net["encoder"], net["move_index"]) != ("makyek", encoder, MOVE_INDEX):
        sys.exit(f"this program plays makyek with encoder {encoder} and move index {MOVE_INDEX}, the network is for "
                 f"{net['ruleset']} with encoder {net['encoder']} and move index {net['move_index']}")
    model = onnxruntime.InferenceSession(str(folder / net["model"]))
    rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else None)
    board, game = Board(), []
    while board.result() is None:
        policy = model.run(["policy"], {"planes": board.planes(names)[None]})[0][0]
        moves = list(board.moves())
        logits = np.array([policy[64 * (8 * a[0] + a[1]) + 8 * b[0] + b[1]] for a, b in moves])
        chances = np.exp(logits - logits.max())
        origin, to = moves[rng.choice(len(moves), p=chances / chances.sum())]
        game.append(board.text(origin) + board.text(to))
        board.play(origin, to)
    print("ruleset makyek\nmoves " + " ".join(game) + "\nresult " + board.result())


if __name__ == "__main__":
    main()
