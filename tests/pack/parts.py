#!/usr/bin/env python3
"""What only a machine with a card can show: two parts of about five minutes, each a list of steps.

A failed step does not end the others. Figures of all steps, of earlier calls too, lie in RESULTS/gpu.json.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

PACK = pathlib.Path(__file__).resolve().parent
PROGRAM = PACK / "bin/makzero"
ZOO = PACK / "share/makzero/zoo"
FIGURES = PACK / "figures"  # STEP.json; kept between the calls.
RUNS = PACK / "runs"
FAMILIES = {**dict.fromkeys(["minrekchanh", "rek", "gala", "makyek", "apit", "hunt"], "custodial"),
            **dict.fromkeys(["makruk", "ok", "kaok", "low1839", "makruk-sutra"], "chess")}
OWN_TOWERS = ["makruk", "kaok"]  # Games whose own tower is the stronger one on a CPU.
GAME, FAMILY = "makruk", "chess"  # What is trained and matched: a game whose results tell networks apart.


@dataclasses.dataclass(frozen=True)
class Scale:
    """How long and how large everything is, on a card and in a rehearsal on a CPU."""
    preset: str
    tests: str  # Those of part 1, as a filter of GoogleTest.
    seconds: float  # Of a measurement.
    training: float  # Seconds of each training of part 2, at most.
    generations: int  # Of each training; 0: until its time is up.
    part_2: float  # Seconds of part 2 in all.
    small: str  # Sizes of networks: blocks x channels.
    large: str
    match_games: int
    simulations: int  # Of a move in matches.
    strength_games: int  # Of each match at equal time.
    strength_ms: int  # Of a move in them.
    strength_threads: int  # Games at once.
    strength_seconds: float  # The match of part 2's training, at most.
    positions: int  # Of the analysis.
    visits: int
    flags: tuple = ()  # Of trainings.


ON_CARD = Scale(preset="gpu", tests="-*ZooPrecision*", seconds=2, training=90, generations=0, part_2=450,
                small="6x64", large="10x128", match_games=40, simulations=32,
                strength_games=16, strength_ms=100, strength_threads=8, strength_seconds=75, positions=128, visits=800,
                flags=("--learning.bootstrap_rows=60000", "--learning.rows_per_generation=60000",
                       "--replay.minimum_window=60000", "--rating.time_share=0"))
REHEARSAL = Scale(preset="quick", tests="TorchEvaluatorTest.*:RunTest.TwoGenerations*", seconds=0.1, training=300,
                  generations=3, part_2=0, small="4x48", large="5x56", match_games=2, simulations=2,
                  strength_games=2, strength_ms=1, strength_threads=1, strength_seconds=0, positions=8, visits=20,
                  flags=("--threads=2", "--self_play.simulations=4", "--self_play.games_per_thread=8",
                         "--self_play.max_game_length=24", "--learning.bootstrap_rows=150", "--learning.batch=32",
                         "--learning.rows_per_generation=150", "--learning.replay_ratio=1", "--replay.minimum_window=300",
                         "--rating.time_share=0"))


class Failure(Exception):
    """A step's figures are wrong; the message says which and what was expected."""


class Session:
    """One call: device, scale, time, and where results go."""

    def __init__(self, device, results, seconds):
        self.device = device
        self.on_card = device != "cpu"
        self.scale = ON_CARD if self.on_card else REHEARSAL
        self.results = results
        self.end = time.monotonic() + (seconds or self.scale.part_2)
        self.environment = {**os.environ, "OMP_NUM_THREADS": "1", "MAKZERO_TEST_DEVICE": device,
                            "MAKZERO_TEST_ZOO": str(ZOO), "MAKZERO_TUNED": str(FIGURES / "tuned_settings.json")}

    def run(self, *arguments, check=True, **options):
        """A program of the pack to its end; stdout is returned, stderr shown."""
        print("$", " ".join(str(argument) for argument in arguments), flush=True)
        done = subprocess.run([str(argument) for argument in arguments], env=self.environment, text=True,
                              stdout=subprocess.PIPE, timeout=400, **options)
        if check and done.returncode != 0:
            raise Failure(f"{arguments[0]} {arguments[1]}: exit status {done.returncode}\n{done.stdout[-2000:]}")
        return done

    def makzero(self, *arguments):
        return self.run(PROGRAM, *arguments).stdout


