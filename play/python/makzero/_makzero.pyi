"""Types of the extension module. Arrays are NumPy's; `out` takes a writable C-contiguous array of that type and shape
instead, also a tensor of PyTorch on the CPU, which is filled and returned.

An action is an index into a policy of POLICY_SIZE, as the side to move sees the board (turned by 180 degrees for
Black): origin * 64 + destination, 4096 + destination of a drop, 4160 for the pass; a1 = 0, b1 = 1, h8 = 63. Moves that
share one (some chains of leaps in `hunt`) are the first of them.
"""

import enum
import os
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

POLICY_SIZE: int

Path = Union[str, os.PathLike[str]]

class Result(enum.IntEnum):
    ONGOING = 0
    WHITE_WINS = 1
    BLACK_WINS = 2
    DRAW = 3

class Reason(enum.IntEnum):
    """Why a game is over."""

    NONE = ...
    NO_PIECES = ...
    KING_CAPTURED = ...
    TOO_FEW_MEN = ...
    NO_LEGAL_MOVE = ...
    CHECKMATE = ...
    STALEMATE = ...
    CHECK = ...
    REPETITION = ...
    NO_PROGRESS = ...
    INSUFFICIENT_MATERIAL = ...
    COUNT_EXCEEDED = ...
    COUNTER_MATED = ...
    PLY_LIMIT = ...
    MATERIAL_AT_PLY_CAP = ...
    RESIGNATION = ...
    CUT = ...
    TIME_FORFEIT = ...
    AGREEMENT = ...

class Outcome:
    """How a game stands. True where it is over; its text is "1-0 checkmate"."""

    @property
    def over(self) -> bool: ...
    @property
    def result(self) -> Result: ...
    @property
    def reason(self) -> Reason: ...
    @property
    def winner(self) -> Optional[str]:
        """"white", "black" or None."""
    def __bool__(self) -> bool: ...

def variants() -> List[str]:
    """Every named ruleset."""

class Rules:
    """A ruleset, immutable: Rules("makruk"), Rules("rek:max_plies=0"), Rules("Thai chess"). Equal by name."""

    def __init__(self, spec: str) -> None:
        """Raises ValueError with the nearest name, or the values of an option."""
    @property
    def name(self) -> str:
        """As Rules() reads it, with the options that differ from the named ruleset's."""
    @property
    def game(self) -> str:
        """The game whose ruleset it is: "makyek" of "makyek-line"."""
    @property
    def title(self) -> str: ...
    @property
    def family(self) -> str:
        """"custodial" or "chess"."""
    @property
    def files(self) -> int: ...
    @property
    def ranks(self) -> int: ...
    @property
    def options(self) -> Dict[str, str]:
        """The value of every option."""
    @property
    def text(self) -> str:
        """The rules in full, for people."""
    @property
    def planes(self) -> List[str]:
        """Names of the planes of a new network, in the order of Position.planes()."""
    def start(self) -> Position: ...
    def position(self, fen: str, moves: Sequence[str] = ()) -> Position:
        """The position after moves in coordinates, which may go on past a draw. Raises ValueError with every reason."""

class Position:
    """A position, immutable and hashable. str() draws the board."""

    @property
    def rules(self) -> Rules: ...
    @property
    def fen(self) -> str: ...
    @property
    def to_move(self) -> str:
        """"white" or "black"."""
    @property
    def occurrences(self) -> int:
        """How often it had stood on the board in its game, this time included; 1 where no history is known."""
    @property
    def ply(self) -> int:
        """Plies since the start of the game or the position that was given."""
    @property
    def no_progress_plies(self) -> int: ...
    @property
    def count(self) -> int:
        """Plies counted towards a draw."""
    @property
    def count_limit(self) -> int:
        """Plies at which the count draws; 0: no count runs."""
    @property
    def outcome(self) -> Outcome: ...
    @property
    def is_check(self) -> bool:
        """Whether the king of the side to move is attacked."""
    def legal_moves(self) -> List[str]:
        """In coordinates: "a3a5", "e5e6m", "@d4" (a drop), "--" (a pass)."""
    def count_moves(self) -> int: ...
    def legal_actions(self) -> NDArray[np.int32]: ...
    def planes(self, out: Any = None) -> NDArray[np.float32]:
        """What a network sees: float32 [len(rules.planes), 8, 8], [plane, rank, file] as the side to move sees it."""
    def apply(self, move: Union[str, int]) -> Position:
        """The position after a move or an action. Raises ValueError where it is not legal."""
    def action(self, move: str) -> int: ...
    def move(self, action: int) -> str: ...
    def parse(self, text: str) -> str:
        """The coordinates of a move in any notation, "Nd2", "ม-ง๒". Raises ValueError where it is none or several."""
    def san(self, move: str, notation: str = "letters") -> str:
        """The move as people write it. `notation`: letters, figurines, thai, playok or coordinates."""
    def is_capture(self, move: str) -> bool: ...
    def lacks_material(self, color: str) -> bool:
        """Whether "white" or "black" could not win whatever the other side plays; False outside the chess family."""
    def __hash__(self) -> int: ...

