"""The reference evaluator reproduces the test vectors of every small network of the zoo, and of rulesets with other boards,
limits and rule features: small_network_test.py ZOO. With the distribution's python3-numpy."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy  # noqa: F401
except ImportError:
    print('skipped: install python3-numpy')
    sys.exit(77)

from small_network import SmallNetwork, check

ZOO = pathlib.Path(sys.argv[1])
RULESETS = ["makyek-line:no_progress=20", "gala:rest=triple", "makruk:count.mode=manual", "cambodian", "low1839-dlp"]
games = sorted(folder.parent.name for folder in ZOO.glob("*/baseline.tsv"))
assert len(games) == 11, games

with tempfile.TemporaryDirectory(prefix="makzero-") as folder:
    states = set()
    for number, ruleset in enumerate([*games, *RULESETS]):
        out = pathlib.Path(folder) / str(number)
        named = ["makyek", "--game", ruleset] if ruleset.startswith("makyek-") else [ruleset]
        subprocess.run([os.environ["MAKZERO"], "export", *named, "--to", "small", "--out", out], check=True,
                       stdout=subprocess.DEVNULL, env=os.environ | {"MAKZERO_ZOO": str(ZOO)})
        assert check(out) == 64, ruleset
        net = json.loads((out / "net.json").read_text())
        network = SmallNetwork((out / "small_network.bin").read_bytes(), net["board"], net["rule_features"])
        assert list(network.first) == [row["name"] for row in net["inputs"]], ruleset
        for vector in net["test_vectors"]:
            for held in vector["state_inputs"][0]:
                states.add(max((first, name) for name, first in network.first.items() if first <= held)[1])

    # The scores depend on each part: an evaluator that leaves one out is seen.
    assert states == {"hands", "rights", "count", "no-progress", "length"}, states  # Without declarations no counter.
    for attribute in ["bias", "features", "output", "output_bias"]:
        changed = SmallNetwork((out / "small_network.bin").read_bytes(), net["board"], net["rule_features"])
        setattr(changed, attribute, getattr(changed, attribute) // 2)
        assert any(changed.score(vector["position"], vector["state_inputs"]) != vector["score"] for vector in net["test_vectors"])
print(f"{len(games)} games and {len(RULESETS)} rulesets, 64 positions each")
