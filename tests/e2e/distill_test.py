# From a training to a small network of the zoo, as the documentation has it: train, distil, label, distil again, play,
# publish.
import json
import os
import pathlib
import tempfile
import unittest

from program import Training, makzero


class DistillTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="makzero-")))
        cls.run_folder = cls.folder / "run"
        status, errors = Training(cls.run_folder, "--generations=2", "--leaf_log.on=true", "--leaf_log.share=1").finish()
        assert status == 0, errors
        cls.network = cls.folder / "first.mzc"
        cls.result = cls.distil(cls.network, cls.run_folder)

    @staticmethod
    def distil(file, *runs):
        made = makzero("distill", "makyek", *runs, "--to", file, "--steps", "30", "--batch", "64", "--json")
        assert made.returncode == 0, made.stderr
        return json.loads(made.stdout)

    def test_distilling_states_what_it_learnt_from(self):
        self.assertEqual(self.result["game"], "makyek")
        self.assertGreater(self.result["leaves"], 500)
        self.assertGreater(self.result["held_out_loss"], self.result["entropy"])
        self.assertLess(self.network.stat().st_size, 300_000)

    def test_labels_of_its_games_make_another(self):
        labels = self.folder / "labels"
        made = makzero("label", "makyek", self.network, "--to", labels, "--positions", "150", "--nodes", "60", "--threads", "1")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertRegex(made.stdout, r"^\d+ positions of \d+ games in \d+ s")
        second = self.distil(self.folder / "second.mzc", self.run_folder, labels)
        self.assertGreaterEqual(second["leaves"] + second["held_out"], self.result["leaves"] + self.result["held_out"] + 150)

    def test_it_plays_and_is_published(self):
        match = makzero("match", "makyek:max_plies=40", "--a", f"{self.network}:2", "--b", "random", "--games", "4", "--json")
        self.assertEqual(match.returncode, 0, match.stderr)
        self.assertEqual(json.loads(match.stdout)["games"], 4)
        zoo = self.folder / "zoo"
        published = makzero("publish", self.network, "--zoo", zoo, "--opponent", "random", "--games", "2", "--ms", "1")
        self.assertEqual(published.returncode, 0, published.stderr)
        self.assertIn("all is as published", makzero("publish", "--check", zoo).stdout)
        os.environ["MAKZERO_ZOO"] = str(zoo)
        self.addCleanup(os.environ.pop, "MAKZERO_ZOO")
        exported = makzero("export", "makyek-low", "--to", "small", "--out", self.folder / "exported")
        self.assertEqual(exported.returncode, 0, exported.stderr)
        net = json.loads((self.folder / "exported/net.json").read_text())
        self.assertEqual((net["ruleset"], net["inputs"][0]), ("makyek-low", {"name": "pieces", "size": 768}))
        self.assertTrue((self.folder / "exported" / net["file"]).read_bytes().startswith(b"small network\n"))
        match = makzero("match", "makyek-jump:max_plies=20", "--a", "small:2", "--b", "small?ms=1", "--games", "2", "--json")
        self.assertEqual(match.returncode, 0, match.stderr)

    def test_what_does_not_fit_is_refused(self):
        for arguments, words in [
            (["match", "rek", "--a", f"{self.network}:2", "--b", "random"], "cannot play 'rek'"),
            (["match", "makyek", "--a", f"{self.network}:2?ms=5", "--b", "random"], "takes one of a strength, ms=N"),
            (["match", "makyek", "--a", f"{self.network}:99", "--b", "random"], "needs a depth from 1 to 64"),
            (["label", "rek", self.network, "--to", self.folder / "no"], "has a small network of 'makyek' and cannot play 'rek'"),
            (["label", "nogame", self.network, "--to", self.folder / "no"], "unknown game 'nogame'"),
            (["distill", "rek", self.run_folder, "--to", self.folder / "no.mzc"], "no leaves of rek"),
        ]:
            refused = makzero(*arguments)
            self.assertNotEqual(refused.returncode, 0, arguments)
            self.assertIn(words, refused.stderr)
        self.assertFalse((self.folder / "no.mzc").exists())


if __name__ == "__main__":
    unittest.main()
