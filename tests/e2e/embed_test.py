#!/usr/bin/env python3
"""libmakzero as other programs have it: from Python by ctypes, from C, installed; its games and searches are the program's."""
import ctypes
import os
import pathlib
import random
import re
import subprocess
import unittest

from program import PATIENCE, PROGRAM, RunTest, makzero

SOURCES = pathlib.Path(__file__).parents[2]
HEADER = (SOURCES / "play/embed/makzero.h").read_text()
LIBRARY, EXAMPLE, BUILD = (os.environ[name] for name in ("MAKZERO_LIBRARY", "MAKZERO_EXAMPLE", "MAKZERO_BUILD"))
NEEDED = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
NODES = 3000

os.environ["MAKZERO_ZOO"] = str(SOURCES / "models/zoo")

library = ctypes.CDLL(LIBRARY)
for pointer in re.findall(r"makzero_\w+\* (makzero_\w+)\(", HEADER):
    getattr(library, pointer).restype = ctypes.c_void_p
for text in re.findall(r"char\* (makzero_\w+)\(", HEADER):
    getattr(library, text).restype = ctypes.c_char_p


class Limits(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("nodes", ctypes.c_int64), ("milliseconds", ctypes.c_int64), ("depth", ctypes.c_int),
                ("lines", ctypes.c_int), ("moves", ctypes.c_void_p), ("move_count", ctypes.c_size_t)]


def made(function, *arguments):
    """A pointer; freed with the process."""
    pointer = function(*arguments)
    if not pointer:
        raise ValueError(library.makzero_last_error().decode())
    return ctypes.c_void_p(pointer)


def text_of(function, *arguments):
    text = ctypes.create_string_buffer(4096)
    if function(*arguments, text, ctypes.c_size_t(len(text))) < 0:
        raise ValueError(library.makzero_last_error().decode())
    return text.value.decode()


class Position:
    def __init__(self, ruleset):
        self.game = made(library.makzero_game_new, ruleset.encode())
        self.pointer = made(library.makzero_position_new, self.game, None)

    def moves(self):
        moves = (ctypes.c_uint16 * 512)()
        return moves[:library.makzero_position_legal_moves(self.pointer, moves, ctypes.c_size_t(512))]

    def text(self, move):
        return text_of(library.makzero_position_move_text, self.pointer, ctypes.c_uint16(move), None)

    def play(self, move):
        assert library.makzero_position_play(self.pointer, ctypes.c_uint16(move)) == 0

    def over(self):
        return library.makzero_position_outcome(self.pointer) != 0

    def leaves(self, depth):
        """Perft."""
        if depth == 0:
            return 1
        count = 0
        for move in self.moves():
            self.play(move)
            count += self.leaves(depth - 1)
            library.makzero_position_undo(self.pointer)
        return count