# Part 1.

def doctor(session):
    """Versions, processor and card as `makzero doctor` sees them."""
    lines = session.makzero("doctor").splitlines()
    print("\n".join(lines))
    if session.on_card and any(line.split()[1:3] == ["CUDA", "none:"] for line in lines):
        raise Failure("no card can be used: see the line 'CUDA' above")
    return {"doctor": lines}


def run_tests(session, names):
    """Tests whose names fit, on the device: the cases of GoogleTest's report, and what was printed."""
    report = FIGURES / "tests_report.json"
    report.unlink(missing_ok=True)
    done = session.run(PACK / "bin/makzero_device_tests", f"--gtest_filter={names}", "--gtest_brief=1", f"--gtest_output=json:{report}",
                       check=False)
    if not report.exists():
        raise Failure(f"the tests ended without a report, exit status {done.returncode}\n{done.stdout[-2000:]}")
    return [case for suite in json.loads(report.read_text())["testsuites"] for case in suite["testsuite"]], done.stdout


def tests(session):
    """Tests of network, learner and training loop on the device."""
    cases, printed = run_tests(session, session.scale.tests)
    names = {kind: [f"{case['classname']}.{case['name']}" for case in cases if fits(case)]
             for kind, fits in [("failed", lambda case: "failures" in case), ("skipped", lambda case: case["result"] == "SKIPPED")]}
    if names["failed"] or not cases:
        raise Failure(f"failed: {names['failed']} of {len(cases)} tests\n{printed}")
    return {"run": len(cases), "skipped": names["skipped"]}


def parity(session):
    """Every tower of the zoo in fp32, bf16 and fp16 on the device, against fp32 on the CPU."""
    cases, printed = run_tests(session, "*ZooPrecision*")
    figures = {case["value_param"].strip('"'): {key: float(value) for key, value in case.items() if key.endswith(("_value", "_prior"))}
               for case in cases}
    if not cases or any("failures" in case for case in cases):
        raise Failure(f"a precision is too far from fp32: {json.dumps(figures)}\n{printed}")
    return figures


def bench(session):
    """Forward by batch size, self-play and learner of both sizes; what the CPU could give a card."""
    scale, figures = session.scale, {}
    for size in [scale.small, scale.large]:
        blocks, channels = size.split("x")
        figures[size] = json.loads(session.makzero(
            "bench", GAME, "--preset", scale.preset, "--device", session.device, "--seconds", scale.seconds, "--json",
            "--blocks", blocks, "--channels", channels, "--measure", "network,self-play,learning"))
    figures["simulated_card"] = json.loads(session.makzero(
        "bench", GAME, "--preset", "gpu", "--simulate-card", "--seconds", max(1, scale.seconds), "--json"))
    return figures


def tune(session):
    """The settings that `makzero tune` finds, which part 2 uses."""
    lines = session.makzero("tune", GAME, "--preset", session.scale.preset, "--device", session.device,
                            "--seconds", min(1, session.scale.seconds)).splitlines()
    print("\n".join(lines))
    return {"lines": lines}


# Holds all memory of the card but so many bytes, until its stdin ends.
HOLD_MEMORY = """
import sys, torch
free, _ = torch.cuda.mem_get_info()
held = torch.empty(free - int(sys.argv[1]), dtype=torch.uint8, device="cuda")
print("held", flush=True)
sys.stdin.read()
"""


