# `makzero serve`: what it answers, and that strangers cannot do harm with it.
import concurrent.futures
import gzip
import http.client
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

import api
from program import PATIENCE, PROGRAM, Training, makzero, metrics_of

HOST = "127.0.0.1"
JSON = {"Content-Type": "application/json"}


class Reply:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    def json(self):
        return json.loads(self.body)


class Server:
    """A `makzero serve` and what clients ask of it."""

    def __init__(self, runs, *arguments):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port=0", "--runs", str(runs), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("Open "):
            raise AssertionError(line + self.process.stderr.read())
        self.url = line.split()[1]
        self.port = urllib.parse.urlsplit(self.url).port

    def request(self, method, target, body=None, headers=None):
        """Sends the target as it is written."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, target, skip_host="Host" in (headers or {}), skip_accept_encoding=True)
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            if body is not None:
                try:
                    connection.send(body)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # Refused before all of it was read.
            return Reply(connection.getresponse())
        finally:
            connection.close()

    def get(self, target, **headers):
        return self.request("GET", target, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, target, value):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        return self.request("POST", target, body, JSON)

    def stream(self, method, target, value=None):
        return Stream(self.port, method, target, value)

    def send(self, text):
        """A socket on which this was written."""
        connection = socket.create_connection((HOST, self.port), timeout=PATIENCE)
        connection.sendall(text)
        return connection

    def memory(self):
        """Resident KiB."""
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1])

    def stop(self, number=signal.SIGINT):
        """The exit status and what was written to stderr."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors


class Stream:
    """Server-sent events as they come."""

    def __init__(self, port, method, target, value=None):
        self.connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
        body = None if value is None else json.dumps(value)
        self.connection.request(method, target, body, JSON if body else {})
        self.response = self.connection.getresponse()
        self.status = self.response.status

    def event(self):
        """The next one, as name and value; None at the end."""
        name, data = "message", None
        while line := self.response.readline():
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                name = text[7:]
            elif text.startswith("data: "):
                data = json.loads(text[6:])
            elif not text and data is not None:
                return name, data
        return None

    def events(self):
        while event := self.event():
            yield event

    def next(self, wanted):
        """The value of the next event of that name."""
        for name, value in self.events():
            if name == wanted:
                return value
        raise AssertionError(f"the stream ended before '{wanted}'")

    def close(self):
        self.connection.sock and self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.response.close()
        self.connection.close()


def setUpModule():
    """A run of two generations, beside which a secret lies."""
    global FOLDER
    folder = tempfile.TemporaryDirectory(prefix="makzero-")
    unittest.addModuleCleanup(folder.cleanup)
    FOLDER = pathlib.Path(folder.name)
    training = Training(FOLDER / "runs" / "tiny")
    training.wait_for_log("rating ruleset=makyek generation=")
    training.signal(signal.SIGINT)
    training.finish()
    (FOLDER / "secret.txt").write_text("SECRET")
    (FOLDER / "runs" / "secret.txt").write_text("SECRET")


class ServeTest(unittest.TestCase):
    """One server for all tests that leave it as it is."""

    @classmethod
    def setUpClass(cls):
        cls.runs = FOLDER / "runs"
        cls.run_folder = cls.runs / "tiny"
        cls.server = Server(cls.runs)
        cls.addClassCleanup(cls.server.process.stderr.close)
        cls.addClassCleanup(cls.server.process.stdout.close)
        cls.addClassCleanup(cls.server.process.wait)
        cls.addClassCleanup(cls.server.process.kill)

    def assert_error(self, reply, status, *words):
        self.assertEqual(reply.status, status, reply.body)
        error, parts = reply.json()["error"], reply.json().get("errorParts")
        for word in words:
            self.assertIn(word, error)
        if parts:  # What is translated is the same sentence.
            self.assertEqual(parts["text"].format(**parts["values"]), error)
        self.assertNotIn(str(FOLDER), reply.body.decode())


