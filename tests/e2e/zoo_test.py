# The zoo as a user meets it: a network is published into it, then every command plays with it where none is named.
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.request

from program import PATIENCE, PROGRAM, Training, makzero

SOURCES = pathlib.Path(__file__).parents[2]


class ZooTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="makzero-")))
        cls.zoo = cls.folder / "zoo"
        status, errors = Training(cls.folder / "run", "--generations=2").finish()
        assert status == 0, errors
        published = makzero("publish", cls.folder / "run", "--zoo", cls.zoo, "--opponent", "random", "--games", "2",
                            "--simulations", "2")
        assert published.returncode == 0, published.stderr
        cls.id = json.loads(makzero("inspect", "--json", cls.zoo / "makyek/network.mzc").stdout)["tower"]["network"]
        cls.name = re.search("(?m)^  name +(.*)", makzero("inspect", cls.zoo / "makyek/network.mzc").stdout)[1]
        os.environ["MAKZERO_ZOO"] = str(cls.zoo)

    def run_in_empty_folder(self, *arguments, text=""):
        folder = self.folder / "empty"
        folder.mkdir(exist_ok=True)
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=folder, input=text,
                              timeout=PATIENCE)

    def test_check_says_what_was_changed(self):
        for what in [self.zoo, f"{self.zoo}/makyek/"]:
            check = makzero("publish", "--check", what)
            self.assertEqual((check.returncode, check.stdout), (0, f"{what}: all is as published\n"))
        path = self.zoo / "makyek/config.textproto"
        truth = path.read_text()
        self.addCleanup(path.write_text, truth)
        path.write_text(truth.replace('game: "makyek"', 'game: "rek"'))
        check = makzero("publish", "--check")
        self.assertEqual(check.returncode, 1)
        self.assertEqual(check.stdout, "makyek: config.textproto trains 'rek'\n")

    def test_the_model_card_is_json(self):
        card = json.loads(makzero("inspect", "--json", "makyek").stdout)
        self.assertEqual((card["ruleset"], card["model"]), ("makyek", self.id))
        self.assertRegex(self.name, f"^makyek-1x8-r[0-9]+-{self.id[:6]}$")
        training = card["tower"]["training"]
        self.assertRegex(training["command"], "^makzero train makyek --preset quick --")
        self.assertRegex(training["data_hash"], "^[0-9a-f]{16}$")
        self.assertEqual(training["device"], "cpu")
        self.assertEqual([(match["opponent"], match["games"]) for match in card["matches"]], [("random", 2)])
        self.assertEqual(len(card["positions"]), 8)
        none = makzero("inspect", "--json", self.folder / "run")
        self.assertEqual(none.returncode, 1)
        self.assertIn("has no model card", none.stderr)

    def test_play_takes_it_where_none_is_named(self):
        play = self.run_in_empty_folder("play", "makyek", "--simulations", "2", text="a3a4\nquit\n")
        self.assertEqual(play.returncode, 0, play.stderr)
        self.assertIn(f"Opponent: MakZero (network {self.name}, generation 2, of the zoo)", play.stdout)

    def test_play_says_that_other_rulesets_are_unknown_to_it(self):
        for ruleset in ["makyek:jump=on", "rek"]:
            play = self.run_in_empty_folder("play", ruleset, text="quit\n")
            self.assertIn(f"No network in runs/{ruleset}, and the zoo plays makyek without options: alpha-beta by material plays.",
                          play.stdout)
            named = self.run_in_empty_folder("play", ruleset, "--model", "zoo", text="quit\n")
            self.assertEqual(named.returncode, 1)
            self.assertIn(f"the zoo has no network for '{ruleset}'", named.stderr)

    def test_play_prefers_the_run_of_the_folder(self):
        (self.folder / "own/runs").mkdir(parents=True)
        (self.folder / "own/runs/makyek").symlink_to(self.folder / "run")
        play = subprocess.run([PROGRAM, "play", "makyek"], capture_output=True, text=True, input="quit\n",
                              cwd=self.folder / "own", timeout=PATIENCE)
        self.assertIn(f"network {self.name}, generation", play.stdout)

    def test_uci_follows_the_variant(self):
        script = "isready\nsetoption name UCI_Variant value makyek:jump=on\nisready\n" \
                 "setoption name UCI_Variant value makyek\nsetoption name WeightsFile value none\nisready\n"
        players = re.findall("info string (.*)", self.run_in_empty_folder("uci", "makyek", text=script).stdout)
        self.assertIn(f"player: MakZero (network {self.name}, generation 2, of the zoo)", players[0])
        self.assertIn("player: alpha-beta by material", players[1])
        self.assertIn("the zoo plays makyek without options", players[2])
        self.assertIn("player: alpha-beta by material", players[3])

    def test_analysis_takes_it_for_each_query(self):
        queries = [{"id": "with", "game": "makyek", "maxVisits": 2}, {"id": "without", "game": "rek", "maxVisits": 2},
                   {"id": "named", "game": "rek", "player": "zoo"}]
        text = "".join(json.dumps(query) + "\n" for query in queries)
        lines = self.run_in_empty_folder("analysis", text=text).stdout.splitlines()
        answers = {answer["id"]: answer for answer in map(json.loads, lines)}
        self.assertIn("rawWdl", answers["with"]["rootInfo"])
        self.assertNotIn("rawWdl", answers["without"]["rootInfo"])
        self.assertIn("the zoo has no network for 'rek'", answers["named"]["error"])

    def test_games_doctor_and_inspect_name_it(self):
        games = makzero("games").stdout
        self.assertEqual(re.findall(r"^(\S+)  \((?:(?!\n\S).|\n(?=  ))*\n  zoo     (\S+)$", games, re.MULTILINE),
                         [("makyek", self.id)])
        self.assertIn(self.id, makzero("games", "makyek").stdout)
        self.assertNotIn(self.id, makzero("games", "makyek:jump=on").stdout)
        self.assertIn(f"networks for makyek in '{self.zoo}'", makzero("doctor").stdout)
        self.assertIn(self.id, self.run_in_empty_folder("inspect", "makyek").stdout)

    def test_a_match_knows_it_by_its_word(self):
        match = self.run_in_empty_folder("match", "makyek", "--a", "zoo:2", "--b", "random", "--games", "2")
        self.assertTrue(match.stdout.startswith("zoo:2 v random: 2 games"), match.stdout)  # As it was typed.
        self.assertIn(f"\na: zoo:2 is {self.id}:2\n", match.stdout)
        match = self.run_in_empty_folder("match", "makyek", "--a", "zoo?ms=2", "--b", "random", "--games", "2")
        self.assertIn(f"\na: zoo?ms=2 is {self.id}?ms=2\n", match.stdout)
        self.assertIn("the zoo has no network for 'rek'",
                      self.run_in_empty_folder("match", "rek", "--a", "zoo", "--b", "random").stderr)

    def test_a_game_can_be_exported(self):
        out = self.folder / "exported"
        export = self.run_in_empty_folder("export", "makyek", "--to", "onnx", "--out", out)
        self.assertEqual(export.returncode, 0, export.stderr)
        self.assertEqual(json.loads((out / "net.json").read_text())["checkpoint"], self.id)
        self.assertIn("the zoo has no network for 'rek'",
                      self.run_in_empty_folder("export", "rek", "--out", out).stderr)

    def test_the_server_offers_it(self):
        server = subprocess.Popen([PROGRAM, "serve", "--port=0", "--runs", str(self.folder / "empty")],
                                  stdout=subprocess.PIPE, text=True)
        try:
            url = server.stdout.readline().split()[1]
            players = json.load(urllib.request.urlopen(url + "api/players?game=makyek", timeout=PATIENCE))
            self.assertEqual(players[0]["player"], "zoo:makyek")
            self.assertEqual(players[0]["kind"], "network")
            for other in ["makyek%3Ajump%3Don", "rek"]:
                players = json.load(urllib.request.urlopen(url + f"api/players?game={other}", timeout=PATIENCE))
                self.assertEqual(players[0]["kind"], "alphabeta", other)
            query = json.dumps({"game": "makyek", "player": "zoo:makyek", "maxVisits": 2}).encode()
            request = urllib.request.Request(url + "api/search", query, {"Content-Type": "application/json"})
            self.assertIn(b"rawWdl", urllib.request.urlopen(request, timeout=PATIENCE).read())
        finally:
            server.terminate()
            server.wait(PATIENCE)
            server.stdout.close()

    def test_an_installed_program_brings_its_zoo(self):
        prefix = self.folder / "installed"
        (prefix / "bin").mkdir(parents=True)
        (prefix / "bin/makzero").write_bytes(pathlib.Path(PROGRAM).read_bytes())
        (prefix / "bin/makzero").chmod(0o755)
        (prefix / "share/makzero").mkdir(parents=True)
        (prefix / "share/makzero/zoo").symlink_to(self.zoo)
        environment = {name: value for name, value in os.environ.items() if name != "MAKZERO_ZOO"}
        doctor = subprocess.run([prefix / "bin/makzero", "doctor"], capture_output=True, text=True, env=environment,
                                timeout=PATIENCE)
        self.assertIn(f"networks for makyek in '{prefix}/share/makzero/zoo'", doctor.stdout)


