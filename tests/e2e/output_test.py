#!/usr/bin/env python3
"""Output that cannot be written and limits of the system: one sentence and exit status 1, never a death by signal."""
import contextlib
import ctypes
import os
import pathlib
import resource
import signal
import subprocess
import unittest

from program import PATIENCE, PROGRAM, RunTest

GAME = "ruleset makyek\nmoves a3a4\nresult *\n"
QUERY = '{"id": "1", "game": "makyek", "model": "alphabeta:1", "analyzeTurns": [0]}\n'
MATCH = ["match", "makyek:max_plies=20", "--a", "random", "--b", "greedy", "--games", "2", "--threads", "1"]

# What libraries say by themselves.
BARE = ["bad_alloc", "filesystem error", "terminate called", "basic_string", "std::", "vector::"]


def limited(**limits):
    """A preexec_fn that sets limits by their names: FSIZE=1000."""
    def set_limits():
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
    return set_limits


@contextlib.contextmanager
def read_only_disk(folder):
    """A file system that nothing can be written to; the test is skipped where none can be made."""
    libc = ctypes.CDLL(None, use_errno=True)
    folder.mkdir()
    if libc.mount(b"none", str(folder).encode(), b"tmpfs", ctypes.c_ulong(1), b"size=64k") != 0:  # MS_RDONLY
        raise unittest.SkipTest("no file system can be mounted: " + os.strerror(ctypes.get_errno()))
    try:
        yield folder
    finally:
        libc.umount(str(folder).encode())


