// A worker of a page without a server: rules and searches from makzero.wasm, a tower in onnxruntime-web. All files lie
// beside the page; nothing leaves it.
import type { GameInfo, Player, SearchQuery, SearchResult } from "./backend";
import { later } from "../language";
import { loadRules, type Rules } from "./local_rules";
import { fetched, TOWER, unpacked, type Site } from "./site";

export type Query = Record<string, unknown> & { ask: string };

export type Question =
  | { kind: "start"; id: number; module: WebAssembly.Module; site: Site }
  | { kind: "ask"; id: number; query: Query }
  | { kind: "search"; id: number; query: SearchQuery } // One at a time.
  | { kind: "stop"; id: number };

export type Answer =
  | { kind: "value"; id: number; value: unknown }
  | { kind: "result"; id: number; result: SearchResult; due: boolean } // Due: a report was asked for by now.
  | { kind: "error"; id: number; error: string };

// What is used of onnxruntime-web, which is loaded as a file of its own.
interface Runtime {
  env: { wasm: { numThreads: number; wasmPaths: { wasm: string } } };
  Tensor: new (type: "float32", data: Float32Array, dims: number[]) => unknown;
  InferenceSession: { create(model: string): Promise<Session> };
}
interface Session {
  run(inputs: { planes: unknown }): Promise<Record<string, { data: Float32Array }>>;
}

interface Net {
  ruleset: string;
  model: string;
  checkpoint: string;
  generation: number;
  encoder: string;
  move_index: string;
  inputs: { planes: ["N", number, number, number] };
  planes: { name: string }[];
  search: Record<string, number>;
  levels: { level: number; simulations: number; temperature: number; elo: number }[];
}

interface Place {
  rules: Rules;
  site: Site;
  games: GameInfo[]; // That the site has.
  net: Net | null; // Of the tower.
}

const OUTPUTS = ["policy", "wdl", "moves_left"];
const LEAVES = 8; // Evaluated together; fewer where few are searched, as in the program.

const file = (name: string) => new URL(name, self.location.href).href;

async function start(module: WebAssembly.Module, site: Site): Promise<Place> {
  const rules = await loadRules(module);
  const games = rules.ask<Place["games"]>({ ask: "games" }).filter(({ of }) => of in site.games);
  return { rules, site, games, net: site.tower ? await towerOf(rules) : null };
}

async function towerOf(rules: Rules): Promise<Net> {
  const net = (await (await fetched("net.json")).json()) as Net;
  const query = { ask: "names", game: net.ruleset, ...ofNetwork(net) };
  const names = rules.ask<{ encoder: string; moveIndex: string }>(query);
  for (const [what, theirs, ours] of [
    ["encoder", net.encoder, names.encoder],
    ["move index", net.move_index, names.moveIndex],
  ]) {
    if (theirs !== ours) throw new Error(`The network has ${what} ${theirs}, this page ${ours}: export it again.`);
  }
  return net;
}

// What the rules need to know of a tower: the planes that it sees and the constants of its searches.
const ofNetwork = (net: Net | null) => net && { planes: net.planes.map((plane) => plane.name), search: net.search };

let place: Promise<Place>;
let stopped = 0; // The search that is to end.

const post = (answer: Answer) => self.postMessage(answer);

self.onmessage = ({ data }: MessageEvent<Question>) => {
  if (data.kind === "stop") {
    stopped = data.id;
    return;
  }
  const { id } = data;
  if (data.kind === "start") place = start(data.module, data.site);
  const value =
    data.kind === "start" ? place.then(() => null) : data.kind === "ask" ? answer(data.query) : search(id, data.query);
  value.then(
    (value) => post({ kind: "value", id, value }),
    (error: unknown) => post({ kind: "error", id, error: error instanceof Error ? error.message : String(error) }),
  );
};

async function answer(query: Query): Promise<unknown> {
  const at = await place;
  const game = String(query.game);
  if (query.ask === "games") return at.games;
  if (query.ask === "players") return players(at, game);
  if (query.ask === "load") return loadNetwork(at, game);
  return at.rules.ask({ ...query, ...ofNetwork(at.net) });
}

// "makyek-line" of "makyek-line:jump=on", and the game whose ruleset that is.
const nameOf = (ruleset: string) => ruleset.split(":")[0]!;
const gameOf = ({ games }: Place, ruleset: string) => games.find(({ game }) => game === nameOf(ruleset))?.of ?? "";