class AnswersTest(ServeTest):
    def test_the_page_loads_its_files_and_nothing_from_elsewhere(self):
        page = self.server.get("/")
        self.assertEqual(page.status, 200)
        self.assertTrue(page.headers["Content-Type"].startswith("text/html"))
        names = re.findall(r'(?:src|href)="([^"#]+)"', page.body.decode())
        self.assertTrue(any(name.endswith(".js") for name in names), names)
        for name in names:
            with self.subTest(name=name):
                file = self.server.get(urllib.parse.urljoin("/", name))
                self.assertEqual(file.status, 200)
                self.assertEqual(file.headers["X-Content-Type-Options"], "nosniff")
        self.assertIn("default-src 'none'", page.headers["Content-Security-Policy"])
        self.assertIn("frame-ancestors 'none'", page.headers["Content-Security-Policy"])

    def test_a_game_is_told_move_by_move(self):
        state = self.server.post("/api/state", {"game": "makyek", "moves": ["h3h4"]}).json()
        self.assertEqual(state["toMove"], "black")
        self.assertEqual(len(state["pieces"]), 32)
        games = self.server.get("/api/games").json()
        self.assertIn("makruk", [game["game"] for game in games])
        for game in games:
            self.assertEqual(self.server.post("/api/state", {"game": game["game"]}).status, 200)

    def test_the_rules_are_those_of_the_ruleset_in_play(self):
        rules = self.server.get("/api/rules?game=makyek%3Ajump%3Don").json()
        self.assertEqual([change["title"] for change in rules["changes"]], ["Jumps"])
        self.assertIn("Capturing", [section["heading"] for section in rules["sections"]])
        raw = self.server.get("/api/rules?game=makyek:jump=on&other=a=b").json()
        self.assertEqual(raw, rules)  # As people type it.
        self.assert_error(self.server.get("/api/rules?game=chess9"), 400, "unknown game 'chess9'")
        self.assert_error(self.server.get("/api/rules"), 400)

    def test_a_game_goes_out_as_text_and_comes_in_again(self):
        query = {"game": "makyek", "moves": ["h3h4", "a6a5"]}
        text = self.server.post("/api/write", query).json()["text"]
        read = self.server.post("/api/read", {"text": text}).json()
        self.assertEqual((read["moves"], read["result"]), (query["moves"], "*"))
        marked = "\ufeff" + text.replace("\n", "\r\n")  # As Windows writes it.
        self.assertEqual(self.server.post("/api/read", {"text": marked}).json(), read)

    def test_variations_within_variations_are_written_and_read(self):
        moves = [entry["move"] for entry in self.server.post("/api/state", {"game": "makruk", "moves": []}).json()["legal"]]
        line = [{"move": moves[0]}]
        for depth in range(32):
            line = [{"move": moves[(depth + 1) % 2], "variations": [line]}]
        query = {"game": "makruk", "moves": [line[0]["move"]], "line": line}
        for text_format in ["pgn", "json"]:
            reply = self.server.post("/api/write", {**query, "format": text_format})
            self.assertEqual(reply.status, 200, reply.body)
            read = self.server.post("/api/read", {"text": reply.json()["text"]}).json()
            self.assertEqual(read["moves"], query["moves"])

    def test_the_planes_of_a_position(self):
        planes = self.server.post("/api/planes", {"game": "gala", "moves": []}).json()
        self.assertEqual(len(planes["names"]), len(planes["planes"]))
        self.assertEqual({len(plane) for plane in planes["planes"]}, {64})
        self.assertEqual(sum(planes["planes"][planes["names"].index("board")]), 49)

    def test_files_of_the_page_are_compressed_and_come_once(self):
        plain = self.server.get("/app.js")
        self.assertNotIn("Content-Encoding", plain.headers)
        packed = self.server.get("/app.js", Accept_Encoding="gzip, deflate, br")
        self.assertEqual(packed.headers["Content-Encoding"], "gzip")
        self.assertEqual(gzip.decompress(packed.body), plain.body)
        self.assertLess(len(packed.body), len(plain.body) / 2)
        self.assertEqual(packed.headers["Cache-Control"], "no-cache")
        again = self.server.get("/app.js", Accept_Encoding="gzip", If_None_Match=packed.headers["ETag"])
        self.assertEqual((again.status, again.body), (304, b""))
        changed = self.server.get("/app.js", If_None_Match='W/"of another version"')
        self.assertEqual((changed.status, changed.body), (200, plain.body))
        # Its answers depend on who asks, and when.
        self.assertEqual(self.server.get("/api/games").headers["Cache-Control"], "no-store")

    def test_names_of_assets_change_with_their_content_and_are_kept_for_good(self):
        page = self.server.get("/", Accept_Encoding="gzip")
        names = re.findall(r'(?:src|href)="\./(assets/[0-9a-f]{16}/[^"]+)"', gzip.decompress(page.body).decode())
        self.assertEqual({name.rsplit(".")[-1] for name in names}, {"css", "js", "svg"})
        for name in names:
            with self.subTest(name=name):
                file = self.server.get("/" + name, Accept_Encoding="gzip")
                self.assertEqual(file.headers["Cache-Control"], "public, max-age=31536000, immutable")
                plain = self.server.get("/" + name.rsplit("/")[-1])
                self.assertEqual(gzip.decompress(file.body), plain.body)
                other = re.sub("/[0-9a-f]{16}/", "/0123456789abcdef/", name)
                self.assert_error(self.server.get("/" + other), 404)

    def test_the_index_is_asked_for_again_and_comes_once(self):
        for path in ["/", "/index.html"]:
            with self.subTest(path=path):
                page = self.server.get(path)
                self.assertEqual(page.headers["Cache-Control"], "no-cache")
                client = page.headers["Set-Cookie"].split(";")[0]
                again = self.server.get(path, If_None_Match=page.headers["ETag"], Cookie=client)
                self.assertEqual((again.status, again.body, again.headers["Set-Cookie"]), (304, b"", None))

    def test_head_requests_get_the_head_alone(self):
        for path in ["/", "/api/games", "/api/runs/tiny/events", "/api/nothing"]:
            with self.subTest(path=path):
                head = self.server.request("HEAD", path)
                connection = self.server.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                response = http.client.HTTPResponse(connection)
                response.begin()
                connection.close()
                self.assertEqual(head.body, b"")
                same = ["Content-Type", "Content-Length", "Transfer-Encoding"]
                self.assertEqual((head.status, [head.headers[name] for name in same]),
                                 (response.status, [response.headers[name] for name in same]))

    def test_a_client_that_waits_before_its_body_is_told_to_go_on(self):
        head = b"POST /api/state HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 17\r\n"
        connection = self.server.send(head + b"Content-Type: application/json\r\n\r\n")
        self.assertEqual(connection.recv(1000), b"HTTP/1.1 100 Continue\r\n\r\n")
        connection.sendall(b'{"game":"makyek"}')
        self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n"))
        connection.close()
        refused = self.server.send(head + b"\r\n")
        self.assertTrue(refused.recv(1000).startswith(b"HTTP/1.1 415 "))
        refused.close()

    def test_one_connection_has_one_request(self):
        connection = self.server.send(b"GET /api/judgements HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
        answers = b"".join(iter(lambda: connection.recv(10_000), b""))
        self.assertEqual(answers.count(b"HTTP/1.1 200 OK\r\n"), 1)
        self.assertIn(b"\r\nConnection: close\r\n", answers)
        connection.close()

    def test_a_network_searches_and_leaves_its_tree(self):
        first = self.server.get("/api/players?game=makyek").json()[0]
        self.assertEqual((first["player"], first["label"]), ("tiny", 'your training "tiny" (newest)'))
        self.assertRegex(first["details"], "^network [a-z]+-[0-9]+x[0-9]+-r[0-9]+[kM]?-[0-9a-f]{6}, generation 1$")
        search = self.server.stream("POST", "/api/search", {
            "id": "one", "game": "makyek", "moves": ["h3h4"], "player": "tiny", "maxVisits": 200,
            "reportDuringSearchEvery": 0.05, "includePolicy": True})
        results = [result for _, result in search.events()]
        self.assertEqual([result["isDuringSearch"] for result in results], [True] * (len(results) - 1) + [False])
        self.assertEqual(results[-1]["rootInfo"]["visits"], 200)
        self.assertAlmostEqual(sum(entry["prior"] for entry in results[-1]["policy"]), 1, places=2)
        best = results[-1]["best"]
        children = self.server.get("/api/search/one/tree?path=").json()
        self.assertEqual(sum(child["visits"] for child in children), 200)
        self.assertTrue(self.server.get(f"/api/search/one/tree?path={best}").json())
        self.assert_error(self.server.get("/api/search/two/tree?path="), 404)
        self.assert_error(self.server.get("/api/search/one/tree?path=a1a1"), 400)

    def test_a_search_without_limits_goes_on_until_the_client_leaves(self):
        query = {"game": "makyek", "player": "tiny", "reportDuringSearchEvery": 0.05}
        searches = [self.server.stream("POST", "/api/search", query) for _ in range(4)]
        for search in searches:
            self.assertTrue(search.event()[1]["isDuringSearch"])
        refused = self.server.post("/api/search", query)
        self.assert_error(refused, 429, "4 searches of yours")
        self.assertEqual(refused.json()["errorParts"]["values"], {"count": 4})
        self.assertIn("Retry-After", refused.headers)
        for search in searches:
            search.close()
        deadline = time.monotonic() + PATIENCE
        while (last := self.server.stream("POST", "/api/search", {**query, "maxVisits": 1})).status == 429:
            self.assertLess(time.monotonic(), deadline, "the searches of closed connections still run")
        self.assertEqual(last.status, 200)

    def test_a_checkpoint_is_exported_and_fetched(self):
        checkpoint = self.server.get("/api/runs/tiny/checkpoints").json()[0]
        path = f"/api/runs/tiny/checkpoints/{checkpoint['id']}/export"
        files = self.server.post(path, {"to": "onnx"}).json()["files"]
        self.assertEqual([file["name"] for file in files], ["model.onnx", "net.json"])
        for file in files:
            self.assertEqual(self.server.get(file["url"]).status, 200)
        self.assert_error(self.server.post(path, {"to": "floppy"}), 400, "'to'")
        self.assert_error(self.server.post("/api/runs/tiny/checkpoints/999999/export", {"to": "onnx"}), 404)


class DocumentTest(ServeTest):
    def test_the_document_is_served(self):
        self.assertEqual(self.server.get("/api/schema").body.decode(), api.TEXT)

    def test_the_document_has_every_route(self):
        routes = set()
        for path in (api.ROOT / "play" / "server").glob("*.cc"):
            routes |= set(re.findall(r'add\(\s*"(GET|POST)",\s*"(/api/[^"]*)"', path.read_text()))
        documented = {(method.upper(), re.sub("{[a-z]+}", "*", path))
                      for path, methods in api.API["paths"].items() for method in methods}
        self.assertEqual(documented, routes)

    def test_answers_are_as_the_document_has_them(self):
        id = self.server.get("/api/runs/tiny/checkpoints").json()[0]["id"]
        counted = {"game": "makruk", "start": "4k3/8/8/8/8/8/R6R/4K3 w - - 0 1", "moves": [["w", "Kd2"]]}
        games = [{"game": "makyek", "moves": ["h3h4", ["b", "a6a5"]]}, {"game": "gala"}, counted,
                 {"game": "makruk:count.mode=manual", "start": "4k2n/8/8/8/8/8/RR6/4K3 b - - 0 1", "moves": ["count"]},
                 {"game": "makyek", "start": "8/8/8/2Mm4/8/8/8/4M3 w", "moves": ["e1e5"]}]
        line = [{"move": "Kd2", "comment": "x", "nags": [4], "eval": {"mate": 3}, "variations": [[{"move": "Ra8+"}]]}]
        pgn = self.server.post("/api/write", {**counted, "format": "pgn", "line": line}).json()["text"]
        table = [("GET", "/api/games", "", [None]), ("GET", "/api/judgements", "", [None]), ("GET", "/api/runs", "", [None]),
                 ("GET", "/api/rules", "?game=makruk", [None]), ("GET", "/api/rules", "?game=gala:cross=closed", [None]),
                 ("GET", "/api/players", "?game=makyek", [None]), ("GET", "/api/runs/{run}/checkpoints", "", [None]),
                 ("POST", "/api/state", "", games), ("POST", "/api/planes", "", games), ("POST", "/api/write", "", games),
                 ("POST", "/api/read", "", [{"text": pgn}]), ("GET", "/api/schema", "", [None]),
                 ("POST", "/api/runs/{run}/checkpoints/{id}/export", "", [{"to": "json"}])]
        for method, path, query, bodies in table:
            operation = api.API["paths"][path][method.lower()]
            schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
            for body in bodies:
                with self.subTest(path=path, body=body):
                    target = path.replace("{run}", "tiny").replace("{id}", id) + query
                    reply = self.server.get(target) if body is None else self.server.post(target, body)
                    self.assertEqual(reply.status, 200, reply.body)
                    if body is not None:
                        api.validator(operation["requestBody"]["content"]["application/json"]["schema"]).validate(body)
                    api.validator(schema).validate(reply.json())

    def test_searches_are_as_the_document_has_them(self):
        query = {"id": "doc", "game": "makyek", "player": "tiny", "maxVisits": 100, "reportDuringSearchEvery": 0.01,
                 "includeTree": True, "includePolicy": True, "includePVVisits": True}
        api.validator("Query").validate(query)
        for _, result in self.server.stream("POST", "/api/search", query).events():
            api.validator("Result").validate(result)
        branches = self.server.get("/api/search/doc/tree?path=").json()
        api.validator({"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Branch"}}).validate(branches)
        for field, body in [("komi", {**query, "komi": 7.5}), ("maxVisits", {**query, "maxVisits": 0}), ("game", {})]:
            refusal = self.server.post("/api/search", body)
            self.assert_error(refusal, 400, field)
            api.validator("Error").validate(refusal.json())
            self.assertEqual(refusal.json()["field"], field)


