#!/usr/bin/env python3
# Writes the certificate of every game, game/certificates/GAME.txt: what its rules were compared with.
"""usage: tests/certify.py BUILD_FOLDER

Runs all tests of game/ that BUILD_FOLDER holds and writes down what those that compare the rules with other programs
report of it (tests/support/evidence.h). Writes nothing where a test fails or a program to compare with is missing.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
OWN_TEST = "game_certificate_test"  # Fails until the certificates are written; gives the signatures.

SOURCES = {
    "cutechess": "the numbers in the tests of cutechess, at this commit",
    "ffish": "Fairy-Stockfish for Node.js, from npm",
    "Fairy-Stockfish": "the package fairy-stockfish of Debian",
    "fsf": "Fairy-Stockfish at this commit, its own variants",
    "fsf-ini": "the same, with the variant described in its configuration",
    "fsfx*": "Fairy-Stockfish-X, August 2026, with variants of our own, its captures across the edge mended",
    "hand": "derived by hand from the text of the rules",
    "ludii*": "Ludii 1.0.8 with descriptions of our own, one bug of its interventions mended",
    "ref": "a plain program written from the text of the rules, the Mak-yek family",
    "refgen": "a plain program written from the text of the rules, the chess family",
    "plain": "a plain program among the tests, written square by square from the text of the rules",
    "rekts": "the capture functions of an open-source Rek engine",
}


def report_of(program):
    """What a test program says: whether all is well, its text, and the properties that its tests record."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "report.json")
        run = subprocess.run([program, "--gtest_brief=1", f"--gtest_output=json:{path}"], capture_output=True, text=True)
        report = json.loads(path.read_text()) if path.exists() else {"testsuites": []}
    tests = [test for suite in report["testsuites"] for test in suite["testsuite"]]
    well = run.returncode == 0 and " is missing" not in run.stdout
    return well, run.stdout + run.stderr, [test for test in tests if "ruleset" in test]


def collect(build):
    """The signature properties and the evidence of the tests; ends the program where they do not pass."""
    programs = sorted(path for path in (build / "tests" / "game").glob("game_*_test") if os.access(path, os.X_OK))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = dict(zip([path.name for path in programs], pool.map(report_of, programs)))
    if OWN_TEST not in reports:
        sys.exit(f"certify.py: {build} has no tests/game/{OWN_TEST}: build it first, `cmake --build {build}`")
    signatures = reports.pop(OWN_TEST)[2]
    failed = {name: text for name, (well, text, _) in reports.items() if not well}
    for name, text in failed.items():
        print(f"--- {name}\n{text}", file=sys.stderr)
    if failed:
        sys.exit(f"certify.py: nothing is written, as these do not pass: {', '.join(failed)}")
    return signatures, [test for _, _, tests in reports.values() for test in tests]


class Comparison:
    """All cases of one kind for one ruleset."""

    def __init__(self):
        self.cases, self.leaves, self.sources = 0, 0, collections.Counter()

    def add(self, test):
        self.cases += int(test["cases"])
        self.leaves += int(test["leaves"])
        for line in test["sources"].splitlines():
            name, cases = line.split("\t")
            self.sources[name] += int(cases)

    def text(self, what):
        leaves = f"; {self.leaves:,} leaves" if self.leaves else ""
        sources = ", ".join(f"{cases:,} by {name}" for name, cases in sorted(self.sources.items()))
        return f"  {self.cases:,} {what}{leaves}\n    {sources}\n"


def certificate(game, signatures, comparisons):
    """`signatures`: ruleset -> signature; `comparisons`: ruleset with options -> what -> Comparison."""
    sums, leaves, names = collections.Counter(), 0, set()
    body = ""
    for spec in [*signatures, *sorted(set(comparisons) - set(signatures))]:
        body += f"\n{spec}\n"
        if spec in signatures:
            body += f"  signature {signatures[spec]}\n"
        for what, comparison in comparisons[spec].items():
            body += comparison.text(what)
            sums[what.split(",")[0]] += comparison.cases
            leaves += comparison.leaves
            names |= set(comparison.sources)
    summary = ", ".join(f"{cases:,} {what}" for what, cases in sums.items())
    known = {name: next(text for key, text in SOURCES.items() if key == name.split("@")[0].split(" ")[0])
             for name in sorted(names)}
    return (f"{game}: {summary} compared with other programs, {leaves:,} leaves, no difference\n\n"
            "Written by tests/certify.py when all tests of the rules passed. A signature is a hash of the positions, legal\n"
            "moves and outcomes of 200 random games; when the rules change so does it, and they are to be certified anew.\n"
            f"{body}\nsources\n" + "".join(f"  {name}: {text}\n" for name, text in known.items()))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    signatures, evidence = collect(pathlib.Path(sys.argv[1]).resolve())
    games = collections.defaultdict(dict)
    for test in signatures:
        games[test["game"]][test["ruleset"]] = test["signature"]
    game_of = {ruleset: game for game, rulesets in games.items() for ruleset in rulesets}
    comparisons = {game: collections.defaultdict(lambda: collections.defaultdict(Comparison)) for game in games}
    for test in evidence:
        spec = test["ruleset"]
        comparisons[game_of[spec.split(":")[0]]][spec][test["what"]].add(test)
    bare = [ruleset for ruleset, game in game_of.items() if ruleset not in comparisons[game]]
    if bare:
        sys.exit(f"certify.py: nothing is written, as no test compares these with another program: {', '.join(bare)}")
    for game, rulesets in games.items():
        path = ROOT / "game" / "certificates" / f"{game}.txt"
        path.write_text(certificate(game, rulesets, comparisons[game]))
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
