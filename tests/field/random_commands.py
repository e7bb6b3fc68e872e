"""python-chess pull request 759: ponderhit and stop in any order lose an answer, or give two."""
import random
import re

from session import Session

LINES = ["go nodes 5", "go ponder nodes 5", "go infinite", "ponderhit", "stop", "isready", "ucinewgame", "nonsense",
         "position startpos", "position startpos moves e3e4 e6e5", "setoption name MultiPV value 2"]


def run(folder, environment):
    words = random.Random(1)
    lines = ["go ponder"] + ["ponderhit"] * 40 + [words.choice(LINES) for _ in range(250)]
    with Session(folder, environment) as uci:
        told, _ = uci.process.communicate("".join(line + "\n" for line in lines))
        assert uci.process.returncode == 0
    answers = re.findall("^bestmove .*", told, re.M)
    assert len(answers) == sum(line.startswith("go") for line in lines), f"{len(answers)} answers"
    assert "bestmove 0000" not in answers