class ZooOfTheProgramTest(unittest.TestCase):
    def test_other_rulesets_have_the_levels_of_their_game(self):
        with tempfile.TemporaryDirectory(prefix="makzero-") as folder:
            server = subprocess.Popen([PROGRAM, "serve", "--port=0", "--runs", folder], stdout=subprocess.PIPE,
                                      text=True, env=os.environ | {"MAKZERO_ZOO": str(SOURCES / "models/zoo")})
            try:
                url = server.stdout.readline().split()[1]
                for ruleset, network, game in [("kaok", "zoo:kaok", None), ("karouk", "zoo:chess", "Ka Ok")]:
                    players = json.load(urllib.request.urlopen(url + f"api/players?game={ruleset}", timeout=PATIENCE))
                    self.assertEqual([player["player"] for player in players[:2]], ["small", network])
                    self.assertEqual([[level.get("measuredIn") for level in player["levels"]] for player in players[:2]],
                                     [[None] * 10, [game] * 10])
                for game in sorted(folder.name for folder in (SOURCES / "models/zoo").iterdir() if (folder / "network.mzc").exists()):
                    if game in ("chess", "custodial"):
                        continue
                    best = json.load(urllib.request.urlopen(url + f"api/players?game={game}", timeout=PATIENCE))[0]
                    self.assertEqual([level["level"] for level in best["levels"]], list(range(1, 11)), game)
            finally:
                server.terminate()
                server.wait(PATIENCE)
                server.stdout.close()

    def test_a_game_names_its_model_also_where_that_has_no_tower(self):
        for game, has_tower in [("rek", False), ("makruk", True)]:
            inspect = subprocess.run([PROGRAM, "inspect", "--json", game], capture_output=True, text=True, timeout=PATIENCE,
                                     env=os.environ | {"MAKZERO_ZOO": str(SOURCES / "models/zoo")})
            card = json.loads(inspect.stdout)
            self.assertEqual((card["small_networks"][0]["game"], "tower" in card), (game, has_tower))

    def test_an_exported_small_network_has_its_levels(self):
        with tempfile.TemporaryDirectory(prefix="makzero-") as folder:
            exported = subprocess.run([PROGRAM, "export", "makyek", "--to", "small", "--out", folder + "/makyek"], timeout=PATIENCE,
                                      env=os.environ | {"MAKZERO_ZOO": str(SOURCES / "models/zoo")}, stdout=subprocess.DEVNULL)
            self.assertEqual(exported.returncode, 0)
            levels = json.loads(pathlib.Path(folder, "makyek/net.json").read_text())["levels"]
            self.assertEqual([level["level"] for level in levels], list(range(1, 11)))
            self.assertEqual([set(level) for level in levels], [{"level", "positions", "temperature", "elo"}] * 10)

    def test_a_training_of_ones_own_comes_behind_the_measured_network(self):
        with tempfile.TemporaryDirectory(prefix="makzero-") as folder:
            status, errors = Training(pathlib.Path(folder) / "own", "--generations=1").finish()
            self.assertEqual(status, 0, errors)
            server = subprocess.Popen([PROGRAM, "serve", "--port=0", "--runs", folder], stdout=subprocess.PIPE,
                                      text=True, env=os.environ | {"MAKZERO_ZOO": str(SOURCES / "models/zoo")})
            try:
                url = server.stdout.readline().split()[1]
                players = json.load(urllib.request.urlopen(url + "api/players?game=makyek", timeout=PATIENCE))
                self.assertEqual([player["player"] for player in players[:2]], ["small", "own"])
            finally:
                server.terminate()
                server.wait(PATIENCE)
                server.stdout.close()