class Game:
    """A game as it is played: repetitions and counts are the rules'. Not for several threads."""

    def __init__(self, rules: Rules, fen: Optional[str] = None) -> None: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def start(self) -> Position: ...
    @property
    def position(self) -> Position: ...
    @property
    def fen(self) -> str: ...
    @property
    def outcome(self) -> Outcome: ...
    @property
    def moves(self) -> List[str]:
        """In coordinates, with the words "count" and "stop" of declarations."""
    def san_moves(self, notation: str = "letters") -> List[str]: ...
    def legal_moves(self) -> List[str]:
        """None where the board decides the game; a count, a repetition or a limit may be overlooked."""
    def declarations(self) -> List[str]:
        """What the side to move may declare (manual counting): "count", "stop"."""
    def play(self, move: str) -> None:
        """A move in any notation, or a declaration. Raises ValueError where it cannot be played."""
    def undo(self) -> bool:
        """Takes back the last move; False where there is none."""
    def copy(self) -> Game: ...

class Batch:
    """Games of one ruleset that are played in step, for learning. Long calls release the GIL; calls of several threads
    wait for one another."""

    def __init__(self, rules: Rules, size: int, fens: Optional[Sequence[str]] = None, planes: Sequence[str] = (),
                 seed: int = 1) -> None:
        """`size` games, 1 to 1,048,576, from the initial position or in turn from `fens`. `planes`: names in place of
        rules.planes, as of Checkpoint.manifest. `seed`: of random_actions()."""
    @property
    def rules(self) -> Rules: ...
    @property
    def plane_names(self) -> List[str]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Position: ...
    def apply(self, actions: NDArray[Any], reset: bool = False, out: Any = None) -> NDArray[np.int8]:
        """Plays an action in each game and returns how each stands then: int8 [N] of Result. `actions`: int32 or int64
        [N], -1: the game stays. `reset`: games that are over begin anew behind it. Raises ValueError, with nothing
        played, where an action is not legal or its game is over."""
    def reset(self, chosen: Optional[NDArray[np.bool_]] = None) -> None:
        """Begins the chosen games anew, bool [N]; None: those that are over."""
    def results(self, out: Any = None) -> NDArray[np.int8]:
        """[N] of Result."""
    def reasons(self, out: Any = None) -> NDArray[np.uint8]:
        """[N] of Reason."""
    def to_move(self, out: Any = None) -> NDArray[np.int8]:
        """[N]: 0 White, 1 Black."""
    def plies(self, out: Any = None) -> NDArray[np.int32]:
        """[N]: played since the start of each game."""
    def count_moves(self, out: Any = None) -> NDArray[np.int32]:
        """[N]: legal moves; 0 of a game that is over."""
    def random_actions(self, out: Any = None) -> NDArray[np.int32]:
        """[N]: each legal move as likely; -1 of a game that is over."""
    def legal_masks(self, out: Any = None) -> NDArray[np.bool_]:
        """[N, POLICY_SIZE]; all False of a game that is over."""
    def planes(self, out: Any = None) -> NDArray[np.float32]:
        """[N, planes, 8, 8] as Position.planes()."""

class Network:
    """A small network, immutable."""

    def __init__(self, path: Path, ruleset: str = "") -> None:
        """Reads `small_network.bin` of `makzero export GAME --to small`, or a checkpoint (.mzc): of several networks
        that of the ruleset's game. Raises ValueError where the file is missing, damaged or has none."""
    @property
    def game(self) -> str: ...
    @property
    def id(self) -> str:
        """12 hexadecimal digits, as everywhere in MakZero."""
    @property
    def inputs(self) -> List[str]: ...
    @property
    def rule_features(self) -> List[str]: ...
    def tensors(self) -> Dict[str, NDArray[Any]]:
        """The quantised weights: features [F, H], rules [R, H], bias [H], output [B, 2 H] of int16 and output_bias [B]
        of int32; H = 128, B = 8."""

