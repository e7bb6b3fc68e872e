#!/usr/bin/env python3
# What a command costs before it does anything: those that need no tower must not pay for LibTorch.
"""usage: tests/bench/start_cost.py [PROGRAM] [--rounds=N]

Starts an empty C++ program and commands of PROGRAM (default build/release/makzero) that need no tower in turn, N rounds
(default 21), and compares medians of processor time and the largest memory. Exit status: 0 all limits hold, 1 one does not,
2 wrong use.
"""

import os
import statistics
import subprocess
import sys
import tempfile

LIMIT_MS = 25
LIMIT_MB = 30
COMMANDS = {"--version": "", "games": "", "perft makruk 2": "", "uci makruk --model small": "uci\nquit\n"}


def cost(command, text):
    """Processor time [ms] and largest memory [MB] of a command from start to end."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.stdin.write(text.encode())
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"start_cost.py: {' '.join(command)}: exit status {process.returncode}")
    return 1000 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1024


def main(arguments):
    program, rounds = "build/release/makzero", 21
    for argument in arguments:
        if argument.startswith("--rounds=") and argument[9:].isdigit() and int(argument[9:]) > 0:
            rounds = int(argument[9:])
        elif argument.startswith("-"):
            print(__doc__)
            return 0 if argument == "--help" else 2
        else:
            program = argument
    if not os.access(program, os.X_OK):
        print(f"start_cost.py: {program} is missing: build the target makzero", file=sys.stderr)
        return 2

    with tempfile.TemporaryDirectory() as folder:
        empty = os.path.join(folder, "empty")
        subprocess.run(["c++", "-O2", "-x", "c++", "-", "-o", empty], input=b"int main() {}", check=True)
        commands = {"(empty program)": ([empty], "")}
        commands |= {name: ([program, *name.split()], text) for name, text in COMMANDS.items()}
        costs = {name: [] for name in commands}
        for _ in range(rounds):
            for name, (command, text) in commands.items():
                costs[name].append(cost(command, text))

    good = True
    for name, measured in costs.items():
        milliseconds = statistics.median(time for time, _ in measured)
        megabytes = max(memory for _, memory in measured)
        holds = milliseconds <= LIMIT_MS and megabytes <= LIMIT_MB
        good &= holds
        print(f"{name}: median {milliseconds:.1f} ms, at most {megabytes:.1f} MB: {'holds' if holds else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
