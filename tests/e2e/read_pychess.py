"""What PyChess reads in games of PGN: a line of JSON per file. usage: /usr/bin/python3 read_pychess.py FILE..."""
import io
import json
import pathlib
import sys

import gi

gi.require_version("Gtk", "3.0")
from pychess.Savers import pgn  # noqa: E402

for file in map(pathlib.Path, sys.argv[1:]):
    games = pgn.load(io.StringIO(file.read_text()))
    model = games.loadToModel(games.games[0])
    print(json.dumps({
        "variant": type(model.boards[0]).__name__,
        "white": games.games[0]["White"],
        "moves": [move.as_uci() for move in model.moves],
    }))
