# A machine without LibTorch: everything that small networks play works, starts at once, and the rest says what is missing.
import json
import os
import pathlib
import subprocess
import unittest
import urllib.parse
import urllib.request

from program import PATIENCE, PROGRAM, RunTest, makzero

SOURCES = pathlib.Path(__file__).parents[2]
SMALL = SOURCES / "tests/data/models/gala_version_1.mzs"
MISSING = "this needs LibTorch: install "
LIMIT_MB = 30  # Of a command that needs no tower.
LIMIT_SECONDS = 0.25  # Of processor time: ten times what is wanted, for sanitizers and busy machines; LibTorch takes more.

os.environ["MAKZERO_TORCH"] = "/nowhere/libmakzero_torch.so"
os.environ["MAKZERO_ZOO"] = str(SOURCES / "models/zoo")


def start(*arguments, text=""):
    """Output, processor seconds and largest memory [MB] of a command."""
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdin.write(text)
    process.stdin.close()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    process.stderr.close()
    return output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class WithoutTorchTest(RunTest):
    def output_of(self, *arguments, text=""):
        run = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, input=text, timeout=PATIENCE,
                             cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def refused(self, *arguments):
        run = makzero(*arguments, cwd=self.folder)
        self.assertEqual((run.returncode, run.stdout), (1, ""), run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        return run.stderr

    def test_every_command_that_needs_no_tower_starts_at_once(self):
        for arguments, text, expected in [
                (["games"], "", "makruk"), (["perft", "makruk", "3"], "", "12012"), (["--version"], "", "makzero "),
                (["uci", "makruk", "--model", "small"], "uci\nquit\n", "uciok"),
                (["inspect", SMALL], "", "gala")]:
            with self.subTest(arguments):
                output, seconds, megabytes = start(*map(str, arguments), text=text)
                self.assertIn(expected, output)
                self.assertLess(megabytes, LIMIT_MB)
                self.assertLess(seconds, LIMIT_SECONDS)

    def test_small_networks_play_and_analyse(self):
        self.assertIn("bestmove ", self.output_of("uci", "makruk", "--model", "small", text="go nodes 2000\n"))
        self.assertIn("\n", self.output_of("play", "makruk", "--model", "small:2", text="e3e4\nquit\n"))
        query = {"id": "1", "game": "makruk", "player": "small", "maxVisits": 2000}
        answer = json.loads(self.output_of("analysis", text=json.dumps(query) + "\n"))
        self.assertTrue(answer["moveInfos"])
        score = json.loads(self.output_of("match", "makruk:max_plies=20", "--a", "small:2", "--b", "alphabeta:1", "--games", "2", "--json",
                                        "--save", "games"))
        self.assertEqual(score["games"], 2)
        game = sorted((self.folder / "games").iterdir())[0]
        self.assertIn("makruk", self.output_of("replay", game, "--to", "text"))
        self.assertTrue(self.output_of("review", game, "--model", "small:2"))

    def test_who_is_not_named_is_small_where_a_tower_would_be_stronger(self):
        self.assertIn("player: MakZero (small network ", self.output_of("uci", "gala", text="isready\nquit\n"))

    def test_a_small_network_is_trained_and_plays(self):
        output = self.output_of("train", "gala", "--run", "run", "--self_play.small_share=1", "--self_play.small_nodes=20",
                                "--learning.small_rows_per_generation=300", "--rating.games=2", "--generations=2", "--threads=1")
        self.assertIn("makzero play gala --model run plays against it", output)
        self.assertIn("run", self.output_of("match", "gala", "--a", "run?nodes=100", "--b", "random", "--games", "2"))

    def test_the_page_plays_with_them(self):
        server = subprocess.Popen([PROGRAM, "serve", "--port=0", "--runs", str(self.folder)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        url = server.stdout.readline().split()[1]
        with urllib.request.urlopen(urllib.parse.urljoin(url, "/"), timeout=PATIENCE) as page:
            self.assertEqual(page.status, 200)

    def test_what_needs_a_tower_says_what_is_missing(self):
        self.assertIn(MISSING, self.refused("train", "makruk", "--run", self.folder / "run", "--minutes", "1"))
        self.assertFalse((self.folder / "run").exists())
        self.assertIn(MISSING, self.refused("match", "makruk", "--a", "zoo:2", "--b", "random", "--games", "2"))
        self.assertIn("!!   LibTorch   none", self.output_of("doctor"))


if __name__ == "__main__":
    unittest.main()
