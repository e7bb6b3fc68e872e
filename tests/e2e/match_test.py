# `makzero match`: what scripts rely on.
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from program import PATIENCE, PROGRAM, makzero

KEYS = ["games", "wins", "draws", "losses", "score", "score_by_material", "elo", "elo_low", "elo_high"]


def match(*arguments):
    run = makzero("match", *arguments, "--json")
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return json.loads(run.stdout)


class MatchTest(unittest.TestCase):
    def test_json_has_the_keys_and_its_counts_add_up(self):
        result = match("makyek", "--a", "greedy", "--b", "random", "--games", "20")
        self.assertLessEqual(set(KEYS), set(result))
        self.assertEqual(result["games"], 20)
        self.assertEqual(result["wins"] + result["draws"] + result["losses"], 20)
        self.assertAlmostEqual(result["score"], (result["wins"] + result["draws"] / 2) / 20)
        self.assertLess(result["elo_low"], result["elo"])
        self.assertLess(result["elo"], result["elo_high"])

    def test_the_score_is_the_first_players(self):
        self.assertGreater(match("makyek", "--a", "greedy", "--b", "random", "--games", "20")["score_by_material"], 0.8)
        self.assertLess(match("makyek", "--a", "random", "--b", "greedy", "--games", "20")["score_by_material"], 0.2)

    def test_the_seed_fixes_the_match(self):
        def timeless(*arguments):
            return {key: value for key, value in match(*arguments).items() if not key.startswith("ms_per_move")}

        arguments = ["makruk", "--a", "alphabeta:1", "--b", "greedy", "--games", "6"]
        self.assertEqual(timeless(*arguments, "--seed", "7"), timeless(*arguments, "--seed", "7"))

    def test_both_players_use_their_processor_time_one_game_at_a_time(self):
        rules = "makyek:max_plies=60"
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "sent"
            engine = f"uci:tee {log} | {PROGRAM} uci {rules}?ms=20"
            result = match(rules, "--a", "alphabeta?ms=20", "--b", engine, "--games", "4", "--threads", "1")
            plies = [len(line.split()) for line in log.read_text().splitlines() if line.startswith("position ")]
        for player in "ab":
            self.assertGreater(result[f"ms_per_move_{player}"], 10)
            self.assertLess(result[f"ms_per_move_{player}"], 40)
        self.assertEqual(sum(later < earlier for earlier, later in zip(plies, plies[1:])), 3)

    def test_an_engine_is_told_of_a_new_game_once_a_game(self):
        rules = "makyek:max_plies=20"
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "sent"
            engine = f"uci:tee -a {log} | {PROGRAM} uci {rules}?nodes=8"
            match(rules, "--a", engine, "--b", "material:4", "--games", "6", "--threads", "2")
            sent = log.read_text().splitlines()
        self.assertEqual(sent.count("ucinewgame"), 6)
        self.assertGreater(sum(line.startswith("go ") for line in sent), 36)

    def wait_until_it_handles(self, process, number):
        deadline = time.monotonic() + PATIENCE
        caught = 0
        while not caught & (1 << (number - 1)):
            self.assertLess(time.monotonic(), deadline)
            status = pathlib.Path(f"/proc/{process}/status").read_text()
            caught = int(re.search(r"^SigCgt:\s*(\w+)", status, re.MULTILINE)[1], 16)
            time.sleep(0.05)

    def test_a_match_that_is_stopped_before_a_game_is_over_claims_no_score(self):
        arguments = ["match", "makruk", "--a", "alphabeta:6", "--b", "alphabeta:6", "--games", "2", "--threads", "1"]
        for more in [[], ["--json"]]:
            running = subprocess.Popen([PROGRAM, *arguments, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.wait_until_it_handles(running.pid, signal.SIGINT)
            time.sleep(0.5)  # Into the first game, which takes minutes.
            running.send_signal(signal.SIGINT)
            out, _ = running.communicate(timeout=60)
            self.assertEqual(running.returncode, 0)
            if more:
                result = json.loads(out)
                self.assertEqual(result["games"], 0)
                for key in ["score", "score_by_material", "elo", "elo_low", "elo_high"]:
                    self.assertIsNone(result[key], key)
            else:
                self.assertIn("nothing is known of the score", out)
                self.assertNotIn("%", out)

    def test_what_is_stopped_before_its_file_is_written_has_failed(self):
        with tempfile.TemporaryDirectory() as folder:
            to = ["--to", pathlib.Path(folder) / "made"]
            for command in [["openings", "makyek", "--judge", "alphabeta?ms=100", *to],
                            ["baseline", "makyek", "--player", "alphabeta?ms=100", "--judges", "alphabeta:1", *to],
                            ["book", "makyek", "--judge", "alphabeta", "--nodes", 10 ** 6, *to],
                            ["rules", "makyek", "--player", "alphabeta?ms=100", *to],
                            ["exam", "makyek", "alphabeta", "--ms", "100", *to,
                             "--openings", pathlib.Path(__file__).parents[2] / "models" / "openings" / "makyek-exam.txt"]]:
                with self.subTest(command=command[0]):
                    running = subprocess.Popen([PROGRAM, *map(str, command)], stdout=subprocess.PIPE,
                                               stderr=subprocess.PIPE, text=True)
                    self.wait_until_it_handles(running.pid, signal.SIGINT)
                    running.send_signal(signal.SIGINT)
                    out, errors = running.communicate(timeout=PATIENCE)
                    self.assertEqual((running.returncode, out), (1, ""), errors)
                    self.assertIn("stopping: ", errors)

    def test_openings_of_a_file_are_played_in_their_order(self):
        with tempfile.TemporaryDirectory() as folder:
            openings = pathlib.Path(folder) / "openings.txt"
            openings.write_text("startpos moves a3a4 h6h5 # the edge\n4k3/8/8/3n4/8/8/3R4/4K3 b - - 0 1\n")
            saved = pathlib.Path(folder) / "games"
            run = makzero("match", "makruk", "--a", "greedy", "--b", "random", "--games", "6",
                          "--openings", openings, "--save", saved)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("2 openings", run.stderr)
            games = [path.read_text() for path in sorted(saved.iterdir())]
        for number in [0, 1, 4, 5]:
            self.assertIn("1. a4 h5", games[number])
        for number in [2, 3]:
            self.assertIn('[FEN "4k3/8/8/3n4/8/8/3R4/4K3 b', games[number])

    def test_an_exam_is_for_published_matches(self):
        with tempfile.TemporaryDirectory() as folder:
            book = pathlib.Path(folder) / "exam.txt"
            made = makzero("openings", "makyek", "--judge", "alphabeta:1", "--openings", "3", "--level", "1", "--exam", "--to", book)
            self.assertEqual(made.returncode, 0, made.stderr)
            arguments = ["makyek", "--a", "random", "--b", "random", "--games", "6", "--openings", book]
            refused = makzero("match", *arguments)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("is kept for published matches: use another file, or --exam", refused.stderr)
            self.assertEqual(match(*arguments, "--exam")["games"], 6)

    def test_every_ruleset_and_built_in_player_plays(self):
        rulesets = re.findall(r"^(\S+)  \(", makzero("games").stdout, re.MULTILINE)
        self.assertGreaterEqual(len(rulesets), 22)
        for ruleset in rulesets:
            with self.subTest(ruleset=ruleset):
                self.assertEqual(match(ruleset, "--a", "alphabeta:1", "--b", "random", "--games", "2")["games"], 2)
        self.assertEqual(match("makruk", "--a", "rollout:4", "--b", "random", "--games", "2")["games"], 2)

    def test_the_program_plays_itself_through_uci(self):
        for ruleset in ["makruk", "gala", "makruk-sutra", "hunt:chain=on", "makyek:custodian_total=one"]:
            with self.subTest(ruleset=ruleset):
                engine = f"uci:{PROGRAM} uci {ruleset}?nodes=8"
                self.assertEqual(match(ruleset, "--a", engine, "--b", "random", "--games", "2")["games"], 2)

    def test_titles_and_usual_spellings_name_a_game(self):
        arguments = ["--a", "greedy", "--b", "random", "--games", "2", "--seed", "7"]
        named, usual = match("Ok Chaktrang", *arguments), match("ok", *arguments)
        for result in (named, usual):
            del result["ms_per_move_a"], result["ms_per_move_b"]  # Measured.
        self.assertEqual(named, usual)
        for name in "Thai chess", "หมากรุก", "អុកថៃ (ម៉ាក្រុក)":
            self.assertEqual(makzero("games", name).stdout, makzero("games", "makruk").stdout)
        self.assertEqual(makzero("perft", "หมากแยก:jump=on", "2").stdout, makzero("perft", "makyek-jump", "2").stdout)

    def test_wrong_use_is_status_2_with_a_hint(self):
        for arguments, hint in [
            (["makyek", "--a", "gredy", "--b", "random"], "greedy"),
            (["makyk", "--a", "greedy", "--b", "random"], "makyek"),
            (["makyek", "--a", "alphabeta:0", "--b", "random"], "a depth from 1 to 64"),
            (["makyek", "--a", "greedy"], "--b"),
        ]:
            with self.subTest(arguments=arguments):
                run = makzero("match", *arguments, "--json")
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn(hint, run.stderr)
                self.assertEqual(run.stdout, "")

    def test_a_failing_engine_is_status_1_and_named(self):
        run = makzero("match", "makyek", "--a", "uci:false", "--b", "random", "--games", "2")
        self.assertEqual(run.returncode, 1)
        self.assertIn("false", run.stderr)


if __name__ == "__main__":
    unittest.main()
