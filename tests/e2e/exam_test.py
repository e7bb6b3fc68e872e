# `makzero exam`: a tiny one from beginning to end, and that it goes on where it was.
import json
import os
import pathlib
import tempfile
import unittest
import unittest.mock

from program import makzero

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RULES = "makyek:max_plies=20"


class ExamTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.suites = self.folder / "suites"
        self.suites.mkdir()
        # White leads by four men.
        (self.suites / "makyek-leads.txt").write_text("exam\nmmmm4/8/mmmm4/8/8/MMMMMM2/8/MMMMMM2 w\n")
        # c2c7 takes b7 and d7; who looks no further than the first move of the list misses it.
        (self.suites / "makyek-puzzles.tsv").write_text(
            "position\tshallow\texpected\tdeep\texpected\n"
            "7m/1m1m4/8/8/8/8/2M5/7M w\th1h2\t0.500\tc2c7\t1.000\n")

    def run_exam(self, games, openings=ROOT / "models" / "openings" / "makyek-exam.txt", player="alphabeta"):
        return makzero("exam", RULES, player, "--games", games, "--ms", "1", "--threads", "1", "--json",
                       "--openings", openings, "--suites", self.suites, "--to", self.folder / "exam")

    def exam(self, games, player="alphabeta"):
        run = self.run_exam(games, player=player)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_a_person_solves_the_puzzle(self):
        def puzzle(*lines):
            run = makzero("puzzle", RULES, "--suites", self.suites, text="".join(line + "\n" for line in lines))
            self.assertEqual(run.returncode, 0, run.stderr)
            return run.stdout
        solved = puzzle("c2c7")
        self.assertIn("right: c2-c7", solved)
        self.assertIn("1 of 1 solved at once", solved)
        helped = puzzle("c2c9", "h1h2", "hint", "c2c7")
        self.assertIn("the piece on c2", helped)
        self.assertIn("0 of 1 solved at once", helped)
        self.assertIn("c2-c7", puzzle("solution"))
        self.assertIn("0 of 0 solved at once", puzzle("quit"))
        run = makzero("puzzle", RULES, "--suites", self.folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--make puzzles", run.stderr)

    def test_every_part_is_in_the_report(self):
        report = self.exam(2)
        # Without a zoo there is no published network, and the player itself is the strongest with ten times the time.
        self.assertEqual([(match["part"], match["opponent"]) for match in report["matches"]],
                         [("pool", "random"), ("pool", "greedy"), ("pool", "alphabeta:2"), ("pool", "control?ms=1"),
                          ("decided", "control?ms=1"), ("safety", "alphabeta?ms=10")])
        self.assertEqual([match["games"] for match in report["matches"]], 6 * [2])
        self.assertEqual(report["matches"][4]["ruleset"], RULES + ",limit_result=material")
        self.assertEqual([(row["most_men"], row["led"], row["trailed"]) for row in report["leads"]], [(24, 1, 1)])
        self.assertEqual(report["puzzles"], {"positions": 1, "solved": 1})
        self.assertEqual(len(report["ratings"]), 5)
        self.assertEqual(report["anchor"], "control?ms=1")
        page = (self.folder / "exam" / "exam.md").read_text()
        self.assertIn("1 of 1 solved (100.0 %)", page)
        self.assertIn("\n\nNo tables: MAKZERO_ENDINGS is empty, which means no endings.\n", page)
        self.assertIsNone(report["endings"])
        self.assertEqual(json.loads((self.folder / "exam" / "exam.json").read_text()), report)

    def test_elo_counts_from_the_published_network(self):
        with unittest.mock.patch.dict(os.environ, {"MAKZERO_ZOO": str(ROOT / "models" / "zoo")}):
            for player in ("alphabeta", "small"):
                report = self.exam(2, player)
                anchor = next(row for row in report["ratings"] if row["player"] == report["anchor"])
                self.assertEqual((anchor["elo"], anchor["low"], anchor["high"]), (0, 0, 0))
                self.assertTrue(anchor["player"].startswith("small-"), report)
                self.assertEqual(report["player"] == report["anchor"], player == "small")

    def test_finished_games_are_kept(self):
        first = self.exam(2)
        self.assertEqual(self.exam(2), first)
        for before, after in zip(first["matches"], self.exam(4)["matches"]):
            self.assertEqual(after["games"], 4)
            for key in ("wins", "draws", "losses"):
                self.assertGreaterEqual(after[key], before[key])

    def test_matches_are_of_whole_pairs(self):
        self.assertEqual({match["games"] for match in self.exam(3)["matches"]}, {4})
        # The disk was full when the last game was written.
        pool = next((self.folder / "exam" / "matches").glob("pool-*"))
        pool.write_bytes(pool.read_bytes()[:-1])
        self.assertEqual({match["games"] for match in self.exam(4)["matches"]}, {4})
        inspected = makzero("inspect", pool)
        self.assertIn("games         16,", inspected.stdout, inspected.stderr)

    def test_games_from_other_openings_are_refused(self):
        self.exam(2)
        (self.folder / "other.txt").write_text("startpos moves h3h4\n")
        other = self.run_exam(2, self.folder / "other.txt")
        self.assertEqual(other.returncode, 1, other.stdout)
        self.assertIn("holds games from other openings than this exam's", other.stderr)

    def test_solved_endings_are_kept_and_won_by_who_knows_them(self):
        with unittest.mock.patch.dict(os.environ, {"MAKZERO_ENDINGS": str(self.folder / "endings")}):
            made = makzero("endings", "makyek")
            self.assertEqual(made.returncode, 0, made.stderr)

            def exam(player):
                run = makzero("exam", "makyek:max_plies=30", player, "--endings", "--ms", 1, "--threads", 1, "--json",
                              "--positions", 30, "--to", self.folder / "exam")
                self.assertEqual(run.returncode, 0, run.stderr)
                report = json.loads(run.stdout)
                self.assertEqual((report["matches"], report["leads"], report["puzzles"]), ([], [], None))
                self.assertIsNone(report["anchor"])
                self.assertEqual(report["ms"], None if player == "alphabeta:1" else 1)
                return report["endings"]

            small = f"{ROOT}/models/zoo/makyek/network.mzc?network=small&endings="
            known = exam(small + "on")
            self.assertEqual(known["won"] + known["drawn"], 30)
            self.assertGreater(known["drawn"], 0)
            self.assertEqual((known["won_kept"], known["drawn_kept"]), (known["won"], known["drawn"]))
            self.assertEqual(known["finished"], known["won"])
            random = exam("random")
            self.assertEqual((random["won"], random["drawn"]), (known["won"], known["drawn"]))
            self.assertLess(random["finished"], random["won"])
            page = (self.folder / "exam" / "exam.md").read_text()
            self.assertIn(f"| won | {random['won']} | {random['won_kept']} (", page)
            self.assertEqual(page.count("## "), 1, page)  # Of the other parts nothing is said.
            self.assertEqual(exam("random"), random)  # Nothing is played anew.
            self.assertEqual(exam("alphabeta:1")["won"], known["won"])  # A limit of its own.

    def test_wrong_use_is_named(self):
        limited = makzero("exam", "makyek", "control?ms=5")
        self.assertEqual(limited.returncode, 2)
        self.assertIn("--ms says how long it searches", limited.stderr)
        nowhere = makzero("exam", "makyek", "control", "--make", "leads")
        self.assertEqual(nowhere.returncode, 2)
        self.assertIn("--make: give --to FILE", nowhere.stderr)


if __name__ == "__main__":
    unittest.main()
