#!/usr/bin/env python3
"""The Python module: positions, games, batches, searches, readers, and what it says of bad input.

usage: module_test.py [TEST ...]
"""
import ast
import contextlib
import io
import pathlib
import pickle
import random
import re
import tempfile
import threading
import unittest
import warnings

import numpy as np

import makzero
from makzero import Batch, Checkpoint, Game, Network, Reason, Result, Rules, Searcher

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = ROOT / "tests" / "data" / "runs" / "makyek-2026-10"
ZOO = ROOT / "models" / "zoo"
MATE_IN_ONE = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"


def perft(position, depth):
    if depth == 1:
        return position.count_moves()
    return sum(perft(position.apply(move), depth - 1) for move in position.legal_moves())


class PositionTest(unittest.TestCase):
    def test_counts_the_leaves_that_the_rules_have(self):
        self.assertEqual(perft(Rules("makruk").start(), 3), 12012)

    def test_is_a_value(self):
        start = Rules("makruk").start()
        after = start.apply("d3d4")
        self.assertNotEqual(start, after)
        self.assertEqual(start, Rules("makruk").start())
        self.assertEqual(len({start, after, Rules("makruk").start()}), 2)
        self.assertEqual(after.to_move, "black")
        self.assertEqual(after.fen, "rnsmksnr/8/pppppppp/8/3P4/PPP1PPPP/8/RNSKMSNR b - - 0 1")

    def test_actions_are_seen_by_the_side_to_move(self):
        start = Rules("makruk").start()
        mirrored = start.apply("d3d4")
        self.assertEqual(start.action("d3d4"), 19 * 64 + 27)
        self.assertEqual(mirrored.action("e6e5"), 19 * 64 + 27)
        self.assertEqual(mirrored.move(19 * 64 + 27), "e6e5")

    def test_reads_and_writes_moves_for_people(self):
        start = Rules("makruk").start()
        self.assertEqual(start.parse("Nd2"), "b1d2")
        self.assertEqual(start.san("b1d2"), "Nd2")
        self.assertEqual(start.san("b1d2", "figurines"), "♘d2")

    def test_counts_repetitions_of_a_line(self):
        line = ["b1d2", "b8d7", "d2b1", "d7b8"] * 2
        at = Rules("makruk").position(makzero.start_fen("makruk"), line)
        self.assertEqual(at.occurrences, 3)
        self.assertEqual(at.outcome.reason, Reason.REPETITION)

    def test_rules_are_pickled_by_name(self):
        rules = Rules("makyek-line:jump=on")
        self.assertEqual(pickle.loads(pickle.dumps(rules)), rules)


class GameTest(unittest.TestCase):
    def test_plays_moves_and_takes_them_back(self):
        game = Game(Rules("makruk"))
        game.play("Nd2")
        game.play("b8d7")
        self.assertEqual(game.moves, ["b1d2", "b8d7"])
        self.assertEqual(game.san_moves(), ["Nd2", "Nd7"])
        other = game.copy()
        self.assertTrue(game.undo())
        self.assertEqual((len(game.moves), len(other.moves)), (1, 2))

    def test_ends_by_mate(self):
        game = Game(Rules("makruk"), MATE_IN_ONE)
        game.play("a1a8")
        self.assertEqual((game.outcome.result, game.outcome.winner), (Result.WHITE_WINS, "white"))
        with self.assertRaises(ValueError):
            game.play("h8h7")

    def test_declares_a_count(self):
        game = Game(Rules("makruk:count.mode=manual"), "4k2n/8/8/8/8/8/R7/4K3 b - - 0 1")
        self.assertEqual(game.declarations(), ["count"])
        game.play("count")
        self.assertEqual(game.moves, ["count"])


