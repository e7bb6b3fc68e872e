"""The functions of pyffish, for every ruleset: `variant` is what `makzero games` lists, with options where wanted,
"makruk", "ok:max_plies=0", "Thai chess".

A position is a FEN and the moves from there on, in coordinates ("e5e6m"); repetitions are those of these moves.
Results are from the side to move: VALUE_MATE it wins, VALUE_DRAW, -VALUE_MATE it loses. `chess960` is taken for
pyffish's sake and changes nothing: no game here has castling. What is no variant, position or legal move raises
ValueError.
"""

import functools
from typing import List, Sequence, Tuple

from ._makzero import Outcome, Position, Reason, Rules, variants

__all__ = [
    "FEN_OK", "NOTATION_DEFAULT", "NOTATION_SAN", "NOTATION_THAI_SAN", "VALUE_DRAW", "VALUE_MATE", "captures_to_hand",
    "game_result", "get_fen", "get_san", "get_san_moves", "gives_check", "has_insufficient_material", "is_capture",
    "is_immediate_game_end", "is_optional_game_end", "legal_moves", "start_fen", "two_boards", "validate_fen", "variants"
]

FEN_OK = 1
VALUE_DRAW, VALUE_MATE = 0, 32000
NOTATION_DEFAULT, NOTATION_SAN, NOTATION_THAI_SAN = 0, 1, 8

_NOTATIONS = {NOTATION_DEFAULT: "letters", NOTATION_SAN: "letters", NOTATION_THAI_SAN: "thai"}

# Ends that a player claims, in pyffish's sense; the others come by themselves.
_CLAIMED = {Reason.REPETITION, Reason.COUNT_EXCEEDED, Reason.NO_PROGRESS, Reason.PLY_LIMIT}

# Ends that pyffish tells by game_result() or has_insufficient_material() alone.
_BY_MOVES = {Reason.CHECKMATE, Reason.STALEMATE, Reason.NO_LEGAL_MOVE, Reason.COUNTER_MATED}

_rules = functools.lru_cache(maxsize=64)(Rules)


def _position(variant: str, fen: str, moves: Sequence[str]) -> Position:
    return _rules(variant).position(fen, moves)


def _value(position: Position, outcome: Outcome) -> int:
    if outcome.winner is None:
        return VALUE_DRAW
    return VALUE_MATE if outcome.winner == position.to_move else -VALUE_MATE


def _notation(notation: int) -> str:
    if notation not in _NOTATIONS:
        raise ValueError(f"notation {notation}: NOTATION_DEFAULT, NOTATION_SAN or NOTATION_THAI_SAN")
    return _NOTATIONS[notation]


def start_fen(variant: str) -> str:
    """The initial position."""
    return _rules(variant).start().fen


def legal_moves(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False) -> List[str]:
    """The legal moves; none where the board decides the game."""
    return _position(variant, fen, movelist).legal_moves()


def get_fen(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False) -> str:
    """The position after the moves."""
    return _position(variant, fen, movelist).fen


def get_san(variant: str, fen: str, move: str, chess960: bool = False, notation: int = NOTATION_DEFAULT) -> str:
    """A move as people write it: "Nd2", "exd6=M"; outside the chess family "e3-e4xd4"."""
    return _position(variant, fen, ()).san(move, _notation(notation))


def get_san_moves(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False,
                  notation: int = NOTATION_DEFAULT) -> List[str]:
    """The same of a line of moves."""
    position, texts = _position(variant, fen, ()), []
    for move in movelist:
        texts.append(position.san(move, _notation(notation)))
        position = position.apply(move)
    return texts


def gives_check(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False) -> bool:
    """Whether the side to move is in check."""
    return _position(variant, fen, movelist).is_check


def is_capture(variant: str, fen: str, movelist: Sequence[str], move: str, chess960: bool = False) -> bool:
    """Whether the move takes something."""
    return _position(variant, fen, movelist).is_capture(move)


def game_result(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False) -> int:
    """The result of a game that is over; ValueError where it is not."""
    position = _position(variant, fen, movelist)
    if not position.outcome.over:
        raise ValueError("the game is not over: it has no result")
    return _value(position, position.outcome)


def is_immediate_game_end(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False) -> Tuple[bool, int]:
    """Whether the rules end the game although there may be moves, as by a last piece taken, and the result."""
    position = _position(variant, fen, movelist)
    outcome = position.outcome
    ended = outcome.over and outcome.reason not in _CLAIMED | _BY_MOVES | {Reason.INSUFFICIENT_MATERIAL}
    return ended, _value(position, outcome) if ended else 0


def is_optional_game_end(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False) -> Tuple[bool, int]:
    """Whether repetition, a count or a limit ends the game, and the result."""
    position = _position(variant, fen, movelist)
    outcome = position.outcome
    ended = outcome.reason in _CLAIMED
    return ended, _value(position, outcome) if ended else 0


def has_insufficient_material(variant: str, fen: str, movelist: Sequence[str],
                              chess960: bool = False) -> Tuple[bool, bool]:
    """Whether White, Black could not win whatever the other side plays; False outside the chess family."""
    position = _position(variant, fen, movelist)
    return position.lacks_material("white"), position.lacks_material("black")


def validate_fen(fen: str, variant: str, chess960: bool = False) -> int:
    """FEN_OK, or another number where the position is impossible; Rules.position() says why."""
    rules = _rules(variant)
    try:
        rules.position(fen)
    except ValueError:
        return -1
    return FEN_OK


def two_boards(variant: str) -> bool:
    """False: every game has one board."""
    _rules(variant)
    return False


def captures_to_hand(variant: str) -> bool:
    """False: what is taken leaves the game."""
    _rules(variant)
    return False
