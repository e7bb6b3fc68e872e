#!/usr/bin/env python3
"""Writes what the fuzzers begin with: positions of the oracle tables, lines of moves and options.

usage: tests/fuzz/seeds.py FOLDER
"""
import csv
import pathlib
import sys

RULESETS = 40  # At least as many as the catalog has: the first byte of an input chooses one.

MOVES = ["a3a5 a6a5 h3h5", "e3e4 e6e5 e1d2", "@d4 @c3 @a1 -- c3c4", "d4d5m e5e6m d1c2f a8a9"]
OPTIONS = ["makyek", "makyek:custodian=line,jump=on", "makruk:counting=manual,start=black", "makyek-low:max_plies=0",
           "makruk:=", "makyek:,,", "gala:move=step"]


def positions():
    for name, column in [("chess-family.tsv", "fen"), ("makyek-family.tsv", "position")]:
        path = pathlib.Path(__file__).parents[1] / "data" / "oracle" / name
        with path.open() as lines:
            rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
            yield from sorted({row[column] for row in rows})


def write(folder, inputs):
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(inputs):
        (folder / f"{number:05}").write_bytes(text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    # Each position under a few rulesets: the fuzzer finds the others.
    write(folder / "position", (bytes([(number + step) % RULESETS]) + text.encode()
                                for number, text in enumerate(positions()) for step in (0, 7, 15)))
    write(folder / "move", (bytes([ruleset]) + text.encode() for ruleset in range(RULESETS) for text in MOVES))
    write(folder / "options", (text.encode() for text in OPTIONS))


if __name__ == "__main__":
    main()
