"""What `makzero inspect RUN --npz FILE` writes, as NumPy reads it: arrays_test.py RUN. With the distribution's python3-numpy."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print('skipped: install python3-numpy')
    sys.exit(77)

RUN, ROWS = pathlib.Path(sys.argv[1]), 300
PROGRAM = os.environ["MAKZERO"]


def inspect(*arguments):
    run = subprocess.run([PROGRAM, "inspect", *map(str, arguments)], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def recorded_games():
    """Number -> moves, of the games that `inspect` writes out: the first of each shard."""
    games = {}
    for shard in sorted((RUN / "replay").glob("*.mzg")):
        for number, body in re.findall(r'\[Game "(\d+)"\][^\n]*\n(1\. .*?)\n\S+ [wb]\n', inspect(shard)[1], re.DOTALL):
            games[int(number)] = re.findall(r"(?<![a-h1-8])[a-h][1-8][a-h][1-8]\b", body)
    return games


def square(text, ply):
    """As the mover sees it: the board is rotated for Black."""
    index = 8 * (int(text[1]) - 1) + "abcdefgh".index(text[0])
    return 63 - index if ply % 2 else index


with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "rows.npz"
    status, said = inspect(RUN, "--npz", file, "--rows", ROWS)
    assert status == 0, said
    assert f"rows          {ROWS} of 1777 in the window's 32 games" in said, said
    assert list(pathlib.Path(folder).iterdir()) == [file], "nothing else is left"
    with numpy.load(file) as loaded:
        arrays = dict(loaded)  # Checks every checksum.
    for name, array in arrays.items():
        assert f"{name} {array.dtype.str} ({', '.join(map(str, array.shape))}" in said, (name, said)

    status, said = inspect(RUN / "games", "--npz", pathlib.Path(folder) / "none.npz")
    assert status == 1, said
    assert list(pathlib.Path(folder).iterdir()) == [file], "a failure leaves no file"

planes, features, entries = len(arrays["plane_names"]), len(arrays["rule_feature_names"]), len(arrays["move_index"])
shapes = {
    "planes": (ROWS, planes, 8, 8), "rule_features": (ROWS, features), "move_begin": (ROWS + 1,), "policy": (entries,),
    "value": (ROWS, 3), "short_term": (ROWS, 3), "moves_left": (ROWS,), "reply": (ROWS,), "survival": (ROWS, 2, 8, 8),
    "survival_known": (ROWS, 2, 8, 8), "policy_known": (ROWS,), "value_known": (ROWS,), "ruleset": (ROWS,), "game": (ROWS,),
    "ply": (ROWS,), "generation": (ROWS,), "weight": (ROWS,), "held_out": (ROWS,),
}
for name, shape in shapes.items():
    assert arrays[name].shape == shape, (name, arrays[name].shape)
assert arrays["planes"].dtype == numpy.float32 and arrays["game"].dtype == numpy.uint64

# Distributions, and rows in the order in which they were played, from the whole window.
assert arrays["policy_known"].all() and arrays["move_begin"][-1] == entries
assert numpy.allclose(numpy.add.reduceat(arrays["policy"], arrays["move_begin"][:-1]), 1, atol=1e-5)
assert numpy.allclose(arrays["value"].sum(1), 1, atol=1e-5) and arrays["value_known"].all()
assert ((0 <= arrays["move_index"]) & (arrays["move_index"] < 64 * 64 + 65)).all()
sources = list(zip(arrays["game"].tolist(), arrays["ply"].tolist()))
assert sources == sorted(set(sources))
assert len(set(arrays["game"].tolist())) == 32
assert list(arrays["rulesets"]) == ["makyek"] and not arrays["ruleset"].any()
assert 0 < arrays["held_out"].sum() < ROWS / 2

# The records: which man moves, where nobody stands, and what is answered.
own = arrays["planes"][:, list(arrays["plane_names"]).index("own M")].reshape(ROWS, 64)
enemy = arrays["planes"][:, list(arrays["plane_names"]).index("enemy M")].reshape(ROWS, 64)
games, checked = recorded_games(), 0
for row, (game, ply) in enumerate(sources):
    if game not in games:
        continue
    moves = games[game]
    origin, destination = square(moves[ply][:2], ply), square(moves[ply][2:], ply)
    assert own[row, origin] == 1 and own[row, destination] == 0 and enemy[row, destination] == 0, (game, ply)
    listed = arrays["move_index"][arrays["move_begin"][row]:arrays["move_begin"][row + 1]].tolist()
    assert 64 * origin + destination in listed, (game, ply)
    assert arrays["reply_known"][row] == (ply + 1 < len(moves)), (game, ply)
    if ply + 1 < len(moves):
        answer = moves[ply + 1]
        assert arrays["reply"][row] == 64 * square(answer[:2], ply) + square(answer[2:], ply), (game, ply)
    if arrays["moves_left_known"][row]:
        assert arrays["moves_left"][row] == len(moves) - ply, (game, ply)
    checked += 1
assert checked > 20, checked
print(f"{checked} rows compared with the records of {len(games)} games")
