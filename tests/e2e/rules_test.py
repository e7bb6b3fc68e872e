# `makzero rules`: rulesets of a game side by side, as a page and as JSON.
import json
import pathlib
import tempfile
import unittest

from program import makzero

SMALL = ["--player", "alphabeta:1", "--openings", "1", "--positions", "20", "--threads", "1"]


class RulesTest(unittest.TestCase):
    def test_named_and_sampled_rulesets_are_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            run = makzero("rules", "apit", "--sampled", "1", "--json", "--to", folder, *SMALL)
            self.assertEqual(run.returncode, 0, run.stderr)
            report = json.loads(run.stdout)
            rulesets = [reading["ruleset"] for reading in report["readings"]]
            self.assertEqual(rulesets[:4], ["apit", "apit-single", "apit-intfirst", "apit-custfirst"])
            self.assertEqual(len(rulesets), 5)
            self.assertEqual([reading["games"] for reading in report["readings"]], 5 * [2])
            self.assertEqual(json.loads((pathlib.Path(folder) / "rules.json").read_text()), report)
            page = (pathlib.Path(folder) / "rules.md").read_text()
            for ruleset in rulesets:
                self.assertIn(f"| `{ruleset}` |", page)

    def test_the_same_seed_gives_the_same_report(self):
        first, again = (makzero("rules", "gala", "gala:move=step", *SMALL, "--seed", "3") for _ in range(2))
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(first.stdout, again.stdout)

    def test_wrong_use_is_named(self):
        for arguments, reason in ((["makyek", "rek"], "'rek' is of another game than makyek"),
                                  (["makyek", "makyek-line", "--sampled", "2"], "name no RULESET beside it"),
                                  (["makyek", "--player", "alphabeta"], "has no limit")):
            run = makzero("rules", *arguments)
            self.assertEqual(run.returncode, 2)
            self.assertIn(reason, run.stderr)


if __name__ == "__main__":
    unittest.main()
