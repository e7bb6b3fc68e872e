"""lc0 #829, KataGo #756, #790: descriptors or memory grow with each network that is loaded and each new game."""
from session import Session

GROWTH = 32 << 20  # Bytes: less than the 38 further networks with their tables would take.


def run(folder, environment):
    with Session(folder, environment) as uci:
        def reload(times):
            for _ in range(times):
                uci.ready(f"setoption name WeightsFile value {environment['SMALL']}")
                uci.send("go nodes 20")
                uci.read_until("^bestmove")

        reload(2)
        before = uci.descriptors(), uci.resident()
        reload(38)
        uci.ready(*["ucinewgame"] * 60)
        assert uci.descriptors() == before[0], f"{before[0]} descriptors before, {uci.descriptors()} after"
        assert uci.resident() < before[1] + GROWTH, f"{before[1]} bytes before, {uci.resident()} after"
