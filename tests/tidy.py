#!/usr/bin/env python3
# Runs clang-tidy over every source file of a built tree; files whose contents have not changed since they were clean are skipped.
"""usage: tests/tidy.py BUILD_FOLDER [--tests | --torch]

Every file of the program but those that include LibTorch; with --torch only those, from a tree built with LibTorch 2.x: clang
14 cannot read the headers of 1.13.1 as C++20. With --tests the tests, which take as long as all the rest.
"""

import collections
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLANG_TIDY = ROOT / "build" / "clang-tools" / "bin" / "clang-tidy"  # Of tests/run.sh install.


# A file to check: its line of the compilation database, the file that says it is clean, how many files it includes.
Job = collections.namedtuple("Job", "entry stamp includes")


def read_dependencies(build):
    """Object file -> the files that it was compiled from, as ninja knows them."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    dependencies, current = {}, None
    for line in text.splitlines():
        if line.startswith("    "):
            current.append(line.strip())
        elif ": #deps" in line:
            current = dependencies[line.split(":")[0]] = []
    return dependencies


def sees_torch(files):
    """Whether a file includes LibTorch."""
    return any("/ATen/" in file for file in files)


def sources_of(entry):
    """An entry of the compilation database; of a target that is compiled as one file an entry for each of its sources."""
    path = pathlib.Path(entry["file"])
    if path.parent.name != "Unity":
        return [entry]
    return [{**entry, "file": source, "command": entry["command"].replace(str(path), source)}
            for source in re.findall(r'#include "(.*\.cc)"', path.read_text())]


def clang_arguments(command):
    """The compiler's arguments without GCC's precompiled headers, which clang cannot read, nor {fmt} 10's consteval."""
    arguments, words = [], iter(shlex.split(command))
    for word in words:
        if word == "-include":
            header = next(words)
            if not header.endswith("cmake_pch.hxx"):
                arguments += [word, header]
        elif word != "-Winvalid-pch":
            arguments.append(word)
    return arguments + ["-DFMT_CONSTEVAL="]


def fingerprint(entry, files):
    """Changes with the checks, the command, the source and every header of the project that it includes."""
    digest = hashlib.sha256(" ".join(entry["arguments"]).encode())
    for path in [ROOT / ".clang-tidy", pathlib.Path(entry["file"]), *map(pathlib.Path, sorted(files))]:
        path = pathlib.Path(entry["directory"], path)
        if path.is_relative_to(ROOT) and path.is_file() and path.suffix not in (".gch", ".hxx"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def check(job, database):
    """Runs clang-tidy on a file; prints what it finds, remembers when that is nothing."""
    run = subprocess.run(
        [CLANG_TIDY, "--quiet", "-p", database, job.entry["file"]],
        capture_output=True, text=True)
    if run.returncode == 0:
        job.stamp.touch()
    else:
        print(run.stdout, *[line for line in run.stderr.splitlines() if "error" in line], sep="\n", flush=True)
    return run.returncode == 0


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--tests"], ["--torch"]):
        sys.exit(__doc__)
    part = sys.argv[2:]
    build = pathlib.Path(sys.argv[1]).resolve()
    folder = ROOT / "build" / "tidy"
    (folder / "clean").mkdir(parents=True, exist_ok=True)
    dependencies = read_dependencies(build)

    jobs, seen = [], set()
    entries = json.loads((build / "compile_commands.json").read_text())
    for entry in (source for entry in entries for source in sources_of(entry)):
        if pathlib.Path(entry["file"]).is_relative_to(build) or not entry["file"].endswith(".cc"):
            continue  # Generated.
        if entry["file"] in seen:
            continue  # Of another target too, as the sources of libmakzero.
        seen.add(entry["file"])
        arguments = clang_arguments(entry["command"])
        files = dependencies.get(arguments[arguments.index("-o") + 1], [])
        torch = sees_torch(files)
        tests = pathlib.Path(entry["file"]).is_relative_to(ROOT / "tests")
        if part != (["--torch"] if torch else ["--tests"] if tests else []):
            continue
        entry = {"directory": entry["directory"], "file": entry["file"], "arguments": arguments}
        jobs.append(Job(entry, folder / "clean" / fingerprint(entry, files), len(files)))
    (folder / "compile_commands.json").write_text(json.dumps([job.entry for job in jobs]))

    # The slowest first: those that include most.
    waiting = sorted((job for job in jobs if not job.stamp.exists()), key=lambda job: -job.includes)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        clean = sum(pool.map(lambda job: check(job, folder), waiting))
    print(f"clang-tidy: {len(jobs)} files, {len(jobs) - len(waiting)} known to be clean, "
          f"{clean} found clean, {len(waiting) - clean} with findings")
    sys.exit(0 if clean == len(waiting) else 1)


if __name__ == "__main__":
    main()
