"""cutechess #180: the answer to a mate is sent before ponderhit."""
from session import Session


def run(folder, environment):
    with Session(folder, environment) as uci:
        for _ in range(2):
            uci.send("position fen 7k/R7/1R6/8/8/8/8/K7 w - - 0 1", "go ponder wtime 1000 btime 1000")
            told = uci.read_until(" score mate 1 ") + uci.ready()
            assert not any(line.startswith("bestmove") for line in told), told
            uci.send("ponderhit")
            assert uci.read_until("^bestmove")[-1].startswith("bestmove b6b8"), told
