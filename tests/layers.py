#!/usr/bin/env python3
"""The layers of the program: no folder includes what lies above it, and LibTorch is seen in nn/ alone.

usage: tests/layers.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What a folder may include besides its own headers. From the bottom to the top.
MAY_INCLUDE = {
    "game": {"game/rules"},
    "game/rules": {"game"},
    "mcts": {"game"},
    "nn": {"game", "mcts"},
    "models": {"game", "mcts", "nn"},
    "train": {"game", "mcts", "nn", "models", "train/rating", "train/hub"},
    "train/rating": {"game", "mcts", "nn", "models", "train"},
    "train/hub": {"game", "mcts", "nn", "models", "train", "train/rating"},
    "play": {"game", "mcts", "nn", "models"},
    "play/web/wasm": {"game", "mcts", "nn", "models", "play"},
    "play/server": {"game", "mcts", "nn", "models", "play", "train", "train/rating"},  # It shows runs.
    "play/commands": {"game", "mcts", "nn", "models", "play", "play/server", "train", "train/rating", "train/hub"},
}
SEES_LIBTORCH = {"nn"}

INCLUDE = re.compile(r'#include ["<]([^">]+)[">]')
LIBTORCH = re.compile(r"(torch|ATen|c10)/")


def complaints(path):
    folder = str(path.parent)
    if folder not in MAY_INCLUDE:
        yield f"{path}: {folder} has no line in MAY_INCLUDE"
        return
    for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
        included = INCLUDE.match(line)
        if not included:
            continue
        other = str(pathlib.Path(included.group(1)).parent)
        if other in MAY_INCLUDE and other != folder and other not in MAY_INCLUDE[folder]:
            yield f"{path}:{number}: {folder} may not include {included.group(1)}"
        if LIBTORCH.match(included.group(1)) and folder not in SEES_LIBTORCH:
            yield f"{path}:{number}: {folder} may not include LibTorch"


def main():
    found = []
    for top in ("game", "mcts", "nn", "models", "train", "play"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in (".h", ".cc") and "node_modules" not in path.parts:
                found += complaints(path.relative_to(ROOT))
    print("\n".join(found) or "every folder includes what lies below it")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