def memory(session):
    """What a user reads when memory is short: one sentence and exit status 1, no death by a signal."""
    command = [PROGRAM, "bench", GAME, "--preset", "gpu", "--device", session.device, "--measure", "network", "--seconds", "0.1"]
    if session.on_card:
        holder = subprocess.Popen([sys.executable, "-c", HOLD_MEMORY, str(1 << 30)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        holder.stdout.readline()
        done = session.run(*command, check=False, stderr=subprocess.PIPE)
        holder.communicate()
    else:  # Its weights are larger than the address space.
        limit = 4 << 30
        done = session.run(*command, "--channels", "8192", check=False, stderr=subprocess.PIPE,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    lines = done.stderr.strip().splitlines()
    print("\n".join(lines[-5:]))
    if done.returncode < 0:
        raise Failure(f"ended by {signal.Signals(-done.returncode).name}")
    if done.returncode == 0:
        raise Failure("memory was not short: the drill shows nothing")
    return {"exit_status": done.returncode, "lines": len(lines), "message": lines[0] if lines else ""}


# Part 2.

def train(session, name, size, beside, seconds, rounds=1):
    """Trains for some seconds from the zoo's network of the family, grown to the size; a run of that name goes on, for
    its second round."""
    blocks, channels = size.split("x")
    run, network, limit = RUNS / name, ZOO / FAMILY / "network.mzc", []
    if session.scale.generations:
        first = int(re.search(r"generation +(\d+)", session.makzero("inspect", network)).group(1))
        limit = [f"--generations={first + rounds * session.scale.generations}"]
    session.makzero("train", FAMILY, "--preset", session.scale.preset, f"--device={session.device}", "--run", run,
                    "--minutes", f"{seconds / 60:.3f}", "--from", network,
                    f"--network.blocks={blocks}", f"--network.channels={channels}", "--network.attention=32",
                    "--network.hidden=64", f"--learning.beside_self_play={str(beside).lower()}", *limit,
                    *session.scale.flags)
    return run


def rates(run):
    """What a training did from its first generation to its last, per second of wall clock."""
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    if len(rows) < 2:
        raise Failure(f"{run.name}: {len(rows)} generations in its time; two are needed for a rate")
    first, last = rows[0], rows[-1]
    seconds = last["seconds"] - first["seconds"]
    return {"generations": len(rows), "seconds": seconds,
            **{f"{key}_per_second": (last[key] - first[key]) / seconds for key in ("evaluations", "rows", "steps")},
            **{key: sum(row[f"time/{key}"] for row in rows[1:]) for key in ("self_play", "learning")}}


def overlap(session):
    """The large network trained with learning beside self-play and in turn with it."""
    shutil.rmtree(RUNS, ignore_errors=True)
    figures = {name: rates(train(session, name, session.scale.large, name == "beside", session.scale.training))
               for name in ["in_turn", "beside"]}
    figures["ratio"] = figures["beside"]["evaluations_per_second"] / figures["in_turn"]["evaluations_per_second"]
    return figures


def match(session, a, b):
    """The score of the tower of `a` against that of `b` at equal simulations, and how long that took."""
    simulations, start = session.scale.simulations, time.monotonic()
    score = json.loads(session.makzero("match", GAME, "--a", f"{a}:{simulations}?network=tower", "--b",
                                       f"{b}:{simulations}?network=tower", "--games",
                                       session.scale.match_games, "--device", session.device, "--json"))
    return {**score, "seconds": time.monotonic() - start}


def sizes(session):
    """The small size trained as long as the large one, and a match of both."""
    small, large = train(session, "small", session.scale.small, True, session.scale.training), RUNS / "beside"
    return {session.scale.small: rates(small), "match": match(session, small, large)}


def lines_of_two(session, count):
    """So many openings of two plies, whose positions differ."""
    def longer(lines):
        commands = "".join(f"position startpos{' moves ' if line else ''}{' '.join(line)}\ngo perft 1\n" for line in lines)
        counts = session.run(PROGRAM, "uci", GAME, "--model", "none", input=commands).stdout.split("nodes ")
        return [[*line, move] for line, count in zip(lines, counts) for move in re.findall(r"^(\w+): 1$", count, re.MULTILINE)]
    lines = longer(longer([[]]))
    return lines[::max(1, len(lines) // count)][:count]


def analysis(session):
    """Visits per second of many different positions at once, once the first has been searched."""
    scale, figures = session.scale, {}
    query = {"game": GAME, "maxVisits": scale.visits}
    lines = lines_of_two(session, scale.positions)
    for together in [16, 64]:
        command = [PROGRAM, "analysis", "--model", f"{RUNS / 'beside'}?network=tower", "--device", session.device,
                   "--together", str(together)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=session.environment) as process:
            process.stdin.write(json.dumps({**query, "id": "first"}) + "\n")
            process.stdin.flush()
            process.stdout.readline()
            start = time.monotonic()
            for i, line in enumerate(lines):
                process.stdin.write(json.dumps({**query, "id": str(i), "moves": line}) + "\n")
            process.stdin.close()
            results = [json.loads(line) for line in process.stdout]
            seconds = time.monotonic() - start
        if process.returncode != 0 or len(results) != len(lines) or any("error" in result for result in results):
            raise Failure(f"exit status {process.returncode}, {len(results)} results of {len(lines)}; the first: {results[:1]}")
        visits = sum(result["rootInfo"]["visits"] for result in results)
        figures[f"together_{together}"] = {"visits": visits, "visits_per_second": visits / seconds}
        print(f"{together} positions together: {visits / seconds:.0f} visits/s")
    return figures


def small_against(session, game, tower, games, threads):
    """The score of the zoo's small network on one core against a tower on the device, at equal time."""
    ms = session.scale.strength_ms
    return json.loads(session.makzero(
        "match", game, "--a", f"small?ms={ms}", "--b", f"{tower}?ms={ms}&network=tower", "--device", session.device,
        "--games", games, "--threads", threads, "--seed", 411, "--json"))


def strength_row(session, game, tower):
    """A row of models/zoo/strength.textproto."""
    scale = session.scale
    score = small_against(session, game, ZOO / (game if tower == "game" else FAMILIES[game]) / "network.mzc",
                          scale.strength_games, scale.strength_threads)
    row = (f'rows {{ game: "{game}" device: "{session.device}" ms: {scale.strength_ms} player: "small" opponent: "{tower}" '
           f'games: {score["games"]} wins: {score["wins"]} draws: {score["draws"]} losses: {score["losses"]} '
           f'by_material: {score["score_by_material"]:.4g} }}')
    print(row, flush=True)
    return row


def strength(session):
    """Who plays best here: the zoo's small networks against its towers at equal time, in every game; two matches at once."""
    matches = [(game, "family") for game in FAMILIES] + [(game, "game") for game in OWN_TOWERS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return {"rows": list(pool.map(lambda match: strength_row(session, *match), matches))}


def training(session):
    """The large network trained on for the time that is left; its checkpoint and its matches with the zoo's networks."""
    path = FIGURES / "sizes.json"
    match_seconds = 1.2 * json.loads(path.read_text())["match"]["seconds"] if path.exists() else session.scale.training / 2
    match_seconds += session.scale.strength_seconds
    seconds = max(session.scale.training / 2, session.end - time.monotonic() - match_seconds)
    run = train(session, "beside", session.scale.large, True, seconds, rounds=2)
    newest = max((run / "checkpoints").glob("*.mzc"), key=lambda path: path.stat().st_mtime)
    for source, name in [(newest, "checkpoint.mzc"), (run / "metrics.jsonl", "metrics.jsonl"), (run / "train.log", "train.log"),
                         (run / "config.textproto", "config.textproto")]:
        shutil.copy(source, session.results / name)
    return {"seconds": seconds, "checkpoint": newest.name, **rates(run),
            "match_with_zoo": match(session, run, ZOO / FAMILY / "network.mzc"),
            "small_against_it": small_against(session, GAME, run, 4 * session.scale.strength_threads,
                                              2 * session.scale.strength_threads)}


PARTS = {1: [doctor, tests, parity, bench, tune, memory], 2: [overlap, sizes, analysis, strength, training]}
STEPS = {step.__name__: step for part in PARTS.values() for step in part}


class Utilisation:
    """Readings of the card twice a second while a step runs; empty without a card."""

    COMMAND = ["nvidia-smi", "--query-gpu=utilization.gpu,memory.used,power.draw", "--format=csv,noheader,nounits"]

    def __enter__(self):
        self.readings, self.stopped = [], threading.Event()
        self.thread = threading.Thread(target=self.read) if shutil.which("nvidia-smi") else None
        if self.thread:
            self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        if self.thread:
            self.thread.join()

    def read(self):
        while not self.stopped.wait(0.5):
            done = subprocess.run(self.COMMAND, capture_output=True, text=True)
            try:
                self.readings.append([float(number) for number in done.stdout.splitlines()[0].split(",")])
            except (IndexError, ValueError):
                return

    def figures(self):
        if not self.readings:
            return {}
        busy, used, power = zip(*self.readings)
        return {"card_percent": sum(busy) / len(busy), "memory_mb": max(used), "watts": sum(power) / len(power)}


def card():
    """Name, driver and memory of the cards, as the driver says; None without a driver."""
    if not shutil.which("nvidia-smi"):
        return None
    return subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"],
                          capture_output=True, text=True).stdout.splitlines()


def take_step(step, session):
    """Runs a step and keeps its figures; returns whether it succeeded."""
    print(f"=== {step.__name__}", flush=True)
    start = time.monotonic()
    with Utilisation() as utilisation:
        try:
            figures, failure = step(session), None
        except Exception as error:  # Whatever it is, the other steps have their turn.
            figures, failure = {}, f"{type(error).__name__}: {error}"
            print(f"FAILED {step.__name__}: {error}", flush=True)
    figures["step_seconds"] = time.monotonic() - start
    figures.update(utilisation.figures())
    if failure:
        figures["failure"] = failure
    (FIGURES / f"{step.__name__}.json").write_text(json.dumps(figures))
    print(f"{step.__name__}: {figures['step_seconds']:.0f} s", flush=True)
    return failure is None


def collect(session):
    """Writes gpu.json: all figures that are there, with what they were measured on."""
    everything = {"program": session.makzero("--version").strip(), "torch": (PACK / "torch_version").read_text().strip(),
                  "device": session.device, "card": card(), "cores": len(os.sched_getaffinity(0))}
    for name in STEPS:
        path = FIGURES / f"{name}.json"
        if path.exists():
            everything[name] = json.loads(path.read_text())
    partial = session.results / "gpu.json.partial"
    partial.write_text(json.dumps(everything, indent=1) + "\n")
    partial.replace(session.results / "gpu.json")


def main():
    parser = argparse.ArgumentParser(
        prog="gpu.sh run", formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__,
        epilog="steps:\n" + "\n".join(f"  {number}  {step.__name__:9} {step.__doc__}"
                                      for number, part in PARTS.items() for step in part))
    parser.add_argument("--part", type=int, choices=PARTS, help="steps of this part alone (both)")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:N, or cpu: a short rehearsal without a card (cuda)")
    parser.add_argument("--seconds", type=float, help="time of part 2, whose last training takes what is left (450)")
    parser.add_argument("--results", type=pathlib.Path, default="gpu-results", help="folder of gpu.json and the checkpoint (gpu-results)")
    parser.add_argument("step", nargs="*", metavar="STEP", help="these steps alone")
    options = parser.parse_args()
    for name in options.step:
        if name not in STEPS:
            parser.error(f"unknown step '{name}': use {', '.join(STEPS)}")
    wanted = options.step or [step.__name__ for number, part in PARTS.items() if options.part in (None, number) for step in part]
    FIGURES.mkdir(exist_ok=True)
    options.results.mkdir(parents=True, exist_ok=True)
    session = Session(options.device, options.results.resolve(), options.seconds)
    failed = []
    for name in wanted:
        if not take_step(STEPS[name], session):
            failed.append(name)
        collect(session)  # A later step may outlast the time on a borrowed machine.
    print(f"figures: {options.results / 'gpu.json'}")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")
    print("all steps succeeded")


if __name__ == "__main__":
    main()