class WatchTest(ServeTest):
    def test_a_stopped_run_is_told_whole_and_left_as_it_was(self):
        def files():
            return {path: path.stat().st_mtime_ns for path in self.run_folder.rglob("*")}

        before = files()
        run = next(run for run in self.server.get("/api/runs").json() if run["name"] == "tiny")
        self.assertEqual((run["name"], run["game"], run["running"]), ("tiny", "makyek", False))
        stream = self.server.stream("GET", "/api/runs/tiny/events")
        rows = metrics_of(self.run_folder)
        self.assertEqual([stream.event()[1]["generation"] for _ in rows], [row["generation"] for row in rows])
        self.assertEqual(stream.next("status")["phase"], "stopped")
        self.assertTrue(stream.next("ratings"))
        game = stream.next("game")
        stream.close()
        state = self.server.post("/api/state", game).json()
        self.assertEqual(len(state["history"]), len(game["moves"]))
        self.assertEqual(files(), before)

    def test_what_is_appended_is_told(self):
        run = self.runs / "copy"
        self.addCleanup(shutil.rmtree, run)
        shutil.copytree(self.run_folder, run)
        stream = self.server.stream("GET", "/api/runs/copy/events")
        stream.next("game")
        metrics = run / "metrics.jsonl"
        with metrics.open("a") as file:
            file.write('{"generation":77}\n{"gener')
        self.assertEqual(stream.next("metrics"), {"generation": 77})
        with metrics.open("a") as file:
            file.write('ation":78}\n')
        self.assertEqual(stream.next("metrics"), {"generation": 78})
        status = json.loads((run / "status.json").read_text())
        (run / "status.json").write_text(json.dumps({**status, "phase": "self-play", "process": self.server.process.pid}))
        self.assertTrue(stream.next("status")["running"])
        stream.close()


