# `train/quickstart.sh` with everything that it calls replaced: what it does, in which order.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class QuickstartTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.log = self.root / "calls"
        (self.root / "train").mkdir()
        shutil.copy(SOURCE / "train/quickstart.sh", self.root / "train")
        for call in ["tests/run.sh", "bin/cmake", "build/release/makzero"]:
            self.replace(call, "exit 0")
        self.reach(generation=3)

    def replace(self, call, end):
        """A program that notes its call."""
        path = self.root / call
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho \"{path.name} $*\" >> '{self.log}'\n{end}\n")
        path.chmod(0o755)

    def reach(self, generation):
        """The training ends in this generation."""
        status = f'{{\n  "phase": "stopped",\n  "generation": {generation},\n  "games": 136\n}}\n'
        (self.root / "runs/makruk").mkdir(parents=True, exist_ok=True)
        (self.root / "runs/makruk/status.json").write_text(status)

    def calls(self):
        environment = {**os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}"}
        run = subprocess.run([self.root / "train/quickstart.sh"], env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        return self.log.read_text().splitlines(), run.stdout

    def test_what_the_exported_page_needs_is_there_before_the_build(self):
        calls, _ = self.calls()
        self.assertEqual(calls[:2], ["run.sh install-build", "run.sh install-web"])
        self.assertTrue(calls[2].startswith("cmake "), calls)
        known = subprocess.run([SOURCE / "tests/run.sh", "--help"], capture_output=True, text=True, timeout=60).stdout
        self.assertIn("install-web", known)

    def test_it_trains_all_the_same_where_that_cannot_be_installed(self):
        self.replace("tests/run.sh", '[ "$1" != install-web ]')
        calls, out = self.calls()
        self.assertTrue(any(call.startswith("makzero train makruk") for call in calls), calls)
        self.assertIn("what it needs could not be installed", out)

    def test_it_trains_until_what_has_learnt_nothing_is_beaten_and_says_how_to_play(self):
        calls, out = self.calls()
        self.assertEqual(calls[-1], "makzero train makruk --preset quick --until control --minutes 30")
        self.assertIn("makzero play makruk --model runs/makruk", out)

    def test_before_the_first_generation_it_says_that_nothing_is_learnt(self):
        self.reach(generation=0)
        _, out = self.calls()
        self.assertIn("Nothing is learnt yet", out)
        self.assertIn("train/quickstart.sh --game makruk --until control --minutes 30", out)
        self.assertNotIn("Trained:", out)


if __name__ == "__main__":
    unittest.main()
