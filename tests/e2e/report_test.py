# `makzero report`: a run as one page.
import json
import re
import unittest
import xml.etree.ElementTree

from program import RunTest, makzero


def elements_of(picture, tag):
    return list(xml.etree.ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}" + tag))


def words_of(picture):
    return [element.text for element in elements_of(picture, "text")]


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
        self.assertNotRegex(page, r"<(link|script|img)[^>]* (src|href)=")  # One file: nothing is asked for.

    def test_learning_curves_are_drawn(self):
        self.train_generations(2)
        picture = self.run_folder / "curves.svg"
        rated = makzero("rate", self.run_folder, "--games", "2", "--simulations", "1", "--opponents", "random,greedy",
                        "--plot", picture)
        self.assertEqual(rated.returncode, 0, rated.stderr)
        self.assertIn("by material", rated.stdout)
        self.assertRegex(rated.stdout, rf"(?m)^{self.run_folder.name}, generation 2 :1 ")
        self.assertNotRegex(rated.stdout.split("\n\n")[0], r"(?m)^[0-9a-f]{12}")  # Ids are details: they stand below.
        self.assertLessEqual({"random", "greedy", self.run_folder.name, "Elo by material (random = 0)"},
                             set(words_of(picture)))
        circles = len(elements_of(picture, "circle"))
        self.assertGreater(circles, 0)
        picture.unlink()
        shown = makzero("rate", self.run_folder, "--show", "--plot", picture)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn(f"curves written to {picture}", shown.stdout)
        self.assertEqual(len(elements_of(picture, "circle")), circles)
        shown = makzero("rate", self.run_folder, "--show", "--over-time", "--plot", picture)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("processor minutes of the run", words_of(picture))
        self.assertNotIn("network evaluations of self-play", words_of(picture))
        failed = makzero("rate", self.run_folder, "--by-rules", "--by-material")
        self.assertEqual(failed.returncode, 2)

    def test_a_folder_without_a_run_is_named(self):
        failed = makzero("report", self.run_folder / "none")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("holds no run", failed.stderr)


if __name__ == "__main__":
    unittest.main()