class EmbedTest(RunTest):
    def exported(self, game):
        folder = self.folder / game
        run = makzero("export", game, "--to", "small", "--out", folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        return folder / "small_network.bin"

    def uci(self, game, network, script):
        """The best moves that the program finds."""
        run = subprocess.run([PROGRAM, "uci", game, "--model", network], input=script, capture_output=True, text=True,
                             timeout=PATIENCE)
        self.assertEqual(run.returncode, 0, run.stderr)
        return re.findall(r"^bestmove (\S+)", run.stdout, re.MULTILINE)

    def test_it_exports_what_its_header_declares_and_needs_no_other_library(self):
        symbols = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
        names = {line.split()[-1].split("@")[0] for line in symbols.splitlines()} - {"MAKZERO_0"}
        self.assertEqual(names, set(re.findall(r"^MAKZERO_API [^(]*?(makzero_\w+)\(", HEADER, re.MULTILINE)))
        self.assertGreater(len(names), 50)
        dynamic = subprocess.run(["readelf", "-d", LIBRARY], capture_output=True, text=True, check=True).stdout
        self.assertLessEqual(set(re.findall(r"NEEDED.*\[(.*)\]", dynamic)), NEEDED)
        self.assertIn("soname: [libmakzero.so.0]", dynamic)

    def test_every_ruleset_has_the_moves_of_the_program(self):
        count = library.makzero_ruleset_count()
        self.assertGreater(count, 20)
        for name in (library.makzero_ruleset_name(number).decode() for number in range(count)):
            with self.subTest(name):
                leaves = makzero("perft", name, 2).stdout.split()
                self.assertEqual(str(Position(name).leaves(2)), leaves[-1])

    def test_searches_find_what_the_program_finds(self):
        for game in ("makyek", "gala", "makruk", "ok"):
            network = self.exported(game)
            position = Position(game)
            search = made(library.makzero_search_new, made(library.makzero_network_open, position.game, str(network).encode()), 0)
            limits = Limits(ctypes.sizeof(Limits), NODES)
            script, found, rng = "", [], random.Random(game)
            for _ in range(12):
                for _ in range(3):
                    if not position.over():
                        position.play(rng.choice(position.moves()))
                if position.over():
                    break
                library.makzero_search_forget(search)
                found.append(position.text(library.makzero_search_run(search, position.pointer, ctypes.byref(limits), None, None)))
                played = text_of(library.makzero_position_moves, position.pointer)
                script += f"ucinewgame\nposition startpos moves {played}\ngo nodes {NODES}\n"
            self.assertGreater(len(found), 5, game)
            self.assertEqual(found, self.uci(game, "small", script), game)

    def test_a_program_in_c_plays_a_game(self):
        network = self.exported("makruk")
        run = subprocess.run([EXAMPLE, "makruk", network, str(NODES), "12"], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        moves = run.stdout.split()
        script = "".join(f"position startpos moves {' '.join(moves[:i])}\ngo nodes {NODES}\n" for i in range(12))
        self.assertEqual(moves, self.uci("makruk", "small", script))
        wrong = subprocess.run([EXAMPLE, "makyek", network, "1", "1"], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((wrong.returncode, wrong.stderr),
                         (1, "the network is of the game 'makruk' and cannot play 'makyek'\n"))

    def installed(self):
        prefix = self.folder / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix, "--component", "embed"], check=True, capture_output=True)
        return prefix

    def test_installed_it_is_found_by_cmake(self):
        project = self.folder / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(example LANGUAGES C)\nfind_package(makzero REQUIRED)\n"
            f"add_executable(example {SOURCES / 'tests/play/embed_example.c'})\ntarget_link_libraries(example makzero::makzero)\n")
        for command in ([f"-DCMAKE_PREFIX_PATH={self.installed()}", "-S", project, "-B", project], ["--build", project]):
            subprocess.run(["cmake", *command], check=True, capture_output=True)
        run = subprocess.run([project / "example", "rek", self.exported("rek"), "100", "4"], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((run.returncode, len(run.stdout.split())), (0, 4), run.stderr)

    def test_installed_it_is_found_by_pkg_config(self):
        prefix = self.installed()
        [package] = prefix.glob("**/makzero.pc")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "makzero"], check=True, capture_output=True, text=True,
                               env=os.environ | {"PKG_CONFIG_PATH": str(package.parent)}).stdout.split()
        for compiler, language in (["cc", "-std=c99"], "c"), (["c++", "-std=c++20"], "c++"):
            program = self.folder / language
            subprocess.run([*compiler, "-pedantic", "-Wall", "-Werror", "-x", language, SOURCES / "tests/play/embed_example.c", "-x", "none",
                            "-o", program, *flags], check=True)
            run = subprocess.run([program, "rek", self.exported("rek"), "100", "4"], capture_output=True, text=True, timeout=PATIENCE,
                                 env=os.environ | {"LD_LIBRARY_PATH": str(package.parents[1])})
            self.assertEqual((run.returncode, len(run.stdout.split())), (0, 4), run.stderr)


if __name__ == "__main__":
    unittest.main()
