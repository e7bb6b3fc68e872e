#!/usr/bin/env python3
"""The language of the project: no line of a source, message or page has a word that words.txt replaces.

usage: tests/words.py [FILE ...]     without FILE: every source and page of the project
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["game", "mcts", "nn", "train", "play", "models", "tests"]
KINDS = {".cc", ".h", ".in", ".md", ".proto", ".py", ".mjs", ".ts", ".sh", ".txt", ".cmake"}
# What other versions wrote, what others wrote, what a program wrote; the rules name results as the program prints them.
NOT_READ = ["models/zoo", "play/web/built", "play/web/node_modules", "tests/data", "game/certificates", "game/texts",
            "game/READINGS.md", "tests/words.txt"]


def read_words(path):
    """[(compiled expression, word to use)] and {file: [expressions that may stay in it]}."""
    words, kept = [], {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        left, arrow, right = line.partition(" => ")
        if arrow and right:
            words.append((re.compile(left), right))
        elif line.startswith("keep ") and line.count(" ") >= 2:
            _, file, expression = line.split(" ", 2)
            kept.setdefault(file, []).append(re.compile(expression))
        else:
            sys.exit(f"{path}:{number}: write EXPRESSION => WORD, or keep FILE EXPRESSION")
    return words, kept


def sources():
    yield ROOT / "README.md"
    yield ROOT / "CMakeLists.txt"
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in KINDS and path.is_file():
                if not any(str(path.relative_to(ROOT)).startswith(start) for start in NOT_READ):
                    yield path


def complaints(path, words, kept):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for expression, word in words:
            match = expression.search(line)
            if match and not any(one.search(line) for one in kept):
                yield f"{path.relative_to(ROOT)}:{number}: '{match.group()}': write {word}"


def main(files):
    words, kept = read_words(ROOT / "tests/words.txt")
    found = []
    for path in [pathlib.Path(file).resolve() for file in files] or sources():
        found += complaints(path, words, kept.get(str(path.relative_to(ROOT)), []))
    print("\n".join(found) or "no word of words.txt")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
