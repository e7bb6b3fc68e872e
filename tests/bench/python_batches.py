#!/usr/bin/env python3
"""What the Python module does a second on one core: batches of games, in processor time of the process.

The results are asserted: random play from a fixed seed ends in the same games everywhere.

usage: python_batches.py [--games N] [RULESET ...]      with a Python that has the module (play/python)
"""
import argparse
import time

import numpy as np

import makzero


def rate(count, work, repeats=5):
    """Units of work a second of processor time, the best of some repeats."""
    best = 0
    for _ in range(repeats):
        begin = time.process_time()
        work()
        best = max(best, count / (time.process_time() - begin))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", default=["makruk", "makyek", "rek", "gala"])
    parser.add_argument("--games", type=int, default=1024, help="in a batch (1024)")
    options = parser.parse_args()
    print(f"{'a second':10} {'apply+outcome+count':>20} {'the same, random moves':>23} {'planes+masks':>13} {'planes':>9} {'masks':>9}")
    for name in options.rulesets:
        rules, games = makzero.Rules(name), options.games
        batch, plies = makzero.Batch(rules, games), 60

        # The moves of random games first, so that they are not timed with them.
        lines = []
        for _ in range(plies):
            lines.append(batch.random_actions().astype(np.int64))
            batch.apply(lines[-1], reset=True)
        ended = makzero.Batch(rules, games)
        results, counts = np.empty(games, np.int8), np.empty(games, np.int32)

        def play():
            for actions in lines:
                ended.apply(actions, reset=True, out=results)
                ended.count_moves(out=counts)

        def begin():
            ended.reset(np.ones(games, bool))

        best = 0
        for _ in range(5):
            begin()
            best = max(best, rate(games * plies, play, 1))
            for i in (0, games // 2, games - 1):
                assert ended[i] == batch[i], "the same moves lead to other positions"

        def play_at_random():
            for _ in range(plies):
                ended.apply(ended.random_actions(), reset=True, out=results)
                ended.count_moves(out=counts)

        masks = np.empty((games, makzero.POLICY_SIZE), bool)
        planes = np.empty((games, len(batch.plane_names), 8, 8), np.float32)

        def encode():
            batch.planes(out=planes)
            batch.legal_masks(out=masks)

        row = [best, rate(games * plies, play_at_random), rate(games, encode, 20),
               rate(games, lambda: batch.planes(out=planes), 20), rate(games, lambda: batch.legal_masks(out=masks), 20)]
        assert (masks.sum(axis=1) <= batch.count_moves()).all() and masks.any()
        print(f"{name:10} {row[0]:20,.0f} {row[1]:23,.0f} {row[2]:13,.0f} {row[3]:9,.0f} {row[4]:9,.0f}")


if __name__ == "__main__":
    main()
