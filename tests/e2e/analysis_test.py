#!/usr/bin/env python3
"""`makzero analysis`: answers that the schema allows, out of order, by priority, early ends, errors as data."""
import copy
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

from api import API, TEXT, validator
from program import PATIENCE, PROGRAM, Training, makzero


class Session:
    """A running `makzero analysis`; every line is held against the schema."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([PROGRAM, "analysis", *map(str, arguments)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, *queries):
        for query in queries:
            self.process.stdin.write((query if isinstance(query, str) else json.dumps(query)) + "\n")
        self.process.stdin.flush()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError("the program ended")
        answer = json.loads(line)
        validator("AnswerLine").validate(answer)
        return answer

    def finish(self):
        """The end of the input; the answers until the program ends."""
        self.process.stdin.close()
        answers = [json.loads(line) for line in self.process.stdout]
        for answer in answers:
            validator("AnswerLine").validate(answer)
        self.process.stdout.close()
        assert self.process.wait(PATIENCE) == 0
        return answers


def analyse(*queries, arguments=()):
    session = Session(*arguments)
    session.ask(*queries)
    return session.finish()


class AnalysisTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.network = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="makzero-"))) / "run"
        status, errors = Training(cls.network, "--generations=1").finish()
        assert status == 0, errors

    def session(self, *arguments):
        session = Session(*arguments)
        self.addCleanup(lambda: (session.process.kill(), session.process.wait(), session.process.stdin.close(),
                                 session.process.stdout.close()))
        return session

    def test_the_turns_of_a_game_are_answered_each(self):
        query = {"id": "game", "moves": ["a3a5", "a6a7", "h3h4"], "analyzeTurns": [0, 2, 3], "maxVisits": 20}
        validator("QueryLine").validate(query)
        answers = analyse(query, arguments=["makyek", "--model", self.network])
        self.assertEqual(sorted(answer["turnNumber"] for answer in answers), [0, 2, 3])
        movers = {answer["turnNumber"]: answer["rootInfo"]["toMove"] for answer in answers}
        self.assertEqual(movers, {0: "white", 2: "white", 3: "black"})
        self.assertEqual({answer["id"] for answer in answers}, {"game"})

    def test_endings_give_every_move_its_exact_value(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, {"MAKZERO_ENDINGS": folder}):
            self.assertEqual(makzero("endings", "gala").returncode, 0)
            network = pathlib.Path(__file__).parents[2] / "models" / "zoo" / "gala" / "network.mzc"
            query = {"id": "won", "start": "7/7/7/7/1M5/1m1M3/7 w"}
            for key in "on", "off":
                [answer] = analyse(query, arguments=["gala", "--model", f"{network}:4?network=small&endings={key}"])
                groups = answer.get("exactMoves", [])
                self.assertEqual(bool(groups), key == "on")
                if groups:
                    self.assertEqual((groups[0]["text"], groups[0]["plies"]), ("win in 4", 7))
                    self.assertIn(answer["best"], [each["move"] for each in groups[0]["moves"]])
                    self.assertGreater(len(groups), 1)

    def test_turns_that_are_not_there_are_refused(self):
        over = {"start": "8/8/8/2Mm4/8/8/8/4M3 w", "moves": ["e1e5"]}
        for query, why in [({"analyzeTurns": [2], "moves": ["a3a5"]}, "from 0 to 1"), ({"analyzeTurns": []}, "from 0 on"),
                           ({"analyzeTurns": [0, 0]}, "different"), ({"analyzeTurns": ["0"]}, "different"),
                           ({"analyzeTurns": [0, 1], **over}, "the game is over")]:
            with self.subTest(query=query):
                [answer] = analyse({"id": "x", **query}, arguments=["makyek", "--model", self.network])
                self.assertEqual(answer["field"], "analyzeTurns")
                self.assertIn(why, answer["error"])
        [answer] = analyse({"id": "x", "analyzeTurns": [0], **over}, arguments=["makyek", "--model", self.network])
        self.assertEqual(answer["turnNumber"], 0)

    def test_many_positions_of_a_network_are_answered_in_full(self):
        queries = [{"id": str(i), "moves": ["a3a5", "a6a7", "h3h4"][:i % 4], "maxVisits": 20 + i, "includePolicy": True,
                    "includeTree": True} for i in range(24)]
        for query in queries:
            validator("QueryLine").validate(query)
        answers = {answer["id"]: answer for answer in analyse(*queries, arguments=["makyek", "--model", self.network])}
        self.assertEqual(len(answers), 24)
        for query in queries:
            answer = answers[query["id"]]
            self.assertEqual(answer["rootInfo"]["visits"], query["maxVisits"])
            self.assertEqual(sum(info["visits"] for info in answer["moveInfos"]), query["maxVisits"])
            self.assertAlmostEqual(sum(entry["prior"] for entry in answer["policy"]), 1, delta=0.002)
            self.assertEqual(answer["best"], answer["moveInfos"][0]["move"])
            self.assertEqual(sum(branch["visits"] for branch in answer["tree"]), query["maxVisits"])

    def test_a_position_is_judged_the_same_alone_and_in_company(self):
        query = {"id": "x", "moves": ["a3a5"], "maxVisits": 50}
        company = [{"id": str(i), "moves": ["b3b5"], "maxVisits": 30 + i} for i in range(10)]
        arguments = ["makyek", "--model", self.network]
        alone = analyse(query, arguments=arguments)[0]
        beside = next(answer for answer in analyse(*company, query, arguments=arguments) if answer["id"] == "x")
        self.assertEqual([info["visits"] for info in alone["moveInfos"]], [info["visits"] for info in beside["moveInfos"]])

    def test_short_searches_overtake_long_ones_and_terminate_ends_those(self):
        session = self.session("makyek", "--model", self.network)
        session.ask({"id": "long", "maxVisits": 10**9, "reportDuringSearchEvery": 0.05})
        self.assertTrue(session.read()["isDuringSearch"])
        session.ask({"id": "short", "maxVisits": 5})
        while (answer := session.read())["id"] != "short":
            self.assertTrue(answer["isDuringSearch"])
        session.ask({"id": "end", "action": "terminate", "terminateId": "long"})
        while (answer := session.read()).get("isDuringSearch") is not False:
            pass
        self.assertEqual(answer["id"], "long")
        self.assertEqual(session.finish(), [])

    def test_terminate_all_answers_every_query(self):
        session = self.session("makyek", "--model", self.network, "--together", "2")
        session.ask(*[{"id": str(i), "maxVisits": 10**9} for i in range(5)], {"action": "terminate_all"})
        answers = session.finish()
        self.assertEqual(sorted(answer["id"] for answer in answers if "id" in answer), ["0", "1", "2", "3", "4"])

    def test_a_higher_priority_is_searched_first(self):
        session = self.session("makyek", "--model", self.network, "--together", "1")
        session.ask({"id": "first", "maxVisits": 10**9, "reportDuringSearchEvery": 0.05})
        session.read()
        session.ask(*[{"id": f"low{i}", "maxVisits": 4, "priority": 1} for i in range(3)],
                    {"id": "high", "maxVisits": 400, "priority": 2, "reportDuringSearchEvery": 0.01})
        order = []
        while len(order) < 4:
            answer = session.read()
            if not answer["isDuringSearch"]:
                order.append(answer["id"])
        # Those that wait when "high" arrives come after it, in the order of their arrival.
        self.assertEqual([name for name in order if name != "high"], ["low0", "low1", "low2"])
        session.ask({"action": "terminate_all"})
        session.finish()

    def test_other_games_and_players_in_one_session(self):
        queries = [{"id": "gala", "game": "gala", "player": "material", "maxVisits": 30},
                   {"id": "makruk", "game": "makruk", "player": "alphabeta:2", "lines": 3},
                   {"id": "makyek", "maxVisits": 10}]
        answers = {answer["id"]: answer for answer in analyse(*queries, arguments=["makyek", "--model", self.network])}
        self.assertEqual(answers["gala"]["best"], "@d4")
        self.assertEqual(len(answers["makruk"]["moveInfos"]), 3)
        self.assertIn("rawWdl", answers["makyek"]["rootInfo"])

    def test_only_the_moves_asked_for(self):
        answer, = analyse({"id": "1", "game": "makyek", "player": "material", "searchMoves": ["a3a4", "b3b4"], "maxVisits": 20})
        self.assertEqual({info["move"] for info in answer["moveInfos"]}, {"a3a4", "b3b4"})

    def test_what_is_wrong_is_told_as_data(self):
        table = [
            ("not JSON", None, "not JSON"), ("[1]", None, "JSON object"), ("null", None, "JSON object"),
            ({"id": "a", "game": "makyik"}, "game", "did you mean 'makyek'?"), ({"game": "makyek"}, "id", "'id' must be"),
            ({"id": "a", "maxVisit": 3}, "maxVisit", "did you mean 'maxVisits'?"),
            ({"id": "a", "maxVisits": 0}, "maxVisits", "from 1 to"), ({"id": "a", "maxVisits": 1e300}, "maxVisits", "whole"),
            ({"id": "a", "maxVisits": 2**63}, "maxVisits", "whole"), ({"id": "a", "maxTimeMs": "1"}, "maxTimeMs", "whole"),
            ({"id": "a", "lines": -1}, "lines", "from 0 to"), ({"id": "a", "priority": []}, "priority", "whole number"),
            ({"id": "a", "includePolicy": 1}, "includePolicy", "true or false"),
            ({"id": "a", "moves": ["e2e4"]}, "moves", "move 1"), ({"id": "a", "searchMoves": []}, "searchMoves", "list"),
            ({"id": "a", "searchMoves": ["a1a9"]}, "searchMoves", "not legal"),
            ({"id": "a", "reportDuringSearchEvery": 0}, "reportDuringSearchEvery", "seconds"),
            ({"id": 7}, "id", "must be a text"), ({"id": "a", "player": "no/such.mzc"}, "player", "no/such.mzc"),
            ({"id": "a", "player": "alphabeta:x"}, "player", "did you mean 'alphabeta'?"),
            ({"id": "a", "player": "", "level": 3}, "level", "its levels are not measured"),
            ({"id": "a", "action": "stop"}, "action", "one of [\"clear_cache\""),
            ({"id": "a", "action": "terminate"}, "terminateId", "must be the id"),
            ({"id": "a", "action": "terminate", "terminateId": 1}, "terminateId", "must be the id"),
            ({"id": "a", "moves": [["b", "a3a5"]]}, "moves", "move 1: it is White's turn, not Black's"),
            ({"id": "a", "moves": [["w", "a3a5"], ["x", "a6a5"]]}, "moves", "move 2: must be a text"),
            ({"id": "a", "moves": [["w", "a3a5", "b"]]}, "moves", "must be a list of moves"),
            ({"id": "a", "initialPosition": "junk"}, "initialPosition", "needs 8"),
            ({"id": "a", "initialPosition": "junk", "start": "junk"}, "initialPosition", "another name of 'start'"),
            ({"id": "a", "initialPlayer": "B"}, "initialPlayer", "is not the side to move"),
            ({"id": "a", "initialPlayer": "red"}, "initialPlayer", "one of ["),
            ({"id": "a", "initialStones": [["B", "Q4"]]}, "initialStones", "write the position as 'initialPosition'"),
            ({"id": "a", "rules": "tromp-taylor"}, "rules", "unknown game 'tromp-taylor'"),
            ({"id": "a", "rules": {"ko": "SIMPLE"}}, "rules", "must be a ruleset"),
            ({"id": "a", "boardXSize": 19}, "boardXSize", "'boardXSize' of makyek is 8"),
            ({"id": "a", "avoidMoves": [{"player": "W", "moves": ["a3a4"], "untilDepth": 2}]}, "avoidMoves", "untilDepth is 1"),
            ({"id": "a", "avoidMoves": [{"moves": ["a3a4"]}]}, "avoidMoves", "must be a list of {"),
            ({"id": "a", "allowMoves": [{"player": "W", "moves": ["a1a9"]}]}, "allowMoves", "not legal"),
            ({"id": "a", "searchMoves": ["a3a4"], "avoidMoves": [{"player": "W", "moves": ["a3a4"]}]}, "avoidMoves",
             "leaves no move"),
            ({"id": "a", "moves": ["a3a5"], "analyzeTurns": [0, 1], "searchMoves": ["b3b5"]}, "searchMoves", "of one position"),
            ({"id": "a", "moves": ["a3a5"], "analyzeTurns": [0, 1], "priorities": [1]}, "priorities", "one number for each"),
            ({"id": "a", "priority": 1, "priorities": [1]}, "priorities", "in place of 'priority'"),
            ({"id": "a", "priority": 2**64 - 1}, "priority", "whole number"),
            ({"id": "a", "overrideSettings": {"maxVisits": "3"}}, "overrideSettings", "'maxVisits' must be a whole number"),
            ({"id": "a", "overrideSettings": []}, "overrideSettings", "an object of settings"),
            ('{"id": "a", "x": ' + "[" * 200_000 + "]" * 200_000 + "}", None, "levels of nesting"),
        ]
        session = self.session("makyek", "--model", "alphabeta:1")
        for query, field, why in table:
            with self.subTest(query=query):
                session.ask(query)
                answer = session.read()
                self.assertIn(why, answer["error"])
                self.assertEqual(answer.get("field"), field)
                if not isinstance(query, str):
                    self.assertFalse(validator("QueryLine").is_valid(query) and field in ("id", "maxVisit", "lines", "priority"))
                    self.assertEqual(answer.get("id"), query["id"] if isinstance(query.get("id"), str) else None)
        self.assertEqual(session.finish(), [])

    def test_the_queries_of_katagos_clients(self):
        start, bare = "4k3/8/8/4P3/8/8/R7/4K3 b - - 0 1", {"maxVisits": 40}
        queries = [
            {"id": "pairs", "moves": [["w", "c3c4"], ["B", "f6f5"]], **bare},
            {"id": "position", "initialPosition": start, "initialPlayer": "B", "moves": [["b", "Kd7"]], **bare},
            {"id": "avoid", "avoidMoves": [{"player": "W", "moves": ["d1c2", "Ke2"], "untilDepth": 1},
                                           {"player": "B", "moves": ["c6c5"], "untilDepth": 1}], **bare},
            {"id": "allow", "allowMoves": [{"player": "W", "moves": ["c4", "d3d4"], "untilDepth": 1}], **bare},
            {"id": "settings", "overrideSettings": {"maxVisits": 30, "maxTime": 1000, "reportAnalysisWinratesAs": "BLACK"},
             "maxVisits": 10**9, "initialPosition": "1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"},
            {"id": "visits", "includePVVisits": True, **bare},
            {"id": "turns", "moves": [["w", "c4"], ["b", "c5"]], "analyzeTurns": [0, 1, 2], "priorities": [1, 9, 5], **bare},
            {"id": "san", "moves": ["Nd2", "f5", "Kc2"], **bare},
            {"id": "first", "priority": 100, "includePolicy": True, **bare},
            {"id": "reports", "reportDuringSearchEvery": 0.01, "maxVisits": 10**9},
            {"id": "rules", "rules": "makruk", "boardXSize": 8, "boardYSize": 8, "initialStones": [], **bare},
        ]
        session = self.session("makruk", "--model", "material")
        for query in queries:
            validator("QueryLine").validate(query)
        session.ask(*queries)
        done = {}
        while len(done) < len(queries) + 1:  # A turn each, and those of two more; "reports" goes on.
            answer = session.read()
            if answer["isDuringSearch"]:
                self.assertEqual(answer["id"], "reports")
            else:
                done[answer["id"], answer["turnNumber"]] = answer
        self.assertEqual({turn for name, turn in done if name == "turns"}, {0, 1, 2})

        def moves(name):
            return {info["move"] for info in done[name, 0]["moveInfos"]}

        self.assertEqual([done[at]["rootInfo"]["currentPlayer"] for at in [("pairs", 2), ("position", 1), ("san", 3)]],
                         ["W", "W", "B"])
        self.assertTrue(moves("first") >= {"d1c2", "d1e2"})
        self.assertFalse(moves("avoid") & {"d1c2", "d1e2"})
        self.assertEqual(moves("allow"), {"c3c4", "d3d4"})
        self.assertEqual(moves("rules"), moves("first"))
        black = done["settings", 0]
        self.assertEqual(black["rootInfo"]["visits"], 30)
        for values in [black["rootInfo"], black["moveInfos"][0]]:  # White, who moves, is a rook ahead.
            self.assertLess(values["winrate"], 0.5)
            self.assertAlmostEqual(values["utility"], values["wdl"][0] - values["wdl"][2], places=4)
        self.assertLess(black["moveInfos"][0]["centipawns"], 0)
        for info in done["visits", 0]["moveInfos"]:
            self.assertEqual(len(info["pvVisits"]), len(info["pv"]))
            self.assertEqual(info["pvVisits"][0], info["visits"])
            self.assertEqual(sorted(info["pvVisits"], reverse=True), info["pvVisits"])
        self.assertNotIn("pvVisits", done["first", 0]["moveInfos"][0])

        for action in ["query_version", "query_models", "clear_cache", "terminate_all"]:
            session.ask({"id": action, "action": action})
        answers = {answer["id"]: answer for answer in session.finish() if not answer.get("isDuringSearch")}
        self.assertRegex(answers["query_version"]["version"], r"^[0-9]+\.[0-9]+\.[0-9]+$")
        self.assertRegex(answers["query_version"]["git_hash"], "^([0-9a-f]{7,}|<omitted>)$")
        [model] = answers["query_models"]["models"]
        self.assertEqual((model["internalName"], model["game"]), ("material", "makruk"))
        self.assertEqual(answers["clear_cache"], {"id": "clear_cache", "action": "clear_cache"})
        self.assertEqual(answers["terminate_all"], {"id": "terminate_all", "action": "terminate_all"})
        self.assertFalse(answers["reports"]["isDuringSearch"])

    def test_turns_that_are_terminated_unsearched_have_no_results(self):
        session = self.session("makyek", "--model", self.network, "--together", "1")
        session.ask({"id": "long", "maxVisits": 10**9, "reportDuringSearchEvery": 0.01})
        session.read()
        session.ask({"id": "game", "moves": ["a3a5", "a6a7"], "analyzeTurns": [0, 1, 2], "maxVisits": 9},
                    {"id": "some", "action": "terminate", "terminateId": "game", "turnNumbers": [0, 2]},
                    {"id": "long end", "action": "terminate", "terminateId": "long"})
        answers = [answer for answer in session.finish() if answer["id"] == "game"]
        self.assertEqual({answer["turnNumber"] for answer in answers if answer.get("noResults")}, {0, 2})
        self.assertEqual([answer["turnNumber"] for answer in answers if "moveInfos" in answer], [1])

    def test_a_cleared_cache_changes_no_result(self):
        query = {"id": "x", "maxVisits": 30}
        session = self.session("makyek", "--model", self.network)
        session.ask(query)
        before = session.read()
        session.ask({"id": "c", "action": "clear_cache"})
        session.read()
        session.ask(query)
        self.assertEqual(session.read()["moveInfos"], before["moveInfos"])
        session.finish()

    def test_fields_of_go_are_left_out_with_a_warning(self):
        fields = {"komi": 7.5, "whiteHandicapBonus": 0, "rootPolicyTemperature": 1.1, "rootFpuReductionMax": 0, "x": [{}],
                  "includeOwnership": True, "includeMovesOwnership": True, "includeOwnershipStdev": True,
                  "includeMovesOwnershipStdev": True, "includeNoResultValue": True}
        *warnings, result = analyse({"id": "1", "maxVisits": 2, "overrideSettings": {"wideRootNoise": 0.04}, **fields},
                                    arguments=["makyek", "--model", "alphabeta:1"])
        self.assertEqual({warning["field"] for warning in warnings}, {*fields, "overrideSettings"})
        for warning in warnings:
            self.assertEqual(warning["id"], "1")
            self.assertIn("left out", warning["warning"])
        self.assertIn("known are level lines maxTime", next(warning["warning"] for warning in warnings
                                                              if warning["field"] == "overrideSettings"))
        self.assertIn("best", result)

    def test_the_document_is_printed(self):
        printed = subprocess.run([PROGRAM, "analysis", "--schema"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(printed, TEXT)
        self.assertRegex(API["info"]["version"], r"^[0-9]+\.[0-9]+\.[0-9]+$")

    def test_an_id_in_use_is_refused(self):
        session = self.session("makyek", "--model", self.network)
        session.ask({"id": "1", "maxVisits": 10**9}, {"id": "1", "maxVisits": 5})
        self.assertEqual(session.read()["field"], "id")
        session.ask({"action": "terminate_all"})
        session.finish()

    def test_results_that_are_changed_break_the_schema(self):
        answer, = analyse({"id": "1", "game": "makyek", "player": "material", "maxVisits": 20, "includePolicy": True})
        self.assertTrue(validator("AnswerLine").is_valid(answer))
        for path, value in [(("id",), 1), (("isDuringSearch",), "no"), (("best",), None), (("timeMs",), -1),
                            (("moveInfos",), []), (("moveInfos", 0, "prior"), 1.5), (("moveInfos", 0, "pv"), []),
                            (("moveInfos", 0, "wdl"), [1, 0]), (("moveInfos", 0, "surprise"), 1),
                            (("rootInfo", "toMove"), "red"), (("rootInfo", "visits"), 0.5), (("policy", 0, "prior"), -1),
                            (("surprise",), 0)]:
            changed = copy.deepcopy(answer)
            place = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value
            self.assertFalse(validator("AnswerLine").is_valid(changed), path)
        for key in answer:
            if key != "policy":
                self.assertFalse(validator("AnswerLine").is_valid({k: v for k, v in answer.items() if k != key}), key)


if __name__ == "__main__":
    unittest.main()