class LearningPageTest(unittest.TestCase):
    def test_its_table_of_small_networks_says_what_their_model_cards_say(self):
        page = (SOURCES / "train/LEARNING.md").read_text()
        section = page[page.index("\n## At equal time\n"):page.index("\n### Against other programs\n")]
        told = re.findall(r"^\| ([a-z].*) \|$", section, re.MULTILINE)[1:]  # Behind the heads of the columns.
        cards = [json.loads(makzero("inspect", "--json", path).stdout)
                 for path in (SOURCES / "models/zoo").glob("*/network.mzc") if path.parent.name not in ("chess", "custodial")]
        self.assertEqual(sorted(told),
                         sorted(self.row(card["ruleset"], match) for card in cards for match in card["matches"]
                                if match["network"] == card["small_networks"][0]["network"]))

    def row(self, game, match):
        def score(name):
            low, high = (round(100 * match[name][end]) for end in ("low", "high"))
            return f"{100 * match[name]['share']:.1f} % ({low} to {high})"

        pairs = score("by_pairs") if "by_pairs" in match else ""
        return (f"{game} | {match['opponent']} | {match['games']} | {match['wins']} | {match['draws']} | {match['losses']}"
                f" | {score('by_rules')} | {score('by_material')} | {pairs} | {match['captures_per_game']:.1f}"
                f" | {match['great_leads']['won']} of {match['great_leads']['led']}")


