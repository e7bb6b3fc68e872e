#!/usr/bin/env python3
# The speed of the rules against Fairy-Stockfish's, on one core in one run, with the ratios that the project aims at.
"""usage: tests/bench/perft_ratio.py [GAME_BENCH] [--rounds=N]

Runs the packaged fairy-stockfish (`go perft 6`, UCI_Variant makruk) and GAME_BENCH (default
build/release/tests/bench/game_bench) in turn, N rounds (default 5), and compares nodes per second of processor time, so that
neither the start of a process nor other work on the machine counts. Both check what they count. Exit status: 0 all targets
hold, 1 one does not, 2 wrong use.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys

FAIRY = "/usr/games/fairy-stockfish"
MAKRUK_6 = 142078049
# Benchmark, counter, and what its median has to be at least: times Fairy-Stockfish's nodes/s, or the counter itself.
RATIOS = {"perft_leaves/makruk_6": 12, "perft_leaves/makyek_5": 100, "perft_leaves/rek_5": 100}
RATES = {"random_games/makyek": 25000}
BENCHMARKS = "^(" + "|".join([*RATIOS, *RATES]) + ")$"


class Fairy:
    """A running fairy-stockfish that plays Makruk."""

    def __init__(self):
        self.process = subprocess.Popen([FAIRY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("setoption name UCI_Variant value makruk\nposition startpos\nisready", "readyok")

    def ask(self, command, answer):
        """The first line that begins with `answer`."""
        print(command, file=self.process.stdin)
        for line in self.process.stdout:
            if line.startswith(answer):
                return line.strip()
        sys.exit(f"perft_ratio.py: {FAIRY} ended without '{answer}'")

    def seconds(self):
        """Processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def perft_rate(self):
        begin = self.seconds()
        nodes = int(self.ask("go perft 6", "Nodes searched").split()[-1])
        if nodes != MAKRUK_6:
            sys.exit(f"perft_ratio.py: fairy-stockfish counts {nodes} nodes instead of {MAKRUK_6}")
        return nodes / (self.seconds() - begin)


def our_rates(program):
    """Benchmark -> leaves or games per second of processor time."""
    arguments = [program, f"--benchmark_filter={BENCHMARKS}", "--benchmark_min_time=1", "--benchmark_format=json"]
    report = json.loads(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)
    rates = {}
    for row in report["benchmarks"]:
        if row.get("error_occurred"):
            sys.exit(f"perft_ratio.py: {row['name']}: {row['error_message']}")
        rates[row["name"]] = row["leaves/s" if row["name"] in RATIOS else "games/s"]
    missing = {*RATIOS, *RATES} - rates.keys()
    if missing:
        sys.exit(f"perft_ratio.py: {program} lacks {', '.join(sorted(missing))}: build it anew")
    return rates


def main(arguments):
    program, rounds = "build/release/tests/bench/game_bench", 5
    for argument in arguments:
        if argument.startswith("--rounds=") and argument[9:].isdigit() and int(argument[9:]) > 0:
            rounds = int(argument[9:])
        elif argument.startswith("-"):
            print(__doc__)
            return 0 if argument == "--help" else 2
        else:
            program = argument
    for needed, how in [(FAIRY, "install the package fairy-stockfish"), (program, "build the target game_bench")]:
        if not os.access(needed, os.X_OK):
            print(f"perft_ratio.py: {needed} is missing: {how}", file=sys.stderr)
            return 2

    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    fairy = Fairy()
    measured = {name: [] for name in [*RATIOS, *RATES]}
    for i in range(rounds):
        theirs, ours = fairy.perft_rate(), our_rates(program)
        for name, rate in ours.items():
            measured[name].append(rate / theirs if name in RATIOS else rate)
        parts = [f"{name.split('/')[1]} {ours[name] / 1e6:.0f} M/s = {measured[name][-1]:.1f}x" for name in RATIOS]
        parts += [f"{name} {ours[name]:.0f} games/s" for name in RATES]
        print(f"round {i + 1}: fairy-stockfish makruk {theirs / 1e6:.1f} M/s; " + "; ".join(parts), flush=True)
    fairy.process.kill()

    good = True
    for name, target in {**RATIOS, **RATES}.items():
        median = statistics.median(measured[name])
        good &= median >= target
        unit = "x Fairy-Stockfish's nodes/s" if name in RATIOS else " games/s"
        print(f"{name}: median {median:.1f}{unit}, target {target}: {'holds' if median >= target else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
