# A run over Redis with two workers, all of them killed with -9 at random moments and Redis emptied: every game that a worker
# has spooled is in the shards once. MAKZERO_HUB_KILLS=1000 is the long form.
import json
import os
import pathlib
import random
import re
import signal
import socket
import socketserver
import subprocess
import threading
import time
import unittest
import urllib.request

from program import PATIENCE, PROGRAM, TINY, RunTest, log_of, makzero

KILLS = int(os.environ.get("MAKZERO_HUB_KILLS", "12"))
FLUSHES = 3
LONGEST_LIFE = 1.5  # Seconds between two kills.
WITHOUT_RATINGS = [flag for flag in TINY if not flag.startswith("--rating.time_share")] + ["--rating.time_share=0"]
REDIS_CONF = pathlib.Path(__file__).parents[2] / "train" / "hub" / "redis.conf"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answering(answer):
    """The port of a server that gives everybody this answer to everything."""
    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            while self.request.recv(4096):
                self.request.sendall(answer)

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def parse_figures(text):
    """Prometheus' text format 0.0.4, strictly: values by name with labels."""
    figures, types = {}, {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            continue
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert kind in ("counter", "gauge") and name not in types, line
            types[name] = kind
            continue
        sample = re.fullmatch(r'([a-zA-Z_][a-zA-Z0-9_]*)(\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (\S+)', line)
        assert sample and sample[1] in types, line
        figures[sample[1] + (sample[2] or "")] = float(sample[3])
    assert text.endswith("\n")
    return figures


class Process:
    """A process that can be killed and started again with the same arguments."""

    def __init__(self, name, arguments, output):
        self.name, self.arguments, self.output = name, [str(argument) for argument in arguments], output
        self.start()

    def start(self):
        with self.output.open("a") as output:
            self.process = subprocess.Popen(self.arguments, stdout=output, stderr=subprocess.STDOUT)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Stops it as a batch system does; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


class HubTest(RunTest):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.url = self.worker_url = f"redis://127.0.0.1:{self.port}"
        self.redis = Process("redis", ["redis-server", REDIS_CONF, "--port", self.port, "--dir", self.folder],
                             self.folder / "redis.out")
        self.addCleanup(self.redis.kill)
        self.wait_for("Redis", lambda: self.redis_cli("PING") == "PONG")

    def redis_cli(self, *words):
        run = subprocess.run(["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True)
        return run.stdout.strip()

    def wait_for(self, what, is_there, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while not is_there():
            self.assertLess(time.monotonic(), deadline, f"no {what}")
            time.sleep(0.05)

    def trainer(self, *arguments):
        given = {argument.split("=")[0] for argument in arguments}
        usual = [flag for flag in WITHOUT_RATINGS if flag.split("=")[0] not in given]
        process = Process("trainer", [PROGRAM, "train", "makyek", "--run", self.run_folder, *usual, "--hub", self.url,
                                      "--self_play.threads=0", *arguments], self.folder / "trainer.out")
        self.addCleanup(process.kill)
        return process

    def worker(self, *arguments, run="run"):
        process = Process("worker", [PROGRAM, "worker", "--hub", self.worker_url, "--run", run, "--threads", "1",
                                     "--spool", self.folder / "spool", *arguments], self.folder / "worker.out")
        self.addCleanup(process.kill)
        return process

    def spools(self):
        return sorted((self.folder / "spool" / "run").glob("*"))

    def audit(self):
        flags = [word for spool in self.spools() for word in ("--spool", spool)]
        return makzero("fsck", self.run_folder, "--hub", self.url, *flags)

    def generations(self):
        return len(re.findall(r"generation number=", log_of(self.run_folder)))

    def end(self, trainer, workers):
        """Stops the workers, sends what they have left, and stops the trainer: the audit must find every game."""
        for worker in workers:
            self.assertEqual(worker.stop(), 0, (self.folder / "worker.out").read_text())
        drain = makzero("worker", "--hub", self.worker_url, "--run", "run", "--spool", self.folder / "spool", "--drain")
        self.assertEqual(drain.returncode, 0, drain.stderr)
        self.assertEqual(trainer.stop(), 0, (self.folder / "trainer.out").read_text())
        audit = self.audit()
        self.assertEqual(audit.returncode, 0, audit.stdout + audit.stderr)
        for line in audit.stdout.splitlines():
            if line.startswith("worker"):
                self.assertRegex(line, r" 0 quarantined, .* 0 in the spool$")
        self.assert_whole()
        return audit.stdout

    def test_no_game_is_lost_or_twice_whoever_is_killed(self):
        moments = random.Random(2026)
        processes = [self.redis, self.trainer(), self.worker(), self.worker()]
        self.wait_for("generation", lambda: self.generations() > 0)
        flushes = set(moments.sample(range(KILLS), FLUSHES))
        for kill in range(KILLS):
            time.sleep(moments.uniform(0, LONGEST_LIFE))
            victim = moments.choice(processes)
            victim.kill()
            victim.start()
            if kill in flushes:
                self.wait_for("Redis", lambda: self.redis_cli("PING") == "PONG")
                self.redis_cli("FLUSHALL")
        before = self.generations()
        self.wait_for("generation after the kills", lambda: self.generations() > before)
        audit = self.end(processes[1], processes[2:])
        games = sum(int(number) for number in re.findall(r"(\d+) games in shards", audit))
        self.assertGreater(games, KILLS)

    def test_a_hub_that_is_away_costs_nothing(self):
        trainer, worker = self.trainer(), self.worker()
        self.wait_for("generation", lambda: self.generations() > 0)
        self.redis.kill()
        for output in ("trainer.out", "worker.out"):
            self.wait_for(f"word of it in {output}", lambda: "hub away" in (self.folder / output).read_text())
        self.redis.start()
        self.wait_for("a worker that is back", lambda: "hub back" in (self.folder / "worker.out").read_text())
        before = self.generations()
        self.wait_for("generation after that", lambda: self.generations() > before)
        self.end(trainer, [worker])

    def test_the_doctor_sees_the_run(self):
        trainer, worker = self.trainer(), self.worker()
        self.wait_for("generation", lambda: self.generations() > 0)
        self.wait_for("a report", lambda: len(self.redis_cli("KEYS", "makzero:{run}:report:*").split()) == 1)
        doctor = makzero("doctor", "--hub", self.url, "--run", self.run_folder)  # Of a path the name.
        self.assertEqual(doctor.returncode, 0, doctor.stdout)
        self.assertRegex(doctor.stdout, r"ok +eviction +noeviction")
        self.assertRegex(doctor.stdout, r"ok +trainer .*epoch \d")
        self.assertRegex(doctor.stdout, r"ok +worker .*games_per_second")
        self.end(trainer, [worker])
        away = makzero("doctor", "--hub", f"redis://127.0.0.1:{free_port()}")
        self.assertEqual(away.returncode, 1)
        self.assertIn("is Redis running there?", away.stdout)

    def figures(self, output):
        """What a process whose output lies there serves at /metrics: values by name and labels."""
        self.wait_for("address of the figures", lambda: "figures at " in output.read_text())
        url = re.search(r"figures at (\S+)", output.read_text())[1]
        self.assertRegex(url, r"^http://127\.0\.0\.1:\d+/metrics$")
        with urllib.request.urlopen(url, timeout=PATIENCE) as reply:
            self.assertEqual(reply.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            return parse_figures(reply.read().decode())

    def test_trainer_and_workers_serve_their_figures(self):
        trainer, worker = self.trainer("--metrics-port=0"), self.worker("--metrics-port=0")
        self.wait_for("generation", lambda: self.generations() > 0)
        trainer_out, worker_out = self.folder / "trainer.out", self.folder / "worker.out"
        name = re.search(r"worker begins name=(\S+)", worker_out.read_text())[1]
        of_worker = f'makzero_hub_worker_games_total{{worker="{name}"}}'
        self.wait_for("the worker among the figures", lambda: of_worker in self.figures(trainer_out))
        figures = self.figures(trainer_out)
        self.assertEqual(figures["makzero_hub_up"], 1)
        self.assertEqual(figures["makzero_hub_workers"], 1)
        self.assertGreater(figures["makzero_games_total"], 0)
        self.assertEqual(figures["makzero_hub_games_refused_total"], 0)
        self.assertGreater(figures["process_resident_memory_bytes"], 1e6)
        figures = self.figures(worker_out)
        self.assertGreater(figures["makzero_worker_games_total"], 0)
        self.assertEqual(figures["makzero_worker_hub_up"], 1)
        status = json.loads((self.run_folder / "status.json").read_text())
        self.assertIn("hub", status)
        self.wait_for("the worker in status.json", lambda: [
            each["name"] for each in json.loads((self.run_folder / "status.json").read_text())["hub"]["workers"]] == [name])
        self.end(trainer, [worker])

    def test_a_worker_that_begins_before_its_hub_says_so_and_waits(self):
        self.redis.kill()
        trainer, worker = self.trainer(), self.worker()
        for output in ("trainer.out", "worker.out"):
            self.wait_for(f"word of waiting in {output}", lambda: re.search(
                r"hub away, tried again: .*is Redis running there\?", (self.folder / output).read_text()))
        self.redis.start()
        self.wait_for("generation", lambda: self.generations() > 0)
        self.end(trainer, [worker])

    def test_the_accounts_of_users_acl_are_enough_for_a_run(self):
        self.redis.kill()
        users = (REDIS_CONF.parent / "users.acl").read_text().replace("makyek", "run")
        (self.folder / "users.acl").write_text(users)
        self.redis.arguments += ["--aclfile", str(self.folder / "users.acl")]
        self.redis.start()
        self.url = f"redis://run-trainer:TRAINER-PASSWORD@127.0.0.1:{self.port}"
        self.worker_url = f"redis://run-worker:WORKER-PASSWORD@127.0.0.1:{self.port}"
        trainer, worker = self.trainer(), self.worker()
        self.wait_for("generation", lambda: self.generations() > 1)
        self.assertRegex(self.end(trainer, [worker]), r"worker run-worker\.\S+: [1-9]\d* games in shards")

    def commands(self, url):
        """A trainer and a worker of this hub, until they end by themselves."""
        yield makzero("train", "makyek", "--run", self.run_folder, *TINY, "--hub", url, "--self_play.threads=0")
        yield makzero("worker", "--hub", url, "--run", "run", "--spool", self.folder / "spool")

    def assert_ends(self, url, why, status=1):
        for ended in self.commands(url):
            self.assertEqual((ended.returncode, len(ended.stderr.splitlines())), (status, 1), ended.stderr)
            self.assertRegex(ended.stderr, why)

    def test_a_worker_of_a_run_that_its_folder_names_needs_no_libtorch_without_a_tower(self):
        os.environ["MAKZERO_TORCH"] = "/nowhere/libmakzero_torch.so"
        self.addCleanup(os.environ.pop, "MAKZERO_TORCH")
        self.trainer("--self_play.small_share=1", "--self_play.small_nodes=20", "--learning.small_rows_per_generation=300")
        worker = self.worker(run=self.run_folder)
        self.wait_for("generation", lambda: (self.run_folder / "train.log").exists() and self.generations() > 1)
        self.assertEqual(worker.stop(), 0, worker.output.read_text())

    def test_what_waiting_does_not_mend_ends_trainer_and_worker_at_once(self):
        self.redis_cli("CONFIG", "SET", "requirepass", "secret")
        self.assert_ends(self.url, "NOAUTH.*MAKZERO_HUB_PASSWORD")
        self.assert_ends(f"redis://:wrong@127.0.0.1:{self.port}", "WRONGPASS.*MAKZERO_HUB_PASSWORD")
        self.assert_ends("redis://nowhere.invalid.." , "no such host")
        self.assert_ends("redis://" + 70_000 * "h", "no such host")
        self.assert_ends("redis://[::1", r"'\[' without '\]'", status=2)
        for answer in (b"HTTP/1.1 400 Bad Request\r\n\r\n", b"-ERR what\r\n", b"garbage\n"):
            self.assert_ends(f"redis://127.0.0.1:{answering(answer)}", "does not answer as Redis|ERR what")

    def test_without_a_hub_somebody_must_play(self):
        refused = makzero("train", "makyek", "--run", self.run_folder, "--self_play.threads=0")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("nobody would play", refused.stderr)


if __name__ == "__main__":
    unittest.main()
