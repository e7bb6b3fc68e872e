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
           "makruk:=", "makyek:,,", "gala:move=step", "Thai chess", "Mak-yek, lines", "ok-chaktrang:max_plies=9",
           "gala:cross=closed,early_moves=on", "rek:surround=single"]
UCI = ["uci\nisready\nposition startpos\ngo nodes 2\nd\n", "go infinite\nisready\nstop\ngo depth 1\nquit\n",
       "go ponder wtime 5 btime 5\nponderhit\ngo searchmoves e3e4 nodes 2\n", "setoption name MultiPV value 3\ngo mate 1\n",
       "setoption name UCI_Variant value gala\nucinewgame\nposition startpos moves @d4\ngo movetime 1\ndebug on\n",
       "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 900\ngo nodes 2\n"]
ANALYSIS = ['{"id": "1", "moves": []}\n{"id": "2", "lines": 2, "includePolicy": true, "includeTree": true}\n',
            '{"id": "1", "game": "makruk", "moves": ["e3e4"], "maxVisits": 9, "searchMoves": ["e6e5"]}\n',
            '{"id": "1", "maxTimeMs": 3, "reportDuringSearchEvery": 0.01, "priority": 3}\n{"action": "terminate_all"}\n',
            '{"id": "1", "player": "alphabeta:1"}\n{"id": "x", "action": "terminate", "terminateId": "1"}\nnonsense\n[]\n',
            '{"id": "1", "initialPosition": "8/8/8/2Mm4/8/8/8/4M3 w", "initialPlayer": "w", "moves": [["w", "e1e2"]], "komi": 7}\n'
            '{"id": "v", "action": "query_version"}\n{"id": "m", "action": "query_models"}\n{"action": "clear_cache"}\n',
            '{"id": "1", "avoidMoves": [{"player": "w", "moves": ["a3a4"], "untilDepth": 1}], "includePVVisits": true}\n'
            '{"id": "2", "overrideSettings": {"maxVisits": 3, "reportAnalysisWinratesAs": "BLACK", "x": 1}, "priorities": [2]}\n']
SAVED_GAMES = ['[Variant "Makruk"]\n[FEN "4k3/8/8/4P3/8/8/R7/4K3 w - - 0 1"]\n\n1. e6=M {x} Kd8 (1... Ke7) 2. Ra8+ *\n',
               '[Variant "Cambodian"]\n\n1. d4 d5 2. Nd2 $1 1/2-1/2\n', "ruleset makyek\nmoves a3a5 a6a7\nresult *\n",
               '[Ruleset "gala"]\n\n1... @d4 2. @a1 *\n', "ruleset makruk:count.mode=manual\nstart 4k2n/8/8/8/8/8/RR6/4K3 b\nmoves count e8e7\n"]
DOCUMENTS = ['{"game": "makruk", "moves": ["e3e4", "e6e5"], "tags": [["White", "A"]], "comment": "x", "line": [{"move": "e3e4", "nags": [1], '
             '"eval": {"centipawns": 12, "depth": 3}, "clock": 59.5}, {"move": "e6e5", "variations": [[{"move": "d6d5"}]]}]}',
             '[{"game": "makyek", "moves": ["a3a4"], "ended": "1-0 resignation"}, {"game": "gala", "moves": ["@d4"]}]',
             '{"game": "makruk:count.mode=manual", "start": "4k2n/8/8/8/8/8/RR6/4K3 b", "moves": ["count", "e8e7"]}']
LONGEST = 300  # Bytes of an input: tests/run.sh.
ROOT = pathlib.Path(__file__).parents[1]


def positions():
    for name, column in [("chess-family.tsv", "fen"), ("makyek-family.tsv", "position")]:
        path = ROOT / "data" / "oracle" / name
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
    for name, scripts in [("uci", UCI), ("analysis", ANALYSIS)]:
        write(folder / name, (bytes([ruleset]) + text.encode() for ruleset in (0, 5, 12) for text in scripts))
    corpus = [path.read_bytes()[:LONGEST] for path in sorted((ROOT / "corpus").glob("[0-9]*.*")) if path.suffix != ".json"]
    write(folder / "saved_game", [text.encode() for text in SAVED_GAMES] + corpus)
    write(folder / "document_json", (text.encode() for text in DOCUMENTS))
    # Moves by their number among the legal ones, 255, then offsets and bits to flip in the record of that game.
    write(folder / "record", (bytes([ruleset, *range(1, moves), 255, 3, 0, 1, moves, 1, 4])
                              for ruleset in range(RULESETS) for moves in (2, 9, 40)))
    write(folder / "options", (text.encode() for text in OPTIONS))


if __name__ == "__main__":
    main()
