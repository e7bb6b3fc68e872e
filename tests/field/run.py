#!/usr/bin/env python3
"""Runs the cases of this folder on the program in the environment variable MAKZERO.

usage: MAKZERO=build/release/makzero tests/field/run.py [CASE ...]     without CASE: all; README.md: how a case is written
"""
import concurrent.futures
import os
import pathlib
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import tomllib
import traceback

FIELD = pathlib.Path(__file__).resolve().parent
PATIENCE = 120  # Seconds, for any command on a machine under load.
SHOWN = 2000  # Characters of an output in a complaint.


def faults_of(stream, text, expected):
    """What is not as expected of an output."""
    for kind, value in expected.items():
        if kind == "has":
            yield from (f"{stream} lacks '{wanted}'" for wanted in value if not re.search(wanted, text, re.M))
        elif kind == "lacks":
            yield from (f"{stream} has '{found[0]}'" for bad in value if (found := re.search(bad, text, re.M)))
        elif kind == "count":
            for counted, times in value.items():
                if (found := len(re.findall(counted, text, re.M))) != times:
                    yield f"{stream} has '{counted}' {found} times, not {times}"
        elif kind == "every":
            yield from (f"{stream} has the line '{line[:SHOWN]}'" for line in text.splitlines() if not re.search(value, line))
        elif kind == "most":
            if len(text.encode()) > value:
                yield f"{stream} has more than {value} bytes"
        else:
            raise KeyError(f"{stream}.{kind}: write has, lacks, count, every or most")


def run_commands(run, folder, environment):
    """The faults of a [[run]]: its commands in Bash, in the case's folder."""
    if unknown := run.keys() - {"do", "stdin", "status", "stdout", "stderr"}:
        raise KeyError(f"{unknown}: write do, stdin, status, stdout and stderr")
    with subprocess.Popen(["bash", "-o", "pipefail", "-c", run["do"]], cwd=folder, env=environment, process_group=0,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bash:
        too_long = threading.Timer(PATIENCE, os.killpg, [bash.pid, signal.SIGKILL])
        too_long.start()
        outputs = bash.communicate(run.get("stdin", "").encode())
        too_long.cancel()
    faults = []
    if bash.returncode != run.get("status", 0):
        faults.append(f"exit status {bash.returncode}, not {run.get('status', 0)}")
    outputs = {name: output.decode(errors="replace") for name, output in zip(["stdout", "stderr"], outputs)}
    for name, text in outputs.items():
        faults += faults_of(name, text, run.get(name, {}))
    return faults + [f"{name} was:\n{text[:SHOWN]}" for name, text in outputs.items() if faults and text]


def try_case(path):
    """The title of a case and its faults."""
    title = path.stem
    with tempfile.TemporaryDirectory(prefix="makzero-field-") as temporary:
        programs, folder = pathlib.Path(temporary, "bin"), pathlib.Path(temporary, "case")
        programs.mkdir()
        folder.mkdir()
        (programs / "makzero").symlink_to(os.path.abspath(os.environ["MAKZERO"]))
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8",
                       "SMALL": str(FIELD.parents[1] / "models/zoo/makruk/network.mzc"), "MAKZERO_ZOO": ""}
        try:
            if path.suffix == ".py":
                module = runpy.run_path(str(path))
                title = module["__doc__"]
                module["run"](folder, environment)
                return title, []
            case = tomllib.loads(path.read_text())
            if unknown := case.keys() - {"source", "essence", "files", "run"}:
                raise KeyError(f"{unknown}: write source, essence, files and run")
            title = f"{case['source']}: {case['essence']}"
            for name, text in case.get("files", {}).items():
                (folder / name).write_text(text, newline="")
            return title, [fault for run in case["run"] for fault in run_commands(run, folder, environment)]
        except Exception:
            return title, [traceback.format_exc()]


def main(names):
    cases = [path for path in sorted(FIELD.iterdir()) if path.suffix in (".toml", ".py")]
    cases = [path for path in cases if path.stem not in ("run", "session") and (not names or path.stem in names)]
    if unknown := set(names) - {path.stem for path in cases}:
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, (title, faults) in zip(cases, pool.map(try_case, cases)):
            failed += bool(faults)
            print("FAILED" if faults else "passed", f"{path.name} ({title.strip()})")
            for fault in faults:
                print(re.sub(r"[^\n\x20-\U0010ffff]", "\N{REPLACEMENT CHARACTER}", "    " + fault.replace("\n", "\n    ")))
    print(f"{len(cases) - failed} of {len(cases)} cases passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
