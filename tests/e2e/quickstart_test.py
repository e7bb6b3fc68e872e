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

    def replace(self, call, end):
        """A program that notes its call."""
        path = self.root / call
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho \"{path.name} $*\" >> '{self.log}'\n{end}\n")
        path.chmod(0o755)

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
        self.assertTrue(any(call.startswith("makzero train makyek") for call in calls), calls)
        self.assertIn("what it needs could not be installed", out)


if __name__ == "__main__":
    unittest.main()