class OutputTest(RunTest):
    def setUp(self):
        super().setUp()
        self.game = self.folder / "game.txt"
        self.game.write_text(GAME)

    def run_program(self, *arguments, stdin="", stdout=subprocess.PIPE, **options):
        return subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, stdout=stdout, stderr=subprocess.PIPE,
                              text=True, timeout=PATIENCE, cwd=self.folder, **options)

    def assert_explained(self, process, *parts):
        self.assertEqual(process.returncode, 1, process.stderr)
        lines = process.stderr.strip().split("\n")
        self.assertTrue(lines[-1].startswith("makzero"), process.stderr)
        for part in parts:
            self.assertIn(part, lines[-1])
        for bare in BARE:
            self.assertNotIn(bare, process.stderr)

    def commands(self):
        """Each writes something to stdout."""
        yield from ((arguments, "") for arguments in (
            ["--version"], ["--help"], ["perft", "--help"], ["perft", "makyek", "2"], ["games"], ["games", "makyek"],
            ["replay", self.game, "--to", "pgn"], ["replay", self.game, "--all"], ["inspect", self.game], ["doctor"],
            ["train", "--keys"], [*MATCH, "--json"], MATCH, ["certify", "makyek"],
            ["review", self.game, "--model", "alphabeta:1"]))
        yield ["analysis"], QUERY
        yield ["uci", "makyek"], "uci\n"
        yield ["play", "makyek", "--model", "alphabeta:1"], "quit\n"

    def test_every_command_says_that_its_output_cannot_be_written(self):
        for arguments, stdin in self.commands():
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                self.assert_explained(self.run_program(*arguments, stdin=stdin, stdout=full), "standard output",
                                      "No space left on device", "free some space")

    def test_a_closed_standard_output_is_one_that_cannot_be_written(self):
        for arguments, stdin in self.commands():
            with self.subTest(arguments=arguments):
                closed = self.run_program(*arguments, stdin=stdin, preexec_fn=lambda: os.close(1))
                self.assert_explained(closed, "standard output", "Bad file descriptor")

    def test_no_file_takes_the_place_of_a_closed_stream(self):
        """A file that is opened later must not get what people are told."""
        def close_all():
            for descriptor in (0, 1, 2):
                os.close(descriptor)
        saved = self.folder / "games"
        self.assertEqual(self.run_program(*MATCH, "--save", saved, preexec_fn=close_all).returncode, 1)
        for file in saved.glob("*.txt"):
            self.assertTrue(file.read_text().startswith("ruleset makyek"), file.read_text())

    def test_who_writes_nothing_succeeds(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(self.run_program("uci", "makyek", stdout=full).returncode, 0)

    def test_a_protocol_ends_with_the_first_answer_that_is_lost(self):
        for arguments, question in ((["analysis"], QUERY), (["uci"], "isready\n")):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                with subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=full,
                                      stderr=subprocess.PIPE, text=True) as process:
                    process.stdin.write(question)
                    process.stdin.flush()
                    self.assertEqual(process.wait(PATIENCE), 1)  # The input goes on.
                    self.assertIn("No space left", process.stderr.read())

    def test_a_closed_pipe_ends_in_silence(self):
        for handler in (signal.SIG_DFL, signal.SIG_IGN):
            read, write = os.pipe()
            os.close(read)
            process = self.run_program("games", stdout=write, preexec_fn=lambda: signal.signal(signal.SIGPIPE, handler))
            os.close(write)
            self.assertEqual((process.returncode, process.stderr), (-signal.SIGPIPE, ""))

    def test_a_pipe_that_is_full_for_a_while_gets_everything(self):
        read, write = os.pipe()
        os.set_blocking(write, False)
        with subprocess.Popen([PROGRAM, "games", "makruk"], stdout=write, stderr=subprocess.PIPE) as process:
            os.close(write)
            with os.fdopen(read) as pipe:
                text = pipe.read()
            self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(text, self.run_program("games", "makruk").stdout)

    def test_the_limit_on_the_size_of_files_is_named(self):
        small = {"preexec_fn": limited(FSIZE=32)}
        pgn = self.folder / "reviewed.pgn"
        review = ["review", self.game, "--model", "alphabeta:1", "--output", pgn]
        for arguments in ([*MATCH, "--save", self.folder / "games"], review, ["train", "makyek", "--minutes", "1"]):
            with self.subTest(arguments=arguments):
                self.assert_explained(self.run_program(*arguments, **small), "File too large", "ulimit -f")
        with open(self.folder / "out", "w") as out:
            self.assert_explained(self.run_program("games", stdout=out, **small), "standard output", "ulimit -f")
        self.assertFalse(pgn.exists())

    def test_too_few_descriptors_are_named(self):
        for arguments in (["perft", "makyek", "2", "--position", "x"], ["replay", self.game], ["inspect", self.game],
                          ["train", "makyek", "--minutes", "1"]):
            with self.subTest(arguments=arguments):
                process = self.run_program(*arguments, preexec_fn=limited(NOFILE=4))
                self.assertGreaterEqual(process.returncode, 0)
                for bare in BARE:
                    self.assertNotIn(bare, process.stderr)

    def test_memory_that_is_not_there_is_named(self):
        big = self.folder / "big.mzm"
        with open(big, "wb") as file:
            file.truncate(1 << 40)
        memory = {"preexec_fn": limited(AS=3 << 30)}
        for arguments in (["inspect", big], ["replay", big], ["match", "makyek", "--a", "random", "--b", "random", "--games", "2000", "--threads", "1000"]):
            with self.subTest(arguments=arguments):
                self.assert_explained(self.run_program(*arguments, **memory))

    def test_paths_that_lead_nowhere_are_named(self):
        loop = self.folder / "loop"
        loop.symlink_to(loop)
        for arguments in (["replay", loop], ["inspect", loop], ["fsck", loop], ["report", loop],
                          [*MATCH, "--save", self.game / "games"], [*MATCH, "--save", loop]):
            with self.subTest(arguments=arguments):
                self.assert_explained(self.run_program(*arguments), "loop" if loop in arguments else "game.txt")

    def test_a_read_only_disk_is_named(self):
        with read_only_disk(self.folder / "disk") as disk:
            for arguments in ([*MATCH, "--save", disk / "games"], ["train", "makyek", "--run", disk / "run"],
                              ["review", self.game, "--model", "alphabeta:1", "--output", disk / "a.pgn"]):
                with self.subTest(arguments=arguments):
                    self.assert_explained(self.run_program(*arguments), str(disk), "choose another folder")


if __name__ == "__main__":
    unittest.main()
