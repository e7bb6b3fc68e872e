# `tests/run.sh` and `tests/gpu.sh` with all that they call replaced: what fails in a step fails the script.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
READERS = ["position", "move", "options", "uci", "analysis", "saved_game", "document_json", "record"]


class ScriptsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "tests").mkdir()
        for script in ["tests/run.sh", "tests/gpu.sh"]:
            shutil.copy(SOURCE / script, self.root / "tests")
        self.replace("bin/cmake", "exit 0")

    def replace(self, call, commands):
        path = self.root / call
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{commands}\n")
        path.chmod(0o755)

    def call(self, *command):
        environment = {**os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}"}
        return subprocess.run([self.root / command[0], *command[1:]], env=environment, capture_output=True, text=True,
                              timeout=60)

    def fuzz(self):
        self.replace("tests/fuzz/seeds.py", "exit 0")
        for reader in READERS:
            self.replace(f"build/fuzz/tests/fuzz/fuzz_{reader}", "echo Done 7 runs")
        return self.call("tests/run.sh", "fuzz")

    def test_every_fuzzer_runs(self):
        run = self.fuzz()
        self.assertEqual(run.returncode, 0, run.stderr)
        for reader in READERS:
            self.assertIn(f"{reader}: Done 7 runs, no finding\n", run.stdout)

    def test_fuzzers_that_are_not_built_do_not_run_as_they_were(self):
        self.replace("bin/cmake", "exit 1")
        run = self.fuzz()
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertNotIn("no finding", run.stdout)
        self.assertIn("step 'fuzz' failed", run.stderr)

    def test_a_fuzzers_finding_is_a_failure(self):
        self.fuzz()
        self.replace("build/fuzz/tests/fuzz/fuzz_move", "exit 77")
        self.assertEqual(self.call("tests/run.sh", "fuzz").returncode, 1)

    def test_a_pytorch_that_could_not_be_installed_is_installed_the_next_time(self):
        self.replace("bin/python3", 'mkdir -p "$3/bin" && cp fake-pip "$3/bin/pip"')
        self.replace("fake-pip", "echo no network >&2; exit 1")
        for _ in range(2):
            pack = self.call("tests/gpu.sh", "pack")
            self.assertNotEqual(pack.returncode, 0)
            self.assertEqual(pack.stderr, "no network\n")

    def pack(self, libraries):
        """Packs a program that needs libz.so.1, on a machine with these libraries."""
        torch = self.root / "torch"
        (self.root / "tree").mkdir()
        (self.root / "tests/pack").mkdir()
        (torch / "lib").mkdir(parents=True)
        (torch / "version.py").write_text("__version__ = '2.11.0'\n")
        (self.root / "tree/CMakeCache.txt").write_text(f"Torch_DIR:PATH={torch}/share/cmake/Torch\n")
        (self.root / "tests/pack/README.txt").write_text("For PyTorch @TORCH@\n")
        (self.root / "LICENSE").write_text("")
        self.replace("tree/makzero", "echo makzero 1.0")
        self.replace("bin/cmake", '[ "$1" = --install ] || exit 0\nmkdir -p "$5/bin" "$5/lib/makzero"\n'
                                  'touch "$5/bin/makzero_device_tests" "$5/lib/makzero/plugin.so"')
        self.replace("bin/readelf", """case $* in *zlib*) name=libc.so.6 ;; *) name=libz.so.1 ;; esac
case $* in */bin/makzero_device_tests) printf ' (NEEDED) [libstdc++.so.6]\\n' ;; esac
printf ' (NEEDED) [%s]\\n' $name""")
        self.replace("bin/ldconfig", f"printf '{libraries}'")
        self.replace("bin/dpkg-query", "echo cmake: found")
        self.replace("bin/cp", 'case $1 in /usr/share/doc/*) exit 0 ;; esac\nexec /bin/cp "$@"')
        self.replace("bin/objdump", "echo GLIBC_2.36")
        (self.root / "zlib").write_text("library")
        return self.call("tests/gpu.sh", "pack", f"--tree={self.root}/tree")

    def test_a_pack_has_the_libraries_that_its_programs_need(self):
        pack = self.pack(libraries=f"\\tlibz.so.1 (libc6) => {self.root}/zlib\\n")
        self.assertEqual(pack.returncode, 0, pack.stderr)
        self.assertTrue(list(self.root.glob("build/gpu/makzero-1.0-*/lib/zlib")))

    def test_a_pack_without_a_library_is_none(self):
        pack = self.pack(libraries="")
        self.assertNotEqual(pack.returncode, 0, pack.stdout)
        self.assertEqual(pack.stderr, "gpu.sh: the library libz.so.1 is not here\n")


if __name__ == "__main__":
    unittest.main()
