# `makzero train`: exit statuses, Ctrl-C, resuming, and what a run folder holds.
import json
import signal
import unittest

from program import TINY, RunTest, Training, checkpoints_of, log_of, makzero, metrics_of, status_of


class TrainTest(RunTest):
    def test_one_ctrl_c_finishes_the_step_and_exits_with_0(self):
        training = Training(self.run_folder)
        training.wait_for_log("generation number=")
        training.signal(signal.SIGINT)
        status, errors = training.finish()
        self.assertEqual(status, 0, errors)
        self.assertEqual(status_of(self.run_folder)["phase"], "stopped")
        self.assert_whole()

    def test_the_time_is_up_and_the_status_is_0(self):
        training = Training(self.run_folder, "--minutes", "0.02")
        status, errors = training.finish()
        self.assertEqual(status, 0, errors)
        self.assert_whole()

    def test_a_run_goes_on_where_it_stopped(self):
        self.train_generations(2)
        before, checkpoints = status_of(self.run_folder), checkpoints_of(self.run_folder)
        self.train_generations(4)
        after = status_of(self.run_folder)
        self.assertIn(f"resume generation={before['generation']} games={before['games']} ", log_of(self.run_folder))
        self.assertGreater(after["generation"], before["generation"])
        self.assertGreater(after["steps"], before["steps"])
        self.assertEqual({name: checkpoints_of(self.run_folder)[name] for name in checkpoints}, checkpoints)
        self.assert_whole()

    def test_a_run_folder_says_everything(self):
        self.train_generations(2)
        for name in ["config.textproto", "status.json", "losses.json", "train.log", "metrics.jsonl", "replay", "games", "tensorboard"]:
            self.assertTrue((self.run_folder / name).exists(), name)
        self.assertGreaterEqual(len(checkpoints_of(self.run_folder)), 2)
        self.assertGreaterEqual(len(metrics_of(self.run_folder)), 2)
        self.assertTrue(list((self.run_folder / "games").glob("*.txt")))

    def test_its_checkpoint_plays_and_is_inspected(self):
        self.train_generations(1)
        run = makzero("match", "makyek", "--a", f"{self.run_folder}:4", "--b", "random", "--games", "4", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["games"], 4)
        checkpoint = next((self.run_folder / "checkpoints").glob("*.mzc"))
        inspected = makzero("inspect", checkpoint)
        self.assertEqual(inspected.returncode, 0, inspected.stderr)
        self.assertIn("makyek", inspected.stdout)

    def test_a_small_network_is_learnt_without_a_tower_and_plays(self):
        small = ["--self_play.small_share=1", "--self_play.small_nodes=50", "--learning.small_rows_per_generation=500"]
        self.train_generations(2, *small)
        self.assertEqual(len(checkpoints_of(self.run_folder)), 3)
        self.assertGreater(metrics_of(self.run_folder)[-1]["small/steps"], 0)
        self.assert_whole()
        run = makzero("match", "makyek", "--a", f"{self.run_folder}?nodes=100", "--b", "control?nodes=100", "--games", "2", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["games"], 2)
        inspected = makzero("inspect", self.run_folder)
        self.assertIn("small network", inspected.stdout)
        rated = makzero("rate", self.run_folder)
        self.assertEqual(rated.returncode, 1)
        self.assertIn("trains no tower: `makzero rate --show`", rated.stderr)

    def test_one_network_learns_several_games_and_plays_them_all(self):
        run = makzero("train", "makyek,rek", "--run", self.run_folder, *TINY, "--generations=2")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f"makzero play rek --model {self.run_folder} plays against it", run.stdout)
        self.assertEqual(len(checkpoints_of(self.run_folder)), 3)
        self.assertEqual(status_of(self.run_folder)["generation"], 2)
        for game in ["makyek", "rek", "makyek-line:jump=on"]:
            match = makzero("match", game, "--a", f"{self.run_folder}:4", "--b", "random", "--games", "2", "--json")
            self.assertEqual(match.returncode, 0, match.stderr)
        report = makzero("report", self.run_folder)
        self.assertEqual(report.returncode, 0, report.stderr)
        shown = makzero("rate", self.run_folder, "--show")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn(f"{self.run_folder}/ratings/makyek\nplayer ", shown.stdout)
        self.assert_whole()

    def test_two_trainings_do_not_share_a_run(self):
        training = Training(self.run_folder)
        training.wait_for_log("begin ")
        second = makzero("train", "makyek", "--run", self.run_folder, "--minutes", "0.01")
        training.signal(signal.SIGINT)
        training.finish()
        self.assertEqual(second.returncode, 1, second.stderr)
        self.assertIn("another training", second.stderr)

    def test_wrong_configurations_are_status_2_and_leave_nothing_behind(self):
        for arguments, hint in [
            (["--self_play.simulatons=8"], "simulations"),
            (["--self_play.simulations=many"], "simulations"),
            (["--preset", "quik"], "quick"),
        ]:
            with self.subTest(arguments=arguments):
                run = makzero("train", "makyek", "--run", self.run_folder, "--minutes", "0.01", *arguments)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn(hint, run.stderr)
                self.assertFalse(self.run_folder.exists())


if __name__ == "__main__":
    unittest.main()
