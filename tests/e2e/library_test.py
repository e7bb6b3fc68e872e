# The library of games and reviews in bulk: imports, searches, interruptions, and the same over HTTP.
import json
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import api
from program import PATIENCE, PROGRAM, makzero
from serve_test import Server

GAMES = 30
BROKEN = '[Event "broken"]\n[Variant "Makruk"]\n[White "Nobody"]\n\n1. z9 e5 1-0\n'


def setUpModule():
    global FOLDER, FILE, _folder
    _folder = tempfile.TemporaryDirectory(prefix="makzero-")
    FOLDER = pathlib.Path(_folder.name)
    games = FOLDER / "saved"
    run = makzero("match", "makruk", "--a", "greedy", "--b", "random", "--games", str(GAMES), "--save", games)
    assert run.returncode == 0, run.stderr
    texts = [file.read_text() for file in sorted(games.glob("*.pgn"))]
    FILE = FOLDER / "games.pgn"
    FILE.write_text("\n".join(texts[:10] + [BROKEN] + texts[10:]))


def tearDownModule():
    _folder.cleanup()


class LibraryTest(unittest.TestCase):
    def test_games_are_imported_once_found_and_written(self):
        library = FOLDER / "library"
        first = makzero("library", library, "--import", FILE)
        self.assertEqual(first.returncode, 1)
        self.assertIn(f"{FILE} #11: skipped: line ", first.stdout)
        self.assertIn(f"{GAMES} games read, {GAMES} added, 0 were there already", first.stdout)
        again = makzero("library", library, "--import", FILE, FOLDER / "saved")
        self.assertIn(f"{GAMES} games read, 0 added, {GAMES} were there already", again.stdout)
        self.assertEqual(makzero("library", library, "--player", "greedy").stdout.splitlines()[-1], f"{GAMES} of {GAMES} games")
        self.assertEqual(makzero("library", library, "--player", "nobody").stdout, "0 of 0 games\n")
        moves = makzero("library", library, "--game", "makruk", "--moves").stdout.splitlines()[1:]
        self.assertEqual(sum(int(line.split()[1]) for line in moves), GAMES)
        written = FOLDER / "written.pgn"
        self.assertEqual(makzero("library", library, "--player", "greedy", "--output", written).returncode, 0)
        self.assertEqual(written.read_text().count("[Event "), GAMES)

    def test_a_file_is_read_again_as_another_game(self):
        library, file = FOLDER / "nameless", FOLDER / "nameless.pgn"
        file.write_text('[White "a"]\n[Black "b"]\n\n1. a3a4 h6h5 *\n')
        for game in [], ["--game", "makyek-line"]:
            imported = makzero("library", library, "--import", file, *game)
            self.assertIn("1 games read, 1 added", imported.stdout, game)
            again = makzero("library", library, "--import", file, *game)
            self.assertEqual("0 games read, 0 added, 0 were there already; 1 were imported before, their files are as they were\n",
                             again.stdout, game)

    def test_names_stand_in_columns_in_every_script(self):
        library, file = FOLDER / "scripts", FOLDER / "scripts.pgn"
        file.write_text("".join(f'[White "{name}"]\n[Black "b"]\n\n1. a3a4 h6h5 *\n\n' for name in ["สมชาย", "Sok"]))
        makzero("library", library, "--import", file)
        first, second = makzero("library", library).stdout.splitlines()[:2]
        self.assertEqual(first.index(" b "), second.index(" b "))

    def test_a_library_is_made_by_an_import_alone(self):
        listed = makzero("library", FOLDER / "typo")
        self.assertEqual(listed.returncode, 1)
        self.assertIn("typo: holds no library of games; --import PATH makes one", listed.stderr)
        self.assertFalse((FOLDER / "typo").exists())

    def test_dates_are_found_however_they_are_written(self):
        library, file = FOLDER / "dated", FOLDER / "dated.pgn"
        file.write_text("".join(f'[Date "{date}"]\n[Variant "Makruk"]\n\n1. e4 *\n\n' for date in ("2026-06-14", "2026.07.01", "????.??.??")))
        makzero("library", library, "--import", file)
        for dates, found in [(["--from", "2026.07"], 1), (["--from", "2026-06-14"], 2), (["--until", "2026.06"], 1), ([], 3)]:
            self.assertEqual(makzero("library", library, *dates).stdout.splitlines()[-1], f"{found} of {found} games", dates)
        for wrong in ("foo", "2026.13", "2026.1"):
            self.assertEqual(makzero("library", library, "--from", wrong).returncode, 2, wrong)

    def test_a_review_goes_on_with_its_own_games_alone(self):
        game, other, output = FOLDER / "one.pgn", FOLDER / "other.pgn", FOLDER / "one.reviewed.pgn"
        partial = pathlib.Path(f"{output}.partial")
        game.write_text('[Variant "Makruk"]\n\n1. e4 e5 *\n')
        other.write_text(game.read_text())

        def review(file, depth):
            return makzero("review", file, "--model", f"alphabeta:{depth}", "--output", output)

        self.assertEqual(review(game, 1).returncode, 0)
        output.rename(partial)
        for file, depth in [(game, 2), (other, 1)]:
            refused = review(file, depth)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("from a review that was interrupted: remove it", refused.stderr)
        game.write_text('[Variant "Makruk"]\n\n1. d4 d5 *\n')
        self.assertIn("other moves of", review(game, 1).stderr)
        game.write_text(other.read_text())
        self.assertEqual(review(game, 1).returncode, 0)
        self.assertEqual(output.read_text().count("[ReviewOf "), 1)

    def test_no_review_is_lost_by_a_kill(self):
        output = FOLDER / "reviewed.pgn"
        command = [PROGRAM, "review", FILE, "--number", "all", "--model", "alphabeta:4", "--output", output]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        seen = [process.stdout.readline() for _ in range(5)]
        process.kill()
        process.communicate(timeout=PATIENCE)
        self.assertFalse(output.exists())
        again = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(again.returncode, 1)
        total, before, skipped = map(int, re.search(r"(\d+) games reviewed, (\d+) of them before, (\d+) skipped", again.stdout).groups())
        self.assertEqual((total, skipped), (GAMES, 1))
        self.assertGreaterEqual(before, len(seen) - 1)
        self.assertEqual(again.stdout.count("skipped: "), 1)
        self.assertEqual(output.read_text().count("[ReviewOf "), GAMES)
        self.assertEqual(makzero("replay", output, "--number", "all", "--to", "pgn").returncode, 0)


class LibraryServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(FOLDER / "runs", "--library", str(FOLDER / "served"))

    @classmethod
    def tearDownClass(cls):
        cls.server.stop(signal.SIGINT)

    def ask(self, path, query):
        operation = api.API["paths"][path]["post"]
        api.validator(operation["requestBody"]["content"]["application/json"]["schema"]).validate(query)
        reply = self.server.post(path, query)
        self.assertEqual(reply.status, 200, reply.body)
        answer = reply.json()
        api.validator(operation["responses"]["200"]["content"]["application/json"]["schema"]).validate(answer)
        return answer

    def delete(self, choice):
        games = self.ask("/api/library/games", {**choice, "limit": 1000})["games"]
        self.ask("/api/library/delete", {"ids": [each["id"] for each in games]})

    def test_the_page_has_all_that_the_command_has(self):
        self.assertEqual(self.ask("/api/library/games", {})["total"], 0)
        imported = self.ask("/api/library/import", {"name": "games.pgn", "text": FILE.read_text()})
        self.assertEqual((imported["added"], len(imported["skipped"])), (GAMES, 1))
        self.assertEqual(self.ask("/api/library/import", {"name": "b", "text": FILE.read_text()})["duplicates"], GAMES)
        page = self.ask("/api/library/games", {"player": "greedy", "limit": 7, "offset": 2, "sort": "plies"})
        self.assertEqual((page["total"], len(page["games"])), (GAMES, 7))
        game = self.server.get(f"/api/library/games/{page['games'][0]['id']}").json()
        api.validator("ReadGame").validate(game)
        self.assertEqual(dict(game["tags"])["Event"], "makzero match")
        for number in ["999", "{}abc", "%20{}", "{}.0", "-1"]:
            path = "/api/library/games/" + number.format(page["games"][0]["id"])
            self.assertEqual(self.server.get(path).status, 404, path)
        position = {"game": "makruk", "moves": game["moves"][:6]}
        found = self.ask("/api/library/games", {"position": position})["games"]
        self.assertIn(page["games"][0]["id"], [each["id"] for each in found])
        moves = self.ask("/api/library/moves", {"game": "makruk", "moves": []})
        self.assertEqual(moves["total"], GAMES)
        ids = [each["id"] for each in page["games"][:2]]
        text = self.ask("/api/library/export", {"ids": ids, "format": "pgn"})["text"]
        self.assertEqual(text.count("[Event "), 2)
        self.ask("/api/library/review", {"ids": ids, "visits": 4})
        deadline = time.monotonic() + PATIENCE
        while (state := self.server.get("/api/library/review").json())["running"]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.assertEqual((state["done"], state["skipped"]), (2, 0))
        reviewed = self.ask("/api/library/games", {"ids": ids})["games"]
        self.assertTrue(all(each["reviewed"] and each["accuracy"][0] > 0 for each in reviewed))
        self.assertEqual(self.ask("/api/library/delete", {"ids": ids})["deleted"], 2)
        self.assertEqual(self.ask("/api/library/games", {})["total"], GAMES - 2)

    def test_a_first_date_leaves_out_games_without_one(self):
        game = '[Event "dated"]\n[Date "{}"]\n[White "{}"]\n[Variant "Makruk"]\n\n1. e4 e5 *\n'
        dates = ["????.??.??", "2019.05.01", "2025.??.??", "2025.05.01"]
        text = "\n".join(game.format(date, number) for number, date in enumerate(dates))
        self.assertEqual(self.ask("/api/library/import", {"name": "dated", "text": text})["added"], len(dates))
        found = self.ask("/api/library/games", {"text": "dated", "from": "2024"})["games"]
        self.assertEqual([each["date"] for each in found], ["2025.05.01", "2025.??.??"])
        self.delete({"text": "dated"})

    def test_long_bodies_pass_a_slow_network(self):
        game = '[White "slow {}"]\n[Event "{}"]\n[Variant "Makruk"]\n\n1. e4 e5 *\n\n'
        text = "".join(game.format(number, "x" * 20_000) for number in range(300))
        body = json.dumps({"name": "slow", "text": text}).encode()
        head = "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n"
        with self.server.send(head.format("/api/library/import", len(body)).encode()) as connection:
            for begin in range(0, len(body), len(body) // 12):  # For more than the 5 seconds of a short one.
                connection.sendall(body[begin:begin + len(body) // 12])
                time.sleep(0.5)
            self.assertIn(b'"added":300', connection.makefile("rb").read())

        body = b'{"player": "slow"}'
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
            connection.connect(("127.0.0.1", self.server.port))
            connection.sendall(head.format("/api/library/export", len(body)).encode() + body)
            reply = connection.makefile("rb")
            size = int(re.search(rb"Content-Length: (\d+)", b"".join(iter(reply.readline, b"\r\n"))).group(1))
            time.sleep(11)  # More than the 10 seconds of a short one.
            self.assertEqual(len(reply.read()), size)
        self.delete({"player": "slow"})

    def test_wrong_queries_name_the_field(self):
        for path, query, field in [("/api/library/games", {"sort": "colour"}, "sort"),
                                   ("/api/library/games", {"limit": 0}, "limit"),
                                   ("/api/library/games", {"playr": "x"}, "playr"),
                                   ("/api/library/games", {"position": {"game": "nogame"}}, "position"),
                                   ("/api/library/delete", {"ids": ["1; DROP TABLE games"]}, "ids"),
                                   ("/api/library/moves", {"game": "makruk", "moves": ["a1a9"]}, "moves")]:
            with self.subTest(path=path, query=query):
                reply = self.server.post(path, query)
                self.assertEqual((reply.status, reply.json()["field"]), (400, field), reply.body)


if __name__ == "__main__":
    unittest.main()
