# `makzero report`: a run as one page.
import json
import re
import unittest

from program import RunTest, makzero


class ReportTest(RunTest):
    def test_the_page_holds_what_the_run_has_left(self):
        self.train_generations(2)
        written = makzero("report", self.run_folder)
        self.assertEqual(written.returncode, 0, written.stderr)
        page = (self.run_folder / "report.html").read_text()
        report = json.loads(re.search(r'id="report">(.*?)</script>', page, re.DOTALL).group(1))
        self.assertEqual(report["game"], "makyek")
        self.assertEqual(len(report["metrics"]), report["status"]["generation"])
        self.assertEqual(len(report["games"]), report["status"]["generation"] + 1)  # Those without a network too.
        self.assertGreater(len(report["games"][0]["state"]["history"]), 0)
        self.assertEqual(report["losses"]["generation"], 2)
        self.assertGreater(len(report["losses"]["rows"]), 0)
        for row in report["losses"]["rows"]:
            self.assertEqual(row["title"], "Mak-yek")
            self.assertTrue(all(move["written"] for move in row["target"]["moves"] + row["predicted"]["moves"]))
        self.assertNotRegex(page, r"<(link|script|img)[^>]* (src|href)=")  # One file: nothing is asked for.

    def test_ratings_name_the_networks(self):
        self.train_generations(2)
        rated = makzero("rate", self.run_folder, "--games", "2", "--simulations", "1", "--opponents", "random,greedy")
        self.assertEqual(rated.returncode, 0, rated.stderr)
        self.assertIn("by material", rated.stdout)
        self.assertRegex(rated.stdout, rf"(?m)^{self.run_folder.name}, generation 2 :1 ")
        self.assertNotRegex(rated.stdout.split("\n\n")[0], r"(?m)^[0-9a-f]{12}")  # Ids are details: they stand below.
        shown = makzero("rate", self.run_folder, "--show")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, rf"(?m)^{self.run_folder.name}, generation 2 :1 ")

    def test_a_folder_without_a_run_is_named(self):
        failed = makzero("report", self.run_folder / "none")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("holds no run", failed.stderr)


if __name__ == "__main__":
    unittest.main()
