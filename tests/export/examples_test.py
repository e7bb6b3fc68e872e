"""The example front ends play legal games: examples_test.py FOLDER_OF_SAMPLES FOLDER_OF_RUNTIMES, with the program in
the environment variable MAKZERO."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

SAMPLES, RUNTIMES = map(pathlib.Path, sys.argv[1:3])
EXAMPLES = pathlib.Path(__file__).parents[2] / "play/examples"
PYTHON = RUNTIMES / "bin/python"


def run(*command, fails=False):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert (done.returncode != 0) == fails, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr if fails else done.stdout


def check_game(text, game):
    """The moves are legal and the game ended as the program says."""
    lines = dict(line.split(" ", 1) for line in text.splitlines())
    assert lines["ruleset"] == game, lines
    moves = lines["moves"].split()
    assert len(moves) > 10, moves
    uci = (f"setoption name UCI_Variant value {game}\nposition startpos moves {' '.join(moves[:-1])}\n"
           f"go perft 1\nposition startpos moves {' '.join(moves)}\ngo nodes 1\nquit\n")
    answer = subprocess.run([os.environ["MAKZERO"], "uci"], input=uci, capture_output=True, text=True).stdout
    assert f"\n{moves[-1]}: 1" in answer, answer
    assert "info string the game is over" in answer or "info string the rules draw this game" in answer, answer
    print(f"{game}: {len(moves)} plies, {lines['result']}")


def vectors_hold(folder):
    """The planes and move indices of makyek.py are those of the test vectors."""
    code = f"""
import json, sys
sys.path.insert(0, {str(EXAMPLES)!r})
import makyek, numpy
net = json.load(open({str(folder / 'net.json')!r}))
names = [plane["name"] for plane in net["planes"]]
for vector in net["test_vectors"]:
    board = makyek.Board()
    rows, side = vector["position"].split()
    for digit in range(1, 9):
        rows = rows.replace(str(digit), "." * digit)
    white = numpy.array([[{{"M": 1, "m": -1, ".": 0}}[c] for c in row] for row in reversed(rows.split("/"))])
    board.squares = white if side == "w" else -white[::-1, ::-1]
    board.ply, board.quiet = vector["ply"], vector["quiet_plies"]
    board.seen = {{board.key(): 1}}
    assert numpy.allclose(board.planes(names).ravel(), vector["planes"], atol=1e-6), vector["position"]
    moves = {{board.text(a) + board.text(b): 64 * (8 * a[0] + a[1]) + 8 * b[0] + b[1] for a, b in board.moves()}}
    assert moves == {{entry["move"]: entry["index"] for entry in vector["legal"]}}, vector["position"]
"""
    run(PYTHON, "-c", code)


def other_networks_are_refused(folder, *command):
    """The refusal names both encoders and both move indices."""
    net = json.loads((folder / "net.json").read_text())
    for key in ("encoder", "move_index"):
        (folder / "net.json").write_text(json.dumps({**net, key: "2-ffffffffffff"}))
        why = run(*command, folder, fails=True)
        assert "2-ffffffffffff" in why and net[key] in why, why


if not PYTHON.exists():
    print("skipped: tests/run.sh install brings the runtimes")
    sys.exit(77)
scratch = SAMPLES.parent / "other"
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir()
(scratch / "node_modules").symlink_to(RUNTIMES / "node_modules")
shutil.copy(EXAMPLES / "any_game.mjs", scratch)
family = scratch / "family"
run(os.environ["MAKZERO"], "export", EXAMPLES.parents[1] / "models/zoo/custodial/network.mzc", "--game", "makyek", "--out", family)
for folder in (SAMPLES / "makyek/net", family):
    vectors_hold(folder)
    check_game(run(PYTHON, EXAMPLES / "makyek.py", folder, 1), "makyek")
shutil.copytree(SAMPLES / "makyek/net", scratch / "makyek")
other_networks_are_refused(scratch / "makyek", PYTHON, EXAMPLES / "makyek.py")

page = scratch / "gala"
run(os.environ["MAKZERO"], "export", SAMPLES / "gala/net.mzc", "--to", "web", "--tower", "--out", page)
check_game(run("node", scratch / "any_game.mjs", page, 2), "gala")
other_networks_are_refused(page, "node", scratch / "any_game.mjs")
