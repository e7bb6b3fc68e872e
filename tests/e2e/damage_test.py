# Damage to a run's files is found and named, and what is good is kept.
import random
import unittest

from program import RunTest, checkpoints_of, log_of, makzero, status_of

FLIPS_PER_FILE = 12


def flip_byte(path, offset):
    content = bytearray(path.read_bytes())
    content[offset] ^= 0x40
    path.write_bytes(content)


class DamageTest(RunTest):
    def setUp(self):
        super().setUp()
        # Until games, checkpoints and a rating are there.
        self.train_generations(3)
        while not (self.run_folder / "matches.mzm").exists():
            self.train_generations(log_of(self.run_folder).count("generation number=") + 1)

    def test_any_flipped_byte_is_found_and_named(self):
        shard = max((self.run_folder / "replay").glob("*.mz*"), key=lambda path: path.stat().st_size)
        files = [shard, self.run_folder / "matches.mzm", next((self.run_folder / "checkpoints").glob("*.mzc"))]
        offsets = random.Random(7)
        for path in files:
            whole = path.read_bytes()
            for offset in [0, len(whole) - 1, *(offsets.randrange(len(whole)) for _ in range(FLIPS_PER_FILE - 2))]:
                with self.subTest(file=path.name, offset=offset):
                    flip_byte(path, offset)
                    check = makzero("fsck", self.run_folder)
                    self.assertEqual(check.returncode, 1, check.stdout)
                    self.assertIn(path.name, check.stdout + check.stderr)
                    path.write_bytes(whole)
        self.assert_whole()

    def test_a_repaired_run_trains_on_with_its_good_games(self):
        games = status_of(self.run_folder)["games"]
        shard = max((self.run_folder / "replay").glob("*.mzg"), key=lambda path: path.stat().st_size)
        flip_byte(shard, shard.stat().st_size // 2)
        makzero("fsck", "--repair", self.run_folder)
        self.assert_whole()
        self.train_generations(log_of(self.run_folder).count("generation number=") + 1)
        self.assertGreaterEqual(status_of(self.run_folder)["games"], games - 1)

    def test_a_damaged_newest_checkpoint_does_not_stop_the_training(self):
        checkpoints = checkpoints_of(self.run_folder)
        newest = self.run_folder / "checkpoints" / max(checkpoints)
        flip_byte(newest, len(checkpoints[newest.name]) // 2)
        check = makzero("match", "makyek", "--a", f"{newest}:4", "--b", "random", "--games", "2")
        self.assertEqual(check.returncode, 1, check.stdout)
        self.assertIn(newest.name, check.stderr)
        makzero("fsck", "--repair", self.run_folder)
        self.train_generations(log_of(self.run_folder).count("generation number=") + 1)

    def test_what_only_shows_writes_nothing(self):
        (self.run_folder / "ratings.sqlite").write_text("of before")
        before = self.contents()
        for command in [["rate", "--show"], ["inspect"], ["fsck"]]:
            with self.subTest(command=command):
                shown = makzero(*command, self.run_folder)
                self.assertEqual(shown.returncode, 0, shown.stderr)
                self.assertEqual(self.contents(), before)

    def test_ratings_of_a_part_of_the_matches_are_not_shown(self):
        matches = self.run_folder / "matches.mzm"
        matches.write_bytes(matches.read_bytes()[:24])  # The header alone: whole in itself.
        before = self.contents()
        shown = makzero("rate", "--show", self.run_folder)
        self.assertEqual(shown.returncode, 1, shown.stdout)
        self.assertRegex(shown.stderr, r"matches.mzm: has 24 bytes, .* with \d+ records.*fsck RUN --repair")
        self.assertEqual(self.contents(), before)
        makzero("fsck", "--repair", self.run_folder)
        self.assertEqual(makzero("rate", "--show", self.run_folder).returncode, 0)
        self.assert_whole()

    def contents(self):
        return {path: path.read_bytes() for path in self.run_folder.rglob("*") if path.is_file()}


if __name__ == "__main__":
    unittest.main()
