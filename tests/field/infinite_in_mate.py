"""lc0 #1127: where mate threatens or nothing can be won, go infinite does not end, or ends before stop."""
from session import Session


def run(folder, environment):
    with Session(folder, environment) as uci:
        for position in ["7k/R7/1R6/8/8/8/8/K7 w - - 0 1", "7k/8/8/8/8/8/8/K1S5 w - - 0 1"]:
            uci.send(f"position fen {position}", "go infinite")
            told = uci.read_until("^info depth ") + uci.ready()
            assert not any(line.startswith("bestmove") for line in told), told
            uci.send("stop")
            assert "0000" not in uci.read_until("^bestmove")[-1]
