# Kills the training with -9 at 20 random moments: no game or checkpoint that it has told of is lost or damaged.
import os
import random
import re
import signal
import time
import unittest

from program import RunTest, Training, checkpoints_of, log_of, metrics_of, status_of

KILLS = int(os.environ.get("MAKZERO_KILLS", 20))
LONGEST_LIFE = 1.5  # Seconds after the start: some ten generations, learnings and ratings.


class KillTest(RunTest):
    def test_nothing_that_was_told_is_lost(self):
        both = ["--self_play.small_share=0.3", "--self_play.small_nodes=50"]  # Tower and small network.
        moments = random.Random(2026)
        reported_games, reported_generation, checkpoints, generations = 0, 0, {}, set()
        for kill in range(KILLS):
            starts = len(re.findall(r"\b(?:begin|resume) generation=", log_of(self.run_folder)))
            training = Training(self.run_folder, *both)
            training.wait_for_log(r"\b(?:begin|resume) generation=", times=starts + 1)
            self.check_resumed(reported_games, reported_generation)
            time.sleep(moments.uniform(0, LONGEST_LIFE))
            training.signal(signal.SIGKILL)
            training.finish()

            now = checkpoints_of(self.run_folder)
            for name, content in checkpoints.items():
                self.assertEqual(now.get(name), content, f"checkpoint {name} changed in life {kill}")
            checkpoints = now
            reported_games = max(reported_games, self.told_games())
            reported_generation = max(map(int, re.findall(r"generation number=(\d+)", log_of(self.run_folder))), default=0)
            generations.add(reported_generation)

        self.train_generations(reported_generation + 1, *both)
        self.check_resumed(reported_games, reported_generation)
        self.assert_whole()
        self.assertTrue(list((self.run_folder / "small").glob("*.mzg")))
        self.assertGreater(len(generations), 3, "the lives were too short to learn anything")

    def test_nothing_is_lost_while_old_files_are_deleted(self):
        thinned = ["--checkpoints.keep=2", "--replay.gigabytes=0.00002", "--replay.maximum_window=400"]
        moments = random.Random(2027)
        reported_games, reported_generation, newest, deleted = 0, 0, 0, 0
        for kill in range(KILLS):
            starts = len(re.findall(r"\b(?:begin|resume) generation=", log_of(self.run_folder)))
            training = Training(self.run_folder, *thinned)
            training.wait_for_log(r"\b(?:begin|resume) generation=", times=starts + 1)
            self.check_resumed(reported_games, reported_generation)
            time.sleep(moments.uniform(0, LONGEST_LIFE))
            training.signal(signal.SIGKILL)
            training.finish()
            self.assert_whole()
            reported_games = max(reported_games, self.told_games())
            reported_generation = max(map(int, re.findall(r"generation number=(\d+)", log_of(self.run_folder))), default=0)
            left = [int(name[:6]) for name in checkpoints_of(self.run_folder)]
            self.assertGreaterEqual(max(left), max(newest, reported_generation), f"the newest is lost in life {kill}")
            newest = max(left)
            deleted = newest + 1 - len(left)
        self.train_generations(reported_generation + 1, *thinned)
        self.check_resumed(reported_games, reported_generation)
        self.assert_whole()
        self.assertGreater(deleted, 0, "no checkpoint was deleted")

    def told_games(self):
        """The most games that status, metrics or log speak of."""
        told = [int(games) for games in re.findall(r"(?:number|generation)=\d+ games=(\d+)", log_of(self.run_folder))]
        told += [row["games"] for row in metrics_of(self.run_folder)]
        if (self.run_folder / "status.json").exists():
            told.append(status_of(self.run_folder)["games"])
        return max(told)

    def check_resumed(self, games, generation):
        """The last start of the run has found at least what was told before."""
        found = re.findall(r"\b(?:begin|resume) generation=(\d+) games=(\d+)", log_of(self.run_folder))[-1]
        self.assertGreaterEqual(int(found[0]), generation)
        self.assertGreaterEqual(int(found[1]), games)


if __name__ == "__main__":
    unittest.main()