class Line:
    """A move and what is expected to follow."""

    @property
    def moves(self) -> List[str]: ...
    @property
    def centipawns(self) -> int:
        """For the side to move, on the scale of chess programs."""
    @property
    def value(self) -> Tuple[float, float, float]:
        """Win, draw and loss of the side to move; they sum to 1."""
    @property
    def end_in_plies(self) -> Optional[int]:
        """Plies to a proven win or loss, at most; else None."""

class SearchResult:
    """What a search has found: its lines, the best first, and the figures of the best."""

    @property
    def best(self) -> str: ...
    @property
    def pv(self) -> List[str]: ...
    @property
    def centipawns(self) -> int: ...
    @property
    def value(self) -> Tuple[float, float, float]: ...
    @property
    def end_in_plies(self) -> Optional[int]: ...
    @property
    def lines(self) -> List[Line]: ...
    @property
    def depth(self) -> int:
        """Plies."""
    @property
    def seldepth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def ms(self) -> float:
        """Milliseconds by the clock."""

class Searcher:
    """Alpha-beta with a small network. Keeps its transposition table from search to search. Searches release the GIL;
    those of several threads wait for one another."""

    def __init__(self, rules: Rules, network: Network, table_mib: int = 16, threads: int = 1) -> None:
        """`table_mib`: of the transposition table, 1 to 65,536 MiB. `threads`: of searches by time, 1 to 256."""
    @property
    def rules(self) -> Rules: ...
    @property
    def network(self) -> Network: ...
    def search(self, position: Position, nodes: Optional[int] = None, depth: Optional[int] = None,
               ms: Optional[float] = None, lines: int = 1, moves: Sequence[str] = ()) -> SearchResult:
        """Ends at the first limit: positions, plies, or milliseconds by the clock. `lines`: moves that are searched
        fully, as many as are legal for a score of each. `moves`: the only ones that are considered. Ctrl-C ends it with
        KeyboardInterrupt. Repetitions are seen from the position on, not those of the game that led to it. Raises
        ValueError without a limit, and where there is no legal move."""
    def evaluate(self, position: Position) -> float:
        """The expected result of the side to move in [0, 1] by the network alone."""
    def forget(self) -> None:
        """Empties the table."""

class Checkpoint:
    """A checkpoint of a run or a model of the zoo (.mzc), every byte verified."""

    def __init__(self, path: Path) -> None:
        """Raises ValueError where the file is missing, foreign or damaged."""
    @property
    def manifest(self) -> Dict[str, Any]:
        """What is known of it: id, ruleset, planes, blocks, channels, generation, steps, games, config ..."""
    def tower(self) -> Dict[str, NDArray[np.float32]]:
        """The tensors of the tower by name; empty where there is none."""
    def small_networks(self) -> List[Network]: ...

class GameRecord:
    """A game of self-play as it is stored. len(): its plies."""

    @property
    def ruleset(self) -> str: ...
    @property
    def start(self) -> str:
        """A FEN; empty: the initial position."""
    @property
    def number(self) -> int:
        """In its run."""
    @property
    def generation(self) -> int: ...
    @property
    def network(self) -> str: ...
    @property
    def small_network(self) -> str: ...
    @property
    def opening_plies(self) -> int:
        """Plies before the first search."""
    @property
    def result(self) -> Result: ...
    @property
    def reason(self) -> Reason: ...
    def __len__(self) -> int: ...
    def moves(self) -> List[str]:
        """In coordinates. Raises ValueError where the record does not fit the rules."""
    def white_values(self) -> NDArray[np.float32]:
        """What the searches found, White's expected result in [-1, 1], [plies]."""
    def full_searches(self) -> NDArray[np.uint8]:
        """1 where the policy is a target, [plies]."""
    def rows(self, planes: Sequence[str] = ()) -> Dict[str, NDArray[Any]]:
        """The plies that are learnt from: planes float32 [R, planes, 8, 8], value float32 [R, 3] (win, draw, loss of
        the side to move by the end of the game), ply int32 [R], and the policy by move: the entries move_begin[i] ..
        move_begin[i + 1] of move_index (actions) and policy belong to row i; none of a row of alpha-beta. Raises
        ValueError where the record does not fit the rules."""

def _shards(path: Path) -> List[os.PathLike[str]]: ...
def _read_shard(path: Path) -> Tuple[List[GameRecord], List[str]]: ...
