#!/usr/bin/env python3
"""Real clients: XBoard, PyChess, Fairy-Stockfish as an opponent and as a reader of PGN, and a UCI session with every command."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from program import PATIENCE, PROGRAM, Training, makzero

GAMES = "/usr/games"  # Where Debian puts these programs, which is not always searched.
FAIRY = f"{GAMES}/fairy-stockfish"
FFISH = pathlib.Path(__file__).parents[2] / "build" / "ffish" / "node_modules" / "ffish"
CORPUS = pathlib.Path(__file__).parents[1] / "corpus"
PYCHESS = "/usr/lib/python3/dist-packages/pychess"
READ_PYCHESS = pathlib.Path(__file__).with_name("read_pychess.py")
READ_PGN = pathlib.Path(__file__).with_name("read_pgn.js")


def needs(*paths):
    """Skips where a program is not installed: `tests/run.sh install` installs all of them."""
    missing = [str(path) for path in paths if not (pathlib.Path(path).exists() or shutil.which(str(path)))]
    return unittest.skipIf(missing, "not installed: " + ", ".join(missing))


def read_by_ffish(files):
    run = subprocess.run(["node", str(READ_PGN), str(FFISH), *map(str, files)], capture_output=True, text=True,
                         timeout=PATIENCE)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


class ClientsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="makzero-")))
        cls.network = cls.folder / "run"
        training = Training(cls.network, "--generations=1", game="makruk")
        status, errors = training.finish()
        assert status == 0, errors

    def check_games(self, files):
        """ffish plays every game through, and what ended it is over for ffish too."""
        for file, read in zip(files, read_by_ffish(files), strict=True):
            with self.subTest(file=file.read_text()):
                self.assertTrue(read["legal"])
                ours = makzero("replay", file, "--to", "text").stdout
                moves = re.search(r"^moves ?(.*)$", ours, re.MULTILINE)[1].split()
                self.assertEqual(read["moves"], moves)
                result = re.search(r'\[Result "(.*)"\]', file.read_text())[1]
                reason = re.search(r'\[Termination "(.*)"\]', file.read_text())[1]
                if reason in ("checkmate", "stalemate"):
                    self.assertEqual(read["result"], result)

    @needs(FAIRY, FFISH, "node")
    def test_twenty_games_against_fairy_stockfish(self):
        games = self.folder / "fairy"
        run = makzero("match", "makruk", "--a", f"uci:{PROGRAM} uci makruk?nodes=24&WeightsFile={self.network}&timeout=30",
                      "--b", f"uci:{FAIRY}?nodes=200&timeout=30", "--games", "20", "--threads", "2", "--json",
                      "--save", games)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["games"], 20)
        files = sorted(games.glob("*.pgn"))
        self.assertEqual(len(files), 20)
        self.check_games(files)

    @needs(FFISH, "node")
    def test_ffish_reads_pgn_of_every_game_that_it_plays(self):
        for game in ["makruk", "cambodian", "karouk"]:
            games = self.folder / game
            run = makzero("match", game, "--a", "greedy", "--b", "random", "--games", "10", "--save", games)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.check_games(sorted(games.glob("*.pgn")))

    @needs(FFISH, "node")
    def test_ffish_reads_a_reviewed_game(self):
        games = self.folder / "to-review"
        run = makzero("match", "makruk", "--a", "greedy", "--b", "random", "--games", "2", "--save", games)
        self.assertEqual(run.returncode, 0, run.stderr)
        for file in sorted(games.glob("*.pgn")):
            reviewed = file.with_suffix(".reviewed")
            run = makzero("review", file, "--visits", "16", "--model", "material", "--output", reviewed)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertRegex(run.stdout, r"White: accuracy \d+ %; \d+ inaccuracies, \d+ mistakes, \d+ blunders")
            self.assertIn("[%eval ", reviewed.read_text())
            self.assertIn("was best.", reviewed.read_text())
            [plain], [annotated] = read_by_ffish([file]), read_by_ffish([reviewed])
            self.assertTrue(annotated["legal"])
            self.assertEqual(annotated, plain)

    @needs(PYCHESS)
    def test_pychess_reads_what_is_written_of_other_programs_files(self):
        for name in ["14_clk_eval", "15_lichess_eval", "25_nested", "playok-05", "playok-11", "47_mak_Q_promo"]:
            with self.subTest(name=name):
                written = self.folder / f"{name}.pgn"
                written.write_text(makzero("replay", CORPUS / f"{name}.pgn", "--to", "pgn").stdout)
                run = subprocess.run(["/usr/bin/python3", READ_PYCHESS, written], capture_output=True, text=True, timeout=PATIENCE,
                                     env={**os.environ, "HOME": str(self.folder)})
                self.assertEqual(run.returncode, 0, run.stderr)
                read = json.loads(run.stdout.splitlines()[-1])
                facts = json.loads((CORPUS / f"{name}.pgn.json").read_text())["games"][0]
                self.assertEqual(read["variant"], "MakrukBoard")
                self.assertEqual([move.replace("q", "m") for move in read["moves"]], [move["move"] for move in facts["moves"]])
                self.assertEqual(read["white"], dict(facts["tags"]).get("White", "?"))

    def test_games_without_pgn_are_saved_as_text_and_replayed(self):
        games = self.folder / "gala"
        self.assertEqual(makzero("match", "gala", "--a", "random", "--b", "random", "--games", "2", "--save", games).returncode, 0)
        for file in sorted(games.glob("*.txt")):
            shown = makzero("replay", file, "--all")
            self.assertEqual(shown.returncode, 0, shown.stderr)
            moves = len(re.search(r"^moves (.*)$", file.read_text(), re.MULTILINE)[1].split())
            self.assertIn(f"\n{moves}. ", shown.stdout)
            self.assertRegex(shown.stdout, r"\n(White wins|Black wins|Draw): .+\.\n")
        broken = self.folder / "broken.txt"
        broken.write_text("ruleset makyek\nmoves a3a9\n")
        self.assertEqual(makzero("replay", broken).returncode, 1)
        self.assertIn("up to a fault, 0 moves: line 2: move 'a3a9' is not legal", makzero("replay", broken).stderr)

    @needs(FAIRY, f"{GAMES}/xboard", f"{GAMES}/uci2wb", "Xvfb")
    def test_xboard_plays_a_whole_game_against_fairy_stockfish(self):
        engine = self.folder / "engine.sh"  # uci2wb starts a program without arguments.
        engine.write_text(f"#!/bin/sh\nexec '{PROGRAM}' uci makruk --short-variants --model '{self.network}'\n")
        engine.chmod(0o755)
        pgn = self.folder / "xboard.pgn"
        read_end, write_end = os.pipe()
        screen = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
                                  pass_fds=[write_end], stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (screen.kill(), screen.wait()))
        os.close(write_end)
        with os.fdopen(read_end) as display:
            number = display.readline().strip()
        log = self.folder / "xboard.log"
        environment = {**os.environ, "DISPLAY": f":{number}", "HOME": str(self.folder),
                       "PATH": f"{os.environ['PATH']}:{GAMES}"}
        # Nobody is called on time: XBoard and its adapter may take longer than the increment on a busy machine.
        xboard = subprocess.Popen(
            ["xboard", "-variant", "makruk", "-fcp", f"uci2wb {engine}", "-scp", FAIRY, "-fd", self.folder,
             "-sd", self.folder, "-matchGames", "1", "-tc", "0:06", "-inc", "0.05", "-saveGameFile", pgn,
             "-debug", "-nameOfDebugFile", log],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(lambda: (xboard.kill(), xboard.wait()))
        # XBoard appends the game when it is over, and stays open.
        deadline = time.monotonic() + PATIENCE
        while not (pgn.exists() and re.search(r"\} (1-0|0-1|1/2-1/2)\n", pgn.read_text())):
            self.assertIsNone(xboard.poll(), "XBoard ended")
            if time.monotonic() > deadline:
                self.fail(log.read_text(errors="replace")[-3000:])
            time.sleep(0.1)
        game = pgn.read_text()
        self.assertIn('[Variant "makruk"]', game)
        self.assertNotRegex(game, "(?i)illegal|invalid|forfeit|resign|disconnect|exited|on time")
        replayed = makzero("replay", pgn, "--all")
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        self.assertRegex(replayed.stdout, " wins: |Draw: |count: ")

    def test_a_uci_session_with_every_command(self):
        session = subprocess.Popen([PROGRAM, "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (session.kill(), session.wait(), session.stdin.close(), session.stdout.close()))

        def send(*lines):
            session.stdin.write("".join(line + "\n" for line in lines))
            session.stdin.flush()

        def read_until(start):
            lines = []
            while not lines or not lines[-1].startswith(start):
                line = session.stdout.readline()
                self.assertTrue(line, lines)
                lines.append(line.rstrip("\n"))
            return lines

        def best(*lines):
            send(*lines)
            told = read_until("bestmove ")
            self.assertRegex(told[-1], r"^bestmove [a-h][1-8][a-h][1-8]m?( ponder [a-h][1-8][a-h][1-8]m?)?$")
            return told

        send("uci")
        options = read_until("uciok")
        for name in ["UCI_Variant", "WeightsFile", "Device", "Threads", "Hash", "Seed", "MultiPV", "Ponder",
                     "Contempt", "Move Overhead", "UCI_ShowWDL", "Clear Hash"]:
            self.assertTrue(any(line.startswith(f"option name {name} type ") for line in options), name)
        send("debug on", "register later", "setoption name UCI_Variant value makruk",
             f"setoption name WeightsFile value {self.network}", "setoption name Device value cpu",
             "setoption name Threads value 1", "setoption name Hash value 64", "setoption name Seed value 7",
             "setoption name MultiPV value 2", "setoption name Ponder value true",
             "setoption name Move Overhead value 20", "setoption name UCI_ShowWDL value true",
             "setoption name Clear Hash", "ucinewgame", "isready")
        self.assertIn("generation", "".join(read_until("readyok")))
        told = best("position startpos", "go nodes 40")
        self.assertTrue(any(re.match(r"info depth \d+ seldepth \d+ multipv 2 score cp -?\d+ wdl \d+ \d+ \d+ nodes \d+ "
                                     r"nps \d+ hashfull \d+ time \d+ pv( [a-h][1-8][a-h][1-8]m?)+$", line) for line in told))
        best("position startpos moves e3e4 e6e5", "go depth 2")
        best("go movetime 30")
        best("go wtime 1000 btime 1000 winc 10 binc 10 movestogo 20")
        self.assertRegex(best("go searchmoves a3a4 b3b4 nodes 16")[-1], "^bestmove (a3a4|b3b4)")
        self.assertTrue(any(" score mate 1 " in line for line in
                            best("position fen 7k/R7/1R6/8/8/8/8/K7 w - - 0 1", "go mate 1")))
        self.assertTrue(best("position fen 4k3/8/8/4P3/8/8/R7/4K3 w - - 0 1", "go searchmoves e5e6m nodes 4")[-1]
                        .startswith("bestmove e5e6m"))
        send("position startpos", "go infinite", "isready")
        self.assertFalse([line for line in read_until("readyok") if line.startswith("bestmove")])
        best("stop")
        send("go ponder wtime 1000 btime 1000", "isready")
        self.assertFalse([line for line in read_until("readyok") if line.startswith("bestmove")])
        best("ponderhit")
        send("go ponder movetime 50")
        best("stop")
        send("d")
        read_until("moves 23 legal")
        send("go perft 3")
        self.assertEqual(read_until("nodes ")[-1], "nodes 12012")
        send("bench 5")
        self.assertIn("Nodes searched  : 25", read_until("Nodes/second"))
        send("\x00\x01 \xff", "position fen nonsense", "go")
        self.assertEqual(read_until("bestmove")[-1], "bestmove 0000")
        send("position startpos", "go infinite", "quit")
        self.assertEqual(session.wait(PATIENCE), 0)


if __name__ == "__main__":
    unittest.main()