function players(at: Place, ruleset: string): Player[] {
  const others = at.site.games[gameOf(at, ruleset)]?.players ?? [];
  const { net } = at;
  return net && nameOf(ruleset) === nameOf(net.ruleset) ? [tower(net, ruleset === net.ruleset), ...others] : others;
}

const tower = (net: Net, measured: boolean): Player => ({
  player: TOWER,
  label: "MakZero",
  labelParts: { text: "MakZero", values: {} },
  detailsParts: {
    text: later("network {network}, generation {generation}"),
    values: { network: net.checkpoint, generation: net.generation },
  },
  kind: "network",
  // The export names only those that were measured without another evaluator beside the network.
  levels: measured ? net.levels.map((level) => ({ ...level, label: String(level.level) })) : [],
});

const loaded = new Map<string, Promise<void>>(); // Small networks, by game.

async function loadNetwork(at: Place, ruleset: string): Promise<void> {
  const game = gameOf(at, ruleset);
  const file = at.site.games[game]?.network;
  if (!file) return;
  if (!loaded.has(game)) loaded.set(game, unpacked(file).then(at.rules.load));
  try {
    await loaded.get(game);
  } catch (error) {
    loaded.delete(game); // It may succeed another time.
    throw error;
  }
}

async function search(id: number, query: SearchQuery): Promise<SearchResult | null> {
  const at = await place;
  const all = players(at, query.game);
  const player = all.find(({ player }) => player === query.player) ?? all[0]!;
  const evaluate = player.player === TOWER ? await evaluator(at.net!) : null;
  if (player.kind === "small") await loadNetwork(at, query.game);
  const level = player.levels.find((one) => one.level === query.level);
  const visits = level?.simulations ?? query.maxVisits;
  at.rules.ask({
    ...query,
    ...ofNetwork(at.net),
    player: player.player,
    ...(level && { maxVisits: visits, temperature: level.temperature }),
    ask: "search",
  });
  const most = visits ? Math.min(LEAVES, Math.max(1, Math.floor(visits / 16))) : LEAVES;
  const interval = 1000 * (query.reportDuringSearchEvery ?? Infinity);
  let reported = performance.now();
  while (stopped !== id && !at.rules.done()) {
    const count = at.rules.gather(most);
    if (count > 0) await evaluate!(at.rules, count);
    const due = performance.now() - reported >= interval;
    if (due) reported = performance.now();
    const found = due || !evaluate ? result(at.rules, id, query, true) : null;
    if (found) post({ kind: "result", id, result: found, due });
    await otherMessages();
  }
  return result(at.rules, id, query, false);
}

let session: Promise<[Runtime, Session]> | undefined; // Of the tower.

// What evaluates gathered positions.
async function evaluator(net: Net): Promise<(rules: Rules, count: number) => Promise<void>> {
  const [runtime, network] = await (session ??= openSession(net));
  const planes = net.inputs.planes.slice(1) as [number, number, number];
  return async (rules, count) => {
    const input = rules.planes(count * planes[0] * planes[1] * planes[2]);
    const outputs = await network.run({ planes: new runtime.Tensor("float32", input, [count, ...planes]) });
    rules.backUp(OUTPUTS.map((name) => outputs[name]!.data));
  };
}

async function openSession(net: Net): Promise<[Runtime, Session]> {
  const runtime = (await import(/* @vite-ignore */ file("ort.wasm.bundle.min.mjs"))) as Runtime;
  runtime.env.wasm.numThreads = 1;
  runtime.env.wasm.wasmPaths = { wasm: file("ort-wasm-simd-threaded.wasm") };
  return [runtime, await runtime.InferenceSession.create(file(net.model))];
}

// Null before there is one.
function result(rules: Rules, id: number, query: SearchQuery, isDuringSearch: boolean): SearchResult | null {
  const found = rules.ask<SearchResult | null>({ ask: "thought" });
  if (!found) return null;
  const { policy, ...thought } = found;
  return { ...thought, id: String(id), isDuringSearch, ...(query.includePolicy && policy ? { policy } : {}) };
}

// Lets the messages that wait be handled: promises alone would not.
const channel = new MessageChannel();
function otherMessages(): Promise<void> {
  return new Promise((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}
