# The program under test, a training so small that it makes a generation in a second, and what a run folder says.
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["MAKZERO"]

# Seconds that a machine under load may need for anything; tests that pass do not wait for it.
PATIENCE = 120

TINY = [
    "--threads=1", "--network.blocks=1", "--network.channels=8", "--network.attention=8", "--network.hidden=8",
    "--self_play.small_share=0", "--self_play.simulations=4", "--self_play.games_per_thread=8", "--self_play.max_game_length=30",
    "--learning.rows_per_generation=150", "--learning.bootstrap_rows=150", "--learning.batch=32",
    "--replay.minimum_window=400", "--replay.games_per_shard=20", "--replay.validation_share=0.2",
    "--rating.games=4", "--rating.simulations=4", "--rating.time_share=0.3",
]


def makzero(*arguments, cwd=None, text=None):
    """Runs the program to its end, with this text to read."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, input=text,
                          timeout=PATIENCE)


class Training:
    """A training process on a run folder, watched through its log."""

    def __init__(self, run, *arguments, game="makyek"):
        self.run = pathlib.Path(run)
        given = {argument.split("=")[0] for argument in arguments}
        tiny = [flag for flag in TINY if flag.split("=")[0] not in given]
        self.process = subprocess.Popen(
            [PROGRAM, "train", game, "--run", str(run), *tiny, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_log(self, pattern, times=1):
        """Waits until the run's log holds so many lines with the pattern."""
        deadline = time.monotonic() + PATIENCE
        while len(re.findall(pattern, log_of(self.run))) < times:
            if self.process.poll() is not None:
                raise AssertionError(f"the training ended before its log had '{pattern}':\n{self.process.stderr.read()}")
            if time.monotonic() > deadline:
                self.process.kill()
                raise AssertionError(f"no '{pattern}' in the log:\n{log_of(self.run)}")
            time.sleep(0.02)

    def signal(self, number):
        self.process.send_signal(number)

    def finish(self):
        """The exit status and what was written to stderr."""
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors


def log_of(run):
    path = pathlib.Path(run) / "train.log"
    return path.read_text(errors="replace") if path.exists() else ""


def status_of(run):
    return json.loads((pathlib.Path(run) / "status.json").read_text())


def metrics_of(run):
    """The whole lines of metrics.jsonl: a killed process may have left a torn one."""
    path = pathlib.Path(run) / "metrics.jsonl"
    rows = []
    for line in path.read_text(errors="replace").splitlines() if path.exists() else []:
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            pass
    return rows


def checkpoints_of(run):
    """Name -> bytes."""
    return {path.name: path.read_bytes() for path in sorted((pathlib.Path(run) / "checkpoints").glob("*.mzc"))}


class RunTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="makzero-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.run_folder = self.folder / "run"

    def train_generations(self, count, *arguments):
        """Trains until so many generations are logged, then stops as Ctrl-C does."""
        training = Training(self.run_folder, *arguments)
        training.wait_for_log(r"generation number=", times=count)
        training.signal(2)
        status, errors = training.finish()
        self.assertEqual(status, 0, errors)

    def assert_whole(self):
        check = makzero("fsck", self.run_folder)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
