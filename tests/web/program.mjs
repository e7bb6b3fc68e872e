// The program under test: networks so small that each is trained in a second, and the server that shows them.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { promisify } from "node:util";

const PROGRAM = process.env.MAKZERO;

const TINY = [
  "--preset=quick",
  "--threads=1",
  "--network.blocks=1",
  "--network.channels=8",
  "--network.attention=8",
  "--network.hidden=8",
  "--self_play.small_share=0",
  "--self_play.bootstrap_evaluator=MATERIAL",
  "--self_play.simulations=4",
  "--self_play.games_per_thread=8",
  "--self_play.max_game_length=30",
  "--learning.rows_per_generation=150",
  "--learning.bootstrap_rows=150",
  "--learning.batch=32",
  "--replay.minimum_window=400",
  "--replay.games_per_shard=20",
  "--replay.validation_share=0.2", // So that there are held-out games.
  "--rating.games=4",
  "--rating.simulations=4",
  "--rating.time_share=0.3",
];

// A folder until the test ends.
export function makeRuns() {
  const runs = mkdtempSync(path.join(os.tmpdir(), "makzero-web-"));
  process.on("exit", () => rmSync(runs, { recursive: true, force: true }));
  return runs;
}

// A run of one generation, RUNS/GAME, where the settings do not ask for more.
export async function trainBriefly(runs, game, { settings = ["--generations=1"], env = {} } = {}) {
  const given = settings.map((setting) => setting.split("=")[0]);
  const tiny = TINY.filter((flag) => !given.includes(flag.split("=")[0]));
  await promisify(execFile)(PROGRAM, ["train", game, "--run", path.join(runs, game), ...settings, ...tiny], {
    env: { ...process.env, ...env },
  });
}

// Endings of a game, where MAKZERO_ENDINGS says.
export const solveEndings = (game) => promisify(execFile)(PROGRAM, ["endings", game]);

// The page that `makzero report` writes of a run.
export async function reportOf(run) {
  const { stdout } = await promisify(execFile)(PROGRAM, ["report", run]);
  return stdout.trim();
}

// A training that goes on until it is told to stop.
export function trainOn(runs, game, name) {
  const process_ = spawn(PROGRAM, ["train", game, "--run", path.join(runs, name), ...TINY], { stdio: "ignore" });
  return {
    stop: async () => {
      if (process_.exitCode !== null) return;
      process_.kill("SIGINT");
      await once(process_, "exit");
    },
  };
}

// `makzero serve` over the runs; its address. Port 0 is any.
export async function serve(runs, port = "0") {
  const folders = ["--runs", runs, "--library", path.join(runs, ".library")];
  const process_ = spawn(PROGRAM, ["serve", "--port", port, ...folders], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of readline.createInterface({ input: process_.stdout })) {
    const address = /http:\S+/.exec(line);
    if (!address) continue;
    const end = async (signal) => {
      if (process_.exitCode !== null || process_.signalCode !== null) return;
      process_.kill(signal);
      await once(process_, "exit");
    };
    const hold = () => process_.kill("SIGSTOP"); // It answers nothing more.
    return { url: address[0], hold, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
  }
  throw new Error("makzero serve ended without saying its address");
}