class BatchTest(unittest.TestCase):
    def test_agrees_with_positions_in_every_ruleset(self):
        for name in makzero.variants():
            with self.subTest(ruleset=name):
                self.compare(Rules(name))

    def compare(self, rules):
        batch, games = Batch(rules, 3, seed=5), [Game(rules) for _ in range(3)]
        for ply in range(60):
            masks, planes = batch.legal_masks(), batch.planes()
            for i, game in enumerate(games):
                at = game.position
                self.assertEqual(batch[i], at)
                self.assertEqual(batch.results()[i], game.outcome.result)
                self.assertEqual(batch.reasons()[i], game.outcome.reason)
                self.assertEqual(batch.to_move()[i], at.to_move == "black")
                self.assertEqual(batch.plies()[i], len(game.moves))
                legal = [] if game.outcome.over else at.legal_actions()
                self.assertEqual(sorted(np.flatnonzero(masks[i])), sorted(legal))
                self.assertEqual(batch.count_moves()[i], 0 if game.outcome.over else at.count_moves())
                np.testing.assert_array_equal(planes[i], at.planes())
            actions = batch.random_actions()
            for action, game in zip(actions, games):
                if action >= 0:
                    game.play(game.position.move(int(action)))
            results = batch.apply(actions)
            np.testing.assert_array_equal(results, batch.results())

    def test_begins_games_anew(self):
        batch = Batch(Rules("makruk"), 2, fens=[MATE_IN_ONE])
        mate, other = batch[0].action("a1a8"), batch[0].action("a1a2")
        results = batch.apply(np.array([mate, other]), reset=True)
        self.assertEqual(list(results), [Result.WHITE_WINS, Result.ONGOING])
        self.assertEqual(batch[0].fen, MATE_IN_ONE)
        batch.reset(np.array([False, True]))
        self.assertEqual(batch[1].fen, MATE_IN_ONE)
        batch.apply(np.array([mate, -1]))
        batch.reset()
        self.assertEqual(list(batch.plies()), [0, 0])

    def test_plays_nothing_where_one_action_is_illegal(self):
        batch = Batch(Rules("rek"), 2)
        good = int(batch.random_actions()[0])
        with self.assertRaisesRegex(ValueError, "game 1 of the batch: action 4160 is no legal move"):
            batch.apply(np.array([good, 4160]))
        self.assertEqual(list(batch.plies()), [0, 0])

    def test_asks_for_a_new_game_where_one_is_over(self):
        batch = Batch(Rules("makruk"), 1, fens=[MATE_IN_ONE])
        batch.apply(np.array([batch[0].action("a1a8")]))
        with self.assertRaisesRegex(ValueError, r"is over \(checkmate\)"):
            batch.apply(np.array([0]))
        self.assertEqual(list(batch.apply(np.array([-1]))), [Result.WHITE_WINS])

    def test_fills_the_arrays_of_its_caller(self):
        batch = Batch(Rules("gala"), 4)
        masks = np.ones((4, makzero.POLICY_SIZE), bool)
        self.assertIs(batch.legal_masks(out=masks), masks)
        np.testing.assert_array_equal(masks, batch.legal_masks())
        planes = np.ones((4, len(batch.plane_names), 8, 8), np.float32)
        self.assertIs(batch.planes(out=planes), planes)
        np.testing.assert_array_equal(planes, batch.planes())

    def test_refuses_arrays_that_do_not_fit(self):
        batch = Batch(Rules("gala"), 4)
        constant = np.zeros((4, makzero.POLICY_SIZE), bool)
        constant.flags.writeable = False
        for out in (np.zeros((4, makzero.POLICY_SIZE), np.uint8), np.zeros((3, makzero.POLICY_SIZE), bool), constant,
                    np.zeros((4, 2 * makzero.POLICY_SIZE), bool)[:, ::2], [1], "text"):
            with self.assertRaisesRegex(ValueError, r"bool with the shape \(4, 4161\)"):
                batch.legal_masks(out=out)

    def test_sees_the_planes_that_are_named(self):
        names = Rules("makruk").planes[::-1]
        batch = Batch(Rules("makruk"), 1, planes=names)
        np.testing.assert_array_equal(batch.planes()[0], Rules("makruk").start().planes()[::-1])

    def test_is_shared_by_threads(self):
        batch = Batch(Rules("rek"), 64)

        def play():
            for _ in range(200):
                batch.apply(np.full(64, -1))
                batch.planes()

        threads = [threading.Thread(target=play) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(batch.plies().sum(), 0)


class SearchTest(unittest.TestCase):
    def test_every_game_has_a_network(self):
        for name in makzero.variants():
            rules = Rules(name)
            result = Searcher(rules, makzero.zoo_network(rules)).search(rules.start(), nodes=200)
            self.assertIn(result.best, rules.start().legal_moves())

    def test_finds_a_mate(self):
        rules = Rules("makruk")
        result = Searcher(rules, makzero.zoo_network(rules)).search(rules.position(MATE_IN_ONE), depth=3)
        self.assertEqual((result.best, result.end_in_plies, result.pv), ("a1a8", 1, ["a1a8"]))
        self.assertEqual(result.value, (1, 0, 0))

    def test_repeats_itself_at_a_number_of_positions(self):
        rules = Rules("rek")
        first, second = [Searcher(rules, makzero.zoo_network(rules)).search(rules.start(), nodes=20000) for _ in range(2)]
        self.assertEqual((first.best, first.centipawns, first.nodes), (second.best, second.centipawns, second.nodes))
        self.assertGreaterEqual(first.nodes, 20000)

    def test_scores_every_move(self):
        rules = Rules("ok")
        start = rules.start()
        result = Searcher(rules, makzero.zoo_network(rules)).search(start, depth=3, lines=start.count_moves())
        self.assertEqual(sorted(line.moves[0] for line in result.lines), sorted(start.legal_moves()))

    def test_considers_the_moves_that_are_named(self):
        rules = Rules("makruk")
        searcher = Searcher(rules, makzero.zoo_network(rules))
        self.assertEqual(searcher.search(rules.start(), depth=4, moves=["b1d2"]).best, "b1d2")

    def test_keeps_to_its_time(self):
        rules = Rules("makruk")
        result = Searcher(rules, makzero.zoo_network(rules)).search(rules.start(), ms=50)
        self.assertGreater(result.nodes, 100)
        self.assertLess(result.ms, 5000)

    def test_evaluates_from_the_side_to_move(self):
        rules = Rules("makruk")
        searcher = Searcher(rules, makzero.zoo_network(rules))
        board = "4k3/8/8/8/8/8/8/RR2K3"
        self.assertGreater(searcher.evaluate(rules.position(board + " w - - 0 1")), 0.7)
        self.assertLess(searcher.evaluate(rules.position(board + " b - - 0 1")), 0.3)

    def test_wants_a_limit_and_a_move(self):
        rules = Rules("makruk")
        searcher = Searcher(rules, makzero.zoo_network(rules))
        with self.assertRaisesRegex(ValueError, "needs a limit"):
            searcher.search(rules.start())
        with self.assertRaisesRegex(ValueError, "the game is over"):
            searcher.search(rules.position(MATE_IN_ONE).apply("a1a8"), depth=1)
        with self.assertRaisesRegex(ValueError, "position is of rek"):
            searcher.search(Rules("rek").start(), depth=1)
        with self.assertRaisesRegex(ValueError, "cannot play rek"):
            Searcher(Rules("rek"), makzero.zoo_network("makruk"))


class FileTest(unittest.TestCase):
    def test_the_network_of_a_checkpoint_is_that_of_the_module(self):
        network = Network(ZOO / "makruk" / "network.mzc", "makruk")
        self.assertEqual(network.id, makzero.zoo_network("makruk").id)
        self.assertEqual(network.tensors()["output"].shape, (8, 256))

    def test_reads_the_tower_of_a_checkpoint(self):
        checkpoint = Checkpoint(ZOO / "chess" / "network.mzc")
        manifest, tower = checkpoint.manifest, checkpoint.tower()
        self.assertIn("own K", manifest["planes"])
        self.assertEqual(tower["rules.weight"].shape, (manifest["channels"], len(manifest["rule_features"])))
        self.assertEqual(tower["rules.weight"].dtype, np.float32)

    def test_reads_the_games_of_a_run(self):
        games = list(makzero.read_games(RUN))
        self.assertGreater(len(games), 0)
        for record in games:
            game = Game(Rules(record.ruleset), record.start or None)
            for move in record.moves():
                game.play(move)
            if game.outcome.over:
                self.assertEqual((game.outcome.result, game.outcome.reason), (record.result, record.reason))
            rows = record.rows()
            count = len(rows["ply"])
            self.assertEqual(rows["planes"].shape, (count, len(Rules(record.ruleset).planes), 8, 8))
            np.testing.assert_allclose(rows["value"].sum(axis=1), 1, atol=1e-5)
            for row in range(count):
                own = slice(*rows["move_begin"][row:row + 2])
                at = Rules(record.ruleset).position(game.start.fen, record.moves()[:rows["ply"][row]])
                np.testing.assert_array_equal(rows["move_index"][own], at.legal_actions())
                self.assertAlmostEqual(rows["policy"][own].sum(), 1, places=4)

    def test_names_damage(self):
        shard = sorted((RUN / "replay").glob("*.mzg"))[0].read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "000000.mzg"
            path.write_bytes(shard[:200] + b"?" + shard[201:])
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                list(makzero.read_games(path))
            self.assertIn("000000.mzg", str(caught[0].message))
            path.write_bytes(b"no file of ours")
            for read in (Checkpoint, Network, lambda file: list(makzero.read_games(file))):
                with self.assertRaises(ValueError):
                    read(path)
        with self.assertRaises(ValueError):
            Checkpoint(folder)


class HostileCallsTest(unittest.TestCase):
    """Calls with arguments of all sorts raise what Python programs expect; nothing ends the process."""

    ALLOWED = (ValueError, TypeError, IndexError, OverflowError, MemoryError)

    def values(self, rng):
        rules = Rules(rng.choice(makzero.variants()))
        texts = ["", "makruk", "x" * 10000, "\0", "ม-ง๒", "makyek:jump=", rules.name, rules.start().fen, MATE_IN_ONE,
                 "8/8/8/8/8/8/8/8 w", "e2e4", "a3a4", "--", "@d4", "white", "count", "/", str(RUN), str(ROOT)]
        arrays = [np.zeros(n, kind) for n in (0, 1, 3) for kind in (np.int8, np.int32, np.int64, np.float32, bool)]
        return texts + arrays + [
            None, -1, 0, 1, 2**31, 2**63, -2**63, 1.5, float("nan"), float("inf"), [], ["a3a4"], [None], {}, rules,
            Rules("makruk"), rules.start(), Rules("makruk").position(MATE_IN_ONE), Game(rules), Batch(rules, 3),
            makzero.zoo_network(rules), np.arange(6).reshape(2, 3)[:, ::2], np.array([4160, 99999, -2]),
            np.array([2**40, -2**63, 5]), np.zeros((3, makzero.POLICY_SIZE), bool), object()
        ]

    def test_end_in_exceptions(self):
        rng = random.Random(20)
        network = makzero.zoo_network("makruk")
        raised = 0
        for _ in range(6000):
            values = self.values(rng) if _ % 100 == 0 else values
            searcher = Searcher(Rules("makruk"), network, 1) if _ % 100 == 0 else searcher
            targets = [makzero, Rules("rek"), Rules("rek").start(), Game(Rules("hunt")), Batch(Rules("gala"), 3), network,
                       searcher]
            target = rng.choice(targets)
            name = rng.choice([name for name in dir(target) if not name.startswith("_")] + ["__getitem__", "__eq__"])
            call = getattr(target, name, None)
            if not callable(call) or isinstance(call, type(random)):
                continue
            arguments = [rng.choice(values) for _ in range(rng.randrange(4))]
            if isinstance(target, Searcher) and name == "search":
                arguments = arguments[:1] + [rng.choice([-1, 0, 100, None, "x"])]
            try:
                result = call(*arguments)
                if name == "read_games":
                    next(result, None)
            except self.ALLOWED:
                raised += 1
        self.assertGreater(raised, 1000)


class StubTest(unittest.TestCase):
    def test_it_has_the_names_of_the_module(self):
        tree = ast.parse((ROOT / "play" / "python" / "makzero" / "_makzero.pyi").read_text())
        own = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        module = makzero._makzero
        self.assertEqual(set(own), {name for name in dir(module) if callable(getattr(module, name))} - {"__loader__"})
        for name, node in own.items():
            if isinstance(node, ast.ClassDef) and name not in ("Result", "Reason"):
                members = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
                public = {member for member in vars(getattr(module, name)) if not member.startswith("_")}
                self.assertEqual({member for member in members if not member.startswith("_")}, public, name)
        for enum in ("Result", "Reason"):
            values = [target.id for line in own[enum].body if isinstance(line, ast.Assign) for target in line.targets]
            self.assertEqual(values, [value.name for value in getattr(module, enum)])


class ReadmeTest(unittest.TestCase):
    def test_its_example_runs(self):
        text = (ROOT / "play" / "python" / "README.md").read_text()
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1), {})
        self.assertIn("(1024, 4161)", output.getvalue())


if __name__ == "__main__":
    unittest.main()
