#!/usr/bin/env python3
"""makzero's functions against pyffish (Fairy-Stockfish), on positions of random games of the three rulesets that both have.

Compared: FEN, legal moves, check, SAN and capture of one legal move and SAN of the moves that led there, insufficient
material, and the ends: by mate and stalemate, at once, claimed. Different on purpose:
 - max_plies is ours alone, a safety net; here it is off.
 - pyffish writes the checks left in Ka Ok, "1+1", which are always these while the game goes on; we leave them out.
 - In Thai letters pyffish names a met that was a pawn by another letter than the met of the start; we write one.
 - A game that is over by mate, stalemate or insufficient material has no claim besides: pyffish goes on telling one.

usage: pyffish_test.py [POSITIONS]      of each ruleset (200: pyffish takes 5 ms a call)
"""
import random
import re
import sys
import unittest

import makzero

try:
    import pyffish
except ImportError:
    pyffish = None

POSITIONS = 200
VARIANTS = ("makruk", "cambodian", "karouk")
STRIDE = 25  # Plies between two positions of a game, on average.


def plain(fen):
    return re.sub(r" [01]\+[01]", "", fen)


def if_ended(end):
    """The value of a game that goes on is not set."""
    return end if end[0] else (False, 0)


def reduced_start(rules, rng):
    """The start without most of its pieces and without first-move rights: endgames and counts come soon."""
    while True:
        board, rest = rules.start().fen.split(" ", 1)
        squares = list("".join("." * int(c) if c.isdigit() else c for c in board))
        for i, piece in enumerate(squares):
            if piece not in "./kK" and rng.random() < 0.75:
                squares[i] = "."
        board = re.sub(r"\.+", lambda run: str(len(run.group())), "".join(squares))
        fen = f"{board} w - - 0 1"
        if makzero.validate_fen(fen, rules.name) == makzero.FEN_OK and not rules.position(fen).outcome.over:
            return fen


def random_positions(rules, rng, count):
    """(start, moves) of positions of random games, their last among them."""
    while count > 0:
        start = reduced_start(rules, rng) if rng.random() < 0.5 else rules.start().fen
        game = makzero.Game(rules, start)
        for _ in range(300):
            if game.outcome.over or rng.randrange(STRIDE) == 0:
                yield start, game.moves
                count -= 1
            if game.outcome.over or count == 0:
                break
            moves = game.legal_moves()
            mates = [move for move in moves if game.position.apply(move).count_moves() == 0] if rng.random() < 0.5 else []
            game.play(rng.choice(mates or moves))


@unittest.skipIf(pyffish is None, "pyffish is not installed")
class PyffishTest(unittest.TestCase):
    def compare(self, variant):
        rules, rng = makzero.Rules(f"{variant}:max_plies=0"), random.Random(variant)
        counts = {"positions": 0, "moves": 0, "checks": 0, "mates and stalemates": 0, "at once": 0, "claims": 0}
        for start, line in random_positions(rules, rng, POSITIONS):
            with self.subTest(variant=variant, start=start, moves=" ".join(line)):
                self.compare_position(variant, start, line, counts, rng)
        print(f"{variant}: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
        self.assertEqual(counts["positions"], POSITIONS)
        # In Ka Ok a check ends the game, mostly before anything else does.
        rare = ("mates and stalemates", "claims") if variant == "karouk" else ("at once",)
        for name, count in counts.items():
            self.assertTrue(count > 0 or name in rare, name)

    def compare_position(self, variant, start, line, counts, rng):
        ours = f"{variant}:max_plies=0"
        here, there = (ours, start, line), (variant, start, line)
        fen = makzero.get_fen(*here)
        self.assertEqual(fen, plain(pyffish.get_fen(*there)))
        at = makzero.Rules(ours).position(start, line)
        moves, check = makzero.legal_moves(*here), makzero.gives_check(*here)
        self.assertEqual(sorted(moves), sorted(pyffish.legal_moves(*there)))
        self.assertEqual(check, pyffish.gives_check(*there))
        if moves:
            move = rng.choice(moves)
            sans = makzero.get_san_moves(ours, start, line + [move])
            self.assertEqual(sans, pyffish.get_san_moves(variant, start, line + [move]))
            self.assertEqual(makzero.get_san(ours, fen, move), sans[-1])
            self.assertEqual(makzero.is_capture(*here, move), pyffish.is_capture(*there, move), move)
        self.assertEqual(makzero.has_insufficient_material(*here), pyffish.has_insufficient_material(*there))
        at_once = makzero.is_immediate_game_end(*here)
        self.assertEqual(at_once, if_ended(pyffish.is_immediate_game_end(*there)))
        claimed = makzero.is_optional_game_end(*here)
        if moves and not at_once[0] and at.outcome.reason != makzero.Reason.INSUFFICIENT_MATERIAL:
            self.assertEqual(claimed, if_ended(pyffish.is_optional_game_end(*there)))
        if not moves:
            self.assertEqual(makzero.game_result(*here), pyffish.game_result(*there))
        counts["positions"] += 1
        counts["moves"] += len(moves)
        counts["checks"] += check
        counts["mates and stalemates"] += not moves and not at_once[0]
        counts["at once"] += at_once[0]
        counts["claims"] += claimed[0]

    def test_makruk(self):
        self.compare("makruk")

    def test_cambodian(self):
        self.compare("cambodian")

    def test_karouk(self):
        self.compare("karouk")

    def test_thai_notation(self):
        for variant in VARIANTS:
            for start, line in random_positions(makzero.Rules(variant), random.Random(7), 20):
                if any(len(move) > 4 for move in line):
                    continue
                thai = [api.get_san_moves(variant, start, line, False, api.NOTATION_THAI_SAN) for api in (makzero, pyffish)]
                self.assertEqual(*thai)

    def test_initial_positions(self):
        for variant in VARIANTS:
            self.assertEqual(makzero.start_fen(variant), plain(pyffish.start_fen(variant)))


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        POSITIONS = int(sys.argv.pop(1))
    unittest.main()