class RefusalsTest(ServeTest):
    def test_no_path_leaves_what_is_served(self):
        for prefix in ["", "/api", "/api/runs", "/api/runs/tiny", "/exports", "/exports/tiny/x", "/assets"]:
            for up in ["..", "%2e%2e", "%252e%252e", ".%2e", "..%5c..", "..%00"]:
                for slash in ["/", "%2f", "%252f", "\\", "//"]:
                    for file in ["secret.txt", f"..{slash}secret.txt", "status.json"]:
                        target = f"{prefix}/{up}{slash}{file}"
                        with self.subTest(target=target):
                            reply = self.server.get(target)
                            self.assertIn(reply.status, [400, 404, 405])
                            self.assertNotIn(b"SECRET", reply.body)
        for target in ["/etc/passwd", "//etc/passwd", "/file:///etc/passwd", "file:///etc/passwd", "/./x", "*"]:
            with self.subTest(target=target):
                self.assertNotEqual(self.server.get(target).status, 200)

    def test_names_of_runs_are_compared_and_never_opened(self):
        for name in ["..", ".", "%2e%2e", "secret.txt", "tiny%00", "tiny%2f", "%2ftmp", "tiny%2f..%2ftiny"]:
            for tail in ["events", "checkpoints"]:
                with self.subTest(name=name, tail=tail):
                    reply = self.server.get(f"/api/runs/{name}/{tail}")
                    self.assertTrue(reply.status == 404 or reply.body == b"[]\n", reply.body)
        for player in ["../runs/tiny", "tiny/..", "/", "tiny/../tiny", str(self.run_folder), "", "alphabeta:999", "small", "small:99", "uci:sh"]:
            with self.subTest(player=player):
                reply = self.server.post("/api/search", {"game": "makyek", "player": player, "maxVisits": 1})
                self.assertEqual(reply.status, 200 if player == "" else 400, reply.body)

    def test_foreign_hosts_and_origins_are_refused(self):
        own = f"http://localhost:{self.server.port}"
        for headers, status in [
            ({"Host": "evil.example"}, 403), ({"Host": f"evil.example:{self.server.port}"}, 403), ({"Host": ""}, 403),
            ({"Host": "192.168.1.5"}, 403), ({"Host": "localhost.evil.example"}, 403), ({"Host": "127.0.0.1.nip.example"}, 403),
            ({"Host": f"localhost:{self.server.port}"}, 200), ({"Host": "[::1]:99"}, 200), ({"Host": "LOCALHOST"}, 200),
            ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Origin": "http://localhost:1"}, 403),
            ({"Host": own[7:], "Origin": own}, 200), ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Sec-Fetch-Site": "same-site"}, 403), ({"Sec-Fetch-Site": "same-origin"}, 200), ({"Sec-Fetch-Site": "none"}, 200),
        ]:
            with self.subTest(headers=headers):
                reply = self.server.request("GET", "/api/games", headers=headers)
                self.assertEqual(reply.status, status, reply.body)
                self.assertNotIn("Access-Control-Allow-Origin", reply.headers)

    def test_bodies_that_forms_can_send_are_refused(self):
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", ""]:
            with self.subTest(kind=kind):
                reply = self.server.request("POST", "/api/state", b'{"game":"makyek"}', {"Content-Type": kind})
                self.assert_error(reply, 415, "application/json")
        reply = self.server.request("OPTIONS", "/api/state", headers={"Origin": f"http://{HOST}:{self.server.port}"})
        self.assert_error(reply, 405)

    def test_oversized_and_unmeasured_bodies_are_refused_unread(self):
        self.assert_error(self.server.post("/api/state", b" " * (256 * 1024 + 1)), 413, "262144")
        self.assertEqual(self.server.post("/api/state", b" " * (256 * 1024 - 17) + b'{"game":"makyek"}').status, 200)
        self.assert_error(self.server.request("POST", "/api/state", headers={**JSON, "Content-Length": "9" * 30}), 413)
        self.assert_error(self.server.request("POST", "/api/state", headers={**JSON, "Content-Length": "-1"}), 400)
        self.assert_error(self.server.request("POST", "/api/state", headers=JSON), 411)
        self.assert_error(self.server.request("POST", "/api/state", headers={**JSON, "Transfer-Encoding": "chunked"}), 411)
        self.assert_error(self.server.request("POST", "/api/state", b"{}", {**JSON, "Content-Encoding": "gzip"}), 415)

    def test_heads_have_a_limit(self):
        self.assert_error(self.server.get("/" + "a" * 3000), 414)
        self.assert_error(self.server.request("GET", "/", headers={f"X-{i}": "y" * 100 for i in range(300)}), 431)
        self.assertIn(self.server.get("/", X="y" * 9000).status, [400, 431])
        whole = len(self.server.get("/").body)
        many = self.server.get("/", Range="bytes=" + "0-," * 2000 + "0-")
        self.assertLess(len(many.body), 2 * whole)

    def test_slow_clients_are_sent_away(self):
        begin = time.monotonic()
        half = [
            self.server.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n"),
            self.server.send(b"POST /api/state HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                             b"Content-Length: 100\r\n\r\n{"),
        ]
        drip = self.server.send(b"GET / HTTP/1.1\r\n")

        def drip_on():
            try:
                while True:
                    drip.sendall(b"X: y\r\n")
                    time.sleep(0.2)
            except OSError:
                pass

        dripping = threading.Thread(target=drip_on)
        dripping.start()
        for connection in [*half, drip]:
            self.assertIn(b" 408 ", connection.recv(1000))
        for connection in [*half, drip]:
            connection.close()
        dripping.join()
        self.assertLess(time.monotonic() - begin, PATIENCE / 2)

    def test_unknown_routes_and_methods(self):
        self.assert_error(self.server.get("/api/nothing"), 404)
        self.assert_error(self.server.get("/api/state"), 405, "POST")
        self.assert_error(self.server.post("/api/games", {}), 405, "GET")
        for method in ["DELETE", "PUT", "PATCH", "TRACE", "CONNECT", "OPTIONS"]:
            with self.subTest(method=method):
                self.assertIn(self.server.request(method, "/", b"").status, [400, 405])
        for text in [b"garbage\r\n\r\n", b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\r\n\r\n"]:
            with self.subTest(text=text):
                connection = self.server.send(text)
                self.assertIn(b" 400 ", connection.recv(1000))
                connection.close()

    BODIES = [
        b"", b"{", b"[]", b"null", b"5", b'"text"', b"{}", b"{]", b'{"game"', b'{"game":}', b"\xff\xfe", b"\x00" * 50,
        b'{"game":"\xff"}', b'{"game":"\\ud800"}', b"[" * 100_000, b'{"a":' * 50_000, b'{"moves":' + b"[" * 1000 + b"]" * 1000 + b"}",
        b'{"game":1e999}', b'{"game":"makyek","moves":[' + b"9" * 100_000 + b"]}", b'{"game":"' + b"m" * 200_000 + b'"}',
        b'{"game":"makyek:' + b"jump=maybe," * 9_000 + b'"}', b'{"game":"makyek","start":"' + b"8/" * 50_000 + b'"}',
    ]

    def test_malformed_json_is_explained(self):
        for path in ["state", "read", "write", "planes", "search", "runs/tiny/checkpoints/000000/export"]:
            for body in self.BODIES:
                with self.subTest(path=path, body=body[:40]):
                    reply = self.server.post(f"/api/{path}", body)
                    self.assert_error(reply, 400)
                    self.assertLess(len(reply.body), 5000)

    def test_texts_that_are_nested_too_deeply_are_refused(self):
        nested = "[" * 200_000 + "]" * 200_000
        for text in [nested, '{"game": "makyek", "moves": ' + nested + "}"]:
            with self.subTest(text=text[:40]):
                self.assert_error(self.server.post("/api/read", {"text": text}), 400, "levels of nesting")

    def test_values_of_the_wrong_type_are_explained(self):
        values = [None, True, -1, 0.5, 1e300, 2**63, 2**64, -(2**63), "word", "x" * 1000, "\u0000", [], [[]], [None], {}, {"a": {}}]
        fields = {
            "state": ["game", "start", "moves"], "planes": ["game", "start", "moves"], "read": ["text"],
            "write": ["game", "start", "moves", "format"],
            "search": ["game", "start", "moves", "id", "player", "level", "maxVisits", "maxTimeMs", "lines", "searchMoves",
                       "includePolicy", "includeTree", "reportDuringSearchEvery", "priority", "seed"],
        }
        # Values that the field takes.
        fine = {"moves": [[]], "includePolicy": [True], "includeTree": [True], "reportDuringSearchEvery": [0.5],
                "id": ["word", "\u0000", "x" * 1000], "priority": [-1]}
        for path, names in fields.items():
            for name in names:
                for value in values:
                    with self.subTest(path=path, name=name, value=value):
                        good = {"text": "x"} if path == "read" else {"game": "makyek", "moves": []}
                        if path == "search":
                            good |= {"player": "tiny", "maxVisits": 1}
                        reply = self.server.post(f"/api/{path}", {**good, name: value})
                        if any(type(value) is type(one) and value == one for one in fine.get(name, [])):
                            self.assertEqual(reply.status, 200, reply.body)
                        else:
                            self.assert_error(reply, 400)
                            self.assertEqual(reply.json()["field"], name)

    def test_memory_does_not_grow_with_bad_requests(self):
        def misbehave(number):
            kind = number % 5
            if kind == 0:
                self.server.post("/api/state", self.BODIES[number // 5 % len(self.BODIES)])
            elif kind == 1:
                self.server.get(f"/api/runs/{number}/events")
            elif kind == 2:
                self.server.post("/api/search", {"game": "makyek", "player": f"none{number}"})
            elif kind == 3:
                self.server.get("/", Host="evil.example")
            else:
                self.server.send(b"POST /api/state HTTP/1.1\r\nContent-Length: 10\r\n").close()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(misbehave, range(1500)))
            before = self.server.memory()
            list(pool.map(misbehave, range(4000)))
        self.assertLess(self.server.memory() - before, 8 * 1024)


class CrowdTest(ServeTest):
    def test_two_hundred_clients_at_once_are_answered_or_told_to_come_again(self):
        def ask(_):
            return self.server.get("/api/games")

        with concurrent.futures.ThreadPoolExecutor(200) as pool:
            replies = list(pool.map(ask, range(200)))
        self.assertLessEqual({reply.status for reply in replies}, {200, 503})
        self.assertGreaterEqual(sum(reply.status == 200 for reply in replies), 48)
        for reply in replies:
            if reply.status == 503:
                self.assertIn("Retry-After", reply.headers)
                self.assertIn("too many", reply.json()["error"])

    def test_who_says_nothing_is_left_without_a_reply(self):
        silent = socket.create_connection((HOST, self.server.port))
        silent.settimeout(30)
        try:
            self.assertEqual(silent.recv(100), b"")
        except ConnectionResetError:
            pass
        silent.close()

    def test_two_hundred_that_say_nothing_keep_nobody_out(self):
        silent = [socket.create_connection((HOST, self.server.port)) for _ in range(200)]
        self.assertEqual(self.server.get("/").status, 200)
        for connection in silent:
            connection.close()

    def test_two_hundred_that_dawdle_are_refused_and_then_all_is_well(self):
        slow = [self.server.send(b"GET / HTTP/1.1\r\n") for _ in range(200)]
        first = [connection.recv(2000) for connection in slow]
        for connection in slow:
            connection.close()
        self.assertEqual({b"503" if b" 503 " in text else b"408" if b" 408 " in text else text for text in first}, {b"503", b"408"})
        self.assertEqual(self.server.get("/").status, 200)

    def test_streams_leave_room_for_other_requests(self):
        streams = [self.server.stream("GET", "/api/runs/tiny/events") for _ in range(40)]
        statuses = [stream.status for stream in streams]
        self.assertEqual((statuses.count(200), statuses.count(503)), (24, 16))
        self.assertTrue(all(stream.response.headers["Retry-After"] for stream in streams if stream.status == 503))
        self.assertEqual(self.server.get("/api/games").status, 200)
        for stream in streams:
            stream.close()


class TokenTest(unittest.TestCase):
    def serve(self, *arguments):
        folder = tempfile.TemporaryDirectory(prefix="makzero-")
        self.addCleanup(folder.cleanup)
        server = Server(folder.name, *arguments)
        self.addCleanup(server.process.wait)
        self.addCleanup(server.process.kill)
        self.addCleanup(server.process.stderr.close)
        self.addCleanup(server.process.stdout.close)
        return server

    def test_other_addresses_need_the_token_that_is_printed(self):
        server = self.serve("--address=0.0.0.0")
        token = urllib.parse.parse_qs(urllib.parse.urlsplit(server.url).query)["token"][0]
        self.assertGreaterEqual(len(token), 32)
        for headers in [{}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {token[:-1]}"}, {"Authorization": token},
                        {"Authorization": f"Bearer {token}x"}, {"Cookie": f"makzero_token_{server.port}={token[1:]}"}]:
            for target in ["/", "/api/games", "/app.js", "/?token=" + token[:-1], "/api/games?token=" + token]:
                with self.subTest(headers=headers, target=target):
                    refused = server.request("GET", target, headers=headers)
                    self.assertEqual(refused.status, 401, refused.body)
                    self.assertNotIn(token, refused.body.decode())
        self.assertEqual(server.get("/api/games", Authorization=f"Bearer {token}").status, 200)

        welcome = server.get("/?token=" + token)
        self.assertEqual((welcome.status, welcome.headers["Location"]), (303, "/"))
        cookie = welcome.headers["Set-Cookie"]
        for attribute in ["HttpOnly", "SameSite=Strict", "Path=/"]:
            self.assertIn(attribute, cookie)
        self.assertEqual(server.get("/", Cookie="a=b; " + cookie.split(";")[0]).status, 200)
        self.assertEqual(server.get("/", Cookie=cookie.split(";")[0], Origin="http://evil.example").status, 403)
        self.assertEqual(server.get("/", Cookie=cookie.split(";")[0], Host="rebound.example").status, 403)

    def test_a_token_of_ones_own(self):
        server = self.serve("--token=correct-horse-battery", "--host=my.machine")
        self.assertEqual(server.get("/").status, 401)
        self.assertEqual(server.get("/", Host="my.machine:1", Authorization="Bearer correct-horse-battery").status, 200)
        for token in ["short", "with spaces in it", "semicolon;in;it"]:
            refused = makzero("serve", "--port=0", f"--token={token}")
            self.assertEqual(refused.returncode, 2, refused.stdout)
            self.assertIn("--token", refused.stderr)

    def test_a_run_in_place_of_the_folder_of_runs_is_named(self):
        refused = makzero("serve", "--port=0", "--runs", FOLDER / "runs" / "tiny")
        self.assertEqual(refused.returncode, 2, refused.stdout)
        self.assertIn("is a run", refused.stderr)

    def test_a_taken_port_is_named(self):
        server = self.serve()
        second = makzero("serve", f"--port={server.port}")
        self.assertEqual(second.returncode, 1)
        self.assertIn(str(server.port), second.stderr)
        self.assertIn("another address or port", second.stderr)


class EndTest(ServeTest):
    def test_signals_end_open_streams_at_once_and_the_program_with_0(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            with self.subTest(signal=number):
                server = Server(self.runs)
                streams = [server.stream("GET", "/api/runs/tiny/events") for _ in range(3)]
                streams.append(server.stream("POST", "/api/search", {"game": "makyek", "player": "tiny", "reportDuringSearchEvery": 0.05}))
                for stream in streams:
                    stream.event()
                begin = time.monotonic()
                server.process.send_signal(number)
                for stream in streams:
                    for _ in stream.events():
                        pass
                self.assertLess(time.monotonic() - begin, 1)
                self.assertEqual(server.stop(0), (0, ""))

    def test_a_training_beside_it_learns_the_same(self):
        def train(name, *beside):
            training = Training(self.runs / name, "--deterministic=true", "--seed=3")
            training.wait_for_log("begin ")
            for work in beside:
                work(name)
            training.wait_for_log("generation number=3")
            training.signal(signal.SIGINT)
            self.assertEqual(training.finish()[0], 0)
            return [re.search(r"^ +id +(\w+)", makzero("inspect", self.runs / name / "checkpoints" / f"{number:06}.mzc").stdout, re.M)[1]
                    for number in range(1, 4)]

        def watch(name):
            self.streams = [self.server.stream("GET", f"/api/runs/{name}/events") for _ in range(4)]
            for _ in range(100):
                self.server.get("/api/runs")
                self.server.get(f"/api/runs/{name}/checkpoints")

        watched = train("watched", watch)
        self.assertEqual(self.streams[0].next("metrics")["generation"], 1)
        for stream in self.streams:
            stream.close()
        self.assertEqual(train("alone"), watched)
        check = makzero("fsck", self.runs / "watched")
        self.assertEqual(check.returncode, 0, check.stdout)


if __name__ == "__main__":
    unittest.main()