class TrainScriptTest(unittest.TestCase):
    """Its arguments; a program that only says how it is called stands for the training."""

    def run_script(self, *arguments):
        with tempfile.TemporaryDirectory(prefix="makzero-") as folder:
            sources = pathlib.Path(folder)
            (sources / "models/zoo/gala").mkdir(parents=True)
            (sources / "models/zoo/gala/config.textproto").write_text("game: \"gala\"\n")
            (sources / "models/zoo/train.sh").write_text((SOURCES / "models/zoo/train.sh").read_text())
            program = sources / "program"
            program.write_text("#!/bin/sh\necho \"$@\"\n")
            program.chmod(0o755)
            run = subprocess.run(["bash", sources / "models/zoo/train.sh", *arguments], capture_output=True, text=True,
                                 cwd=folder, env=os.environ | {"MAKZERO": str(program)}, timeout=PATIENCE)
            config = sources / "runs/zoo/gala/config.textproto"
            return run, config.read_text() if config.exists() else None

    def test_it_trains_from_the_configuration_and_certifies(self):
        for arguments, zoo in [([], "runs/zoo/published"), (["gala", "--into", "there"], "there"),
                               (["--into=there"], "there")]:
            run, config = self.run_script(*arguments)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual([line for line in run.stdout.splitlines() if not line.startswith("===")],
                             ["train gala --run runs/zoo/gala", f"publish runs/zoo/gala --zoo {zoo}"])
            self.assertEqual(config, "game: \"gala\"\n")

    def test_wrong_use_is_status_2(self):
        for arguments, why in [(["rek"], "the zoo has gala"), (["--fast"], "unknown flag '--fast'"),
                               (["--into"], "--into needs a folder")]:
            run, config = self.run_script(*arguments)
            self.assertEqual(run.returncode, 2)
            self.assertIn(why, run.stderr)
            self.assertIsNone(config)


if __name__ == "__main__":
    unittest.main()
