#!/usr/bin/env python3
"""What the files of program and plugin name: the program no LibTorch, the plugin only what every LibTorch has.

usage: plugin_file_test.py PROGRAM PLUGIN
"""
import re
import subprocess
import sys
import unittest

PROGRAM, PLUGIN = sys.argv[1:3]
EVERY_LIBTORCH = {"libtorch", "libtorch_cpu", "libc10"}
RUNTIME = {"libstdc++", "libgcc_s", "libm", "libc", "ld-linux-x86-64"}


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def stems(text, pattern):
    return {name.split(".so")[0] for name in re.findall(pattern, text)}


def exported(path):
    return [line.split(None, 2)[2] for line in output_of("nm", "-DC", "--defined-only", path).splitlines()]


class PluginFileTest(unittest.TestCase):
    def test_the_plugin_names_the_libraries_that_every_libtorch_has(self):
        needed = stems(output_of("readelf", "-d", PLUGIN), r"\(NEEDED\).*\[(.*)\]")
        self.assertLessEqual(EVERY_LIBTORCH, needed)
        self.assertLessEqual(needed - EVERY_LIBTORCH, RUNTIME)

    def test_the_program_loads_no_tensor_library(self):
        loaded = stems(output_of("ldd", PROGRAM), r"^\s*(\S+)\s") | stems(output_of("ldd", PROGRAM), r"/([^/\s]+\.so\S*)")
        found = {name for name in loaded if re.search(r"torch|c10|blas|gomp|omp|mkl|dnnl", name)}
        self.assertEqual(found, set())
        # Shared with the plugin, never static: an exception must be the same on both sides.
        needed = stems(output_of("readelf", "-d", PROGRAM), r"\(NEEDED\).*\[(.*)\]")
        self.assertLessEqual({"libstdc++", "libgcc_s"}, needed)

    def test_neither_sees_the_others_functions(self):
        self.assertEqual([name for name in exported(PROGRAM) if name.startswith("makzero")], [])
        self.assertEqual(sorted(name for name in exported(PLUGIN) if name.startswith("makzero")),
                         ["makzero_torch_build_id", "makzero_torch_table"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
