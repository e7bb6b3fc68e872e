#!/usr/bin/env python3
"""The layers of the program: no folder includes what lies above it, and LibTorch is seen in its plugin alone.

usage: tests/layers.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What a folder may include besides its own headers. From the bottom to the top.
MAY_INCLUDE = {}


def layer(folder, *below):
    """A folder may include the folders named and what those may include."""
    MAY_INCLUDE[folder] = set(below).union(*(MAY_INCLUDE[other] for other in below))


layer("game")
layer("game/rules", "game")
MAY_INCLUDE["game"].add("game/rules")  # The catalogue.
layer("mcts/endings", "game")
layer("mcts", "mcts/endings")
layer("mcts/alpha_beta", "mcts")
layer("nn", "mcts")
layer("nn/torch", "nn")
layer("nn/evaluators", "nn")
layer("models", "nn", "nn/evaluators", "mcts/alpha_beta")
layer("models/player", "models")
layer("train", "models/player")
layer("train/replay", "train")
layer("train/match", "train/replay")
layer("train/rating", "train/match")
layer("train/self_play", "train/replay")
layer("train/learning", "train/self_play")
layer("train/hub", "train/learning", "train/rating")
layer("train/run", "train/hub")
layer("train/zoo", "train/rating", "train/self_play")
layer("play", "models/player")
layer("play/notation", "play")
layer("play/engine", "play")
MAY_INCLUDE["play"].add("play/notation")  # A game is read as text.
layer("play/json", "play/engine", "play/notation")
layer("play/analysis", "play/json")
layer("play/export", "play/json")
layer("play/library", "play/json")
layer("play/terminal", "play/engine", "play/notation")
layer("play/uci", "play/engine", "play/notation")
layer("play/web/wasm", "play/json")
layer("play/embed", "play/json")
layer("play/python", "play/notation", "train/replay")
layer("play/server", "play/analysis", "play/export", "play/library", "train/run")  # It shows runs.
layer("play/commands", "play/server", "play/terminal", "play/uci", "train/zoo")
layer("play/commands/training", "play/commands")
MAY_INCLUDE["play/commands"].add("play/commands/training")

SEES_LIBTORCH = {"nn/torch"}

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
