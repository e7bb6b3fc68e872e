"""Rules, batches of games, search and readers of MakZero, for the board games of Southeast Asia.

    Rules, Position, Game, Outcome          one game
    Batch                                   many games of one ruleset as arrays, for learning
    Network, Searcher, zoo_network          alpha-beta with a small network
    Checkpoint, read_games, GameRecord      what trainings write
    legal_moves(), get_fen(), get_san() ... the functions of pyffish, for every ruleset (makzero.verbs)

Bad input raises ValueError, which says what is wrong, where, and how to repair it.
"""

import pathlib as _pathlib
import warnings as _warnings
from typing import Iterator, Union

from ._makzero import (POLICY_SIZE, Batch, Checkpoint, Game, GameRecord, Line, Network, Outcome, Position, Reason,
                       Result, Rules, Searcher, SearchResult)
from . import _makzero
from .verbs import *  # noqa: F401, F403


def zoo_network(ruleset: Union[str, Rules]) -> Network:
    """The small network that comes with the module for the ruleset's game. Raises ValueError where there is none."""
    rules = ruleset if isinstance(ruleset, Rules) else Rules(ruleset)
    path = _pathlib.Path(__file__).parent / "networks" / f"{rules.game}.mzc"
    if not path.is_file():
        raise ValueError(f"no small network of {rules.game} comes with the module; load one by Network(FILE)")
    return Network(path, rules.name)


def read_games(path: Union[str, _pathlib.Path]) -> Iterator[GameRecord]:
    """The games of a run, of its folder `replay` or `small`, or of one file (.mzg), in the order of the files.

    A run may be read while its training goes on. Damaged records are left out with a warning that names file and
    bytes. Raises ValueError where there are no games, or a file is not of games.
    """
    for shard in _makzero._shards(path):
        games, damages = _makzero._read_shard(shard)
        for damage in damages:
            _warnings.warn(f"{shard}: {damage}; `makzero fsck --repair` keeps what is good", stacklevel=2)
        yield from games
