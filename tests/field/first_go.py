"""c-chess-cli #58, Stockfish #603: the first go loses time, as memory is first touched within it."""
from session import Session

FOR_ONE_SEARCH = 16 << 20  # Bytes: what is in use grows by less, where the table was touched before readyok.


def run(folder, environment):
    with Session(folder, environment) as uci:
        uci.ready()
        before = uci.resident()
        uci.send("go wtime 0 btime 0")
        assert "0000" not in uci.read_until("^bestmove")[-1]
        assert uci.resident() < before + FOR_ONE_SEARCH, f"{before} bytes before, {uci.resident()} after"
