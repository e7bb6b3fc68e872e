#!/usr/bin/env python3
"""Texts that people give, as other programs write them and from wherever they come."""
import json
import os
import pathlib
import shutil
import subprocess
import threading
import unittest

from program import PATIENCE, PROGRAM, RunTest, makzero

SAVED = "ruleset makyek\nmoves a3a4 h6h5\nresult *\n"
PGN = '[Event "ไทย"]\n[Variant "Makruk"]\n\n1. e4 e5 2. d4 *\n'
FORMS = {
    "LF": lambda text: text.encode(),
    "CR LF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "CR CR LF": lambda text: text.replace("\n", "\r\r\n").encode(),
    "UTF-8 with a mark": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
    "UTF-16 LE": lambda text: ("\ufeff" + text.replace("\n", "\r\n")).encode("utf-16-le"),
    "UTF-16 BE": lambda text: ("\ufeff" + text).encode("utf-16-be"),
}


def program(*arguments, given=b""):
    """The exit status, and what is written to stdout and stderr, of a program that reads these bytes."""
    run = subprocess.run([PROGRAM, *map(str, arguments)], input=given, capture_output=True, timeout=PATIENCE)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


class InputTest(RunTest):
    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_games_openings_queries_and_commands_are_read_in_every_form(self):
        plain_text = program("replay", self.file("plain.txt", SAVED.encode()), "--to", "text")[1]
        plain_pgn = program("replay", self.file("plain.pgn", PGN.encode()), "--to", "text")[1]
        self.assertIn("moves a3a4 h6h5", plain_text)
        self.assertIn("moves e3e4 e6e5 d3d4", plain_pgn)
        for form, written in FORMS.items():
            with self.subTest(form=form):
                self.assertEqual(program("replay", self.file("game.txt", written(SAVED)), "--to", "text")[1], plain_text)
                self.assertEqual(program("replay", self.file("game.pgn", written(PGN)), "--to", "text")[1], plain_pgn)
                openings = self.file("openings.txt", written("# two\nstartpos moves a3a4\nstartpos moves h3h4\n"))
                result = program("match", "makyek:max_plies=4", "--a", "greedy", "--b", "random", "--games", "4",
                                 "--threads", "1", "--json", "--openings", openings)
                self.assertEqual((result[0], result[2]), (0, ""))
                queries = written('{"id": "1", "game": "makyek"}\n{"id": "2", "game": "rek"}\n')
                answers = program("analysis", "--model", "alphabeta:1", given=queries)[1].splitlines()
                self.assertEqual(sorted(json.loads(line).get("id") for line in answers), ["1", "2"])
                self.assertIn("\nuciok\n", program("uci", given=written("uci\nquit\n"))[1])

    def test_a_model_that_is_missing_or_has_no_tower_is_named(self):
        for kind in ("small", "web", "onnx"):
            status, _, errors = program("export", self.folder / "typo.mzc", "--to", kind, "--out", self.folder / "out")
            self.assertEqual(status, 1)
            self.assertIn("typo.mzc: cannot open", errors)
        small = pathlib.Path(__file__).parents[2] / "models" / "zoo" / "makyek" / "network.mzc"
        status, _, errors = program("bench", "makyek", "--measure", "network", "--model", small)
        self.assertEqual(status, 1)
        self.assertIn("has no tower, only a small network", errors)

    def test_a_text_comes_from_a_pipe_too(self):
        for arguments in (["replay", "/dev/stdin", "--to", "text"], ["replay", "/dev/fd/0", "--to", "text"]):
            status, out, errors = program(*arguments, given=SAVED.encode())
            self.assertEqual((status, errors), (0, ""))
            self.assertIn("moves a3a4 h6h5", out)
        status, out, _ = program("review", "/dev/stdin", "--model", "alphabeta:1", given=SAVED.encode())
        self.assertEqual(status, 0)
        self.assertIn("White: accuracy", out)
        for _ in range(2):  # The second time is no continuation of the first.
            status, out, errors = program("library", self.folder / "library", "--import", "/dev/stdin", given=PGN.encode())
            self.assertEqual((status, errors), (0, ""))
            self.assertIn("1 games read", out)
        plain = self.file("game.txt", SAVED.encode())
        shell = subprocess.run(["bash", "-c", f"'{PROGRAM}' replay <(cat '{plain}') --to text"], capture_output=True,
                               text=True, timeout=PATIENCE)
        self.assertIn("moves a3a4 h6h5", shell.stdout)
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        writer = threading.Thread(target=lambda: fifo.write_text("startpos moves a3a4\n"))
        writer.start()
        status, _, errors = program("match", "makyek:max_plies=4", "--a", "greedy", "--b", "random", "--games", "2",
                                    "--json", "--openings", fifo)
        writer.join()
        self.assertEqual((status, errors), (0, ""))

    def test_what_needs_a_size_refuses_a_pipe_that_nobody_writes_to(self):
        fifo = self.folder / "fifo.mzc"
        os.mkfifo(fifo)
        for arguments in (["inspect", fifo], ["export", fifo, "--to", "json", "--out", self.folder / "out"]):
            with self.subTest(command=arguments[0]):
                status, _, errors = program(*arguments)
                self.assertNotEqual(status, 0)
                self.assertIn("is a pipe or a device: copy what it holds to a file", errors)

    def test_an_empty_text_is_an_error(self):
        for name in ("empty.txt", "empty.pgn"):
            empty = self.file(name, b"")
            for arguments in (["replay", empty], ["review", empty], ["play", "--load", empty],
                              ["match", "makyek", "--a", "greedy", "--b", "random", "--openings", empty]):
                with self.subTest(name=name, command=arguments[0]):
                    self.assertEqual(program(*arguments)[::2], (1, f"makzero {arguments[0]}: {empty}: is empty\n"))

    def test_a_name_that_ends_in_pgn_holds_games(self):
        status, out, _ = program("inspect", self.file("games.pgn", FORMS["UTF-16 LE"](PGN + "\n" + PGN)))
        self.assertEqual(status, 0)
        self.assertRegex(out, r"games +2\n +game 1 +makruk, \? - \?, 3 plies, \*\n +game 2 ")
        for name, content, why in [("other.pgn", b"root:x:0:0::/root:/bin/sh\n", "game 1: the moves are legal in none of the games: "),
                                   ("bad.pgn", (PGN + PGN.replace("e5", "e9")).encode(), "game 2: line "),
                                   ("empty.pgn", b"", "is empty")]:
            status, out, errors = program("inspect", self.file(name, content))
            self.assertEqual((status, out), (1, ""))
            self.assertIn(f"{name}: {why}", errors)

    def test_a_text_of_more_than_64_megabytes_is_refused(self):
        large = self.file("large.pgn", b"[")
        os.truncate(large, 30 << 30)  # Without a block on the disk.
        status, _, errors = program("replay", large)
        self.assertEqual(status, 1)
        self.assertIn("is longer than 64 MB: divide it", errors)

    def test_an_empty_configuration_of_a_run_is_damaged_and_repaired(self):
        run = self.folder / "run"
        shutil.copytree(pathlib.Path(__file__).parent.parent / "data/runs/makyek-2026-10", run)
        (run / "config.textproto").write_bytes(b"")
        trained = makzero("train", "makyek", "--run", run, "--minutes", "0.01")
        self.assertEqual(trained.returncode, 1)
        self.assertIn("config.textproto: is empty; `makzero fsck --repair` on the run takes it from a checkpoint",
                      trained.stderr)
        self.assertEqual(makzero("fsck", run).returncode, 1)
        makzero("fsck", run, "--repair")
        self.assertIn('game: "makyek"', (run / "config.textproto").read_text())


if __name__ == "__main__":
    unittest.main()
