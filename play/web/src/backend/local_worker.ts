// The worker of a page without a server: rules and search from makzero.wasm, the network in onnxruntime-web.
// All files lie beside the page; nothing leaves it.
import type { Player, SearchQuery, SearchResult } from "./backend";
import { later } from "../language";
import { loadRules, type Rules } from "./local_rules";

export type Question =
  | { kind: "ask"; id: number; query: Record<string, unknown> & { ask: string } }
  | { kind: "search"; id: number; query: SearchQuery }
  | { kind: "stop"; id: number };

export type Answer =
  | { kind: "value"; id: number; value: unknown }
  | { kind: "result"; id: number; result: SearchResult }
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

interface Page {
  rules: Rules;
  runtime: Runtime;
  session: Session;
  net: Net;
}

const OUTPUTS = ["policy", "wdl", "moves_left"];
const LEAVES = 8; // Evaluated together; fewer where few are searched, as in the program.

const file = (name: string) => new URL(name, self.location.href).href;

async function fetched(name: string): Promise<Response> {
  const response = await fetch(file(name));
  if (!response.ok) throw new Error(`${name} does not lie beside the page: export it again`);
  return response;
}

async function load(): Promise<Page> {
  const net = (await (await fetched("net.json")).json()) as Net;
  const rules = await loadRules(await (await fetched("makzero.wasm")).arrayBuffer());
  const names = rules.ask<{ encoder: string; moveIndex: string }>({
    ask: "names",
    game: net.ruleset,
    ...ofNetwork(net),
  });
  for (const [what, theirs, ours] of [
    ["encoder", net.encoder, names.encoder],
    ["move index", net.move_index, names.moveIndex],
  ]) {
    if (theirs !== ours) throw new Error(`The network has ${what} ${theirs}, this page ${ours}: export it again.`);
  }
  const runtime = (await import(/* @vite-ignore */ file("ort.wasm.bundle.min.mjs"))) as Runtime;
  runtime.env.wasm.numThreads = 1;
  runtime.env.wasm.wasmPaths = { wasm: file("ort-wasm-simd-threaded.wasm") };
  return { rules, runtime, net, session: await runtime.InferenceSession.create(file(net.model)) };
}

// What the rules need to know of the network: the planes that it sees and the constants of its searches.
const ofNetwork = (net: Net) => ({ planes: net.planes.map((plane) => plane.name), search: net.search });

const page = load();
const stopped = new Set<number>();
let last: Promise<unknown> = Promise.resolve(); // One search after the other.

const post = (answer: Answer) => self.postMessage(answer);

self.onmessage = ({ data }: MessageEvent<Question>) => {
  if (data.kind === "stop") {
    stopped.add(data.id);
    return;
  }
  const { id } = data;
  const value =
    data.kind === "ask"
      ? answer(data.query)
      : (last = last.then(
          () => search(id, data.query),
          () => search(id, data.query),
        ));
  value.then(
    (value) => post({ kind: "value", id, value }),
    (error: unknown) => post({ kind: "error", id, error: error instanceof Error ? error.message : String(error) }),
  );
};

async function answer(query: Record<string, unknown> & { ask: string }): Promise<unknown> {
  const { rules, net } = await page;
  if (query.ask === "games")
    return rules.ask<{ game: string }[]>(query).filter((game) => game.game === nameOf(net.ruleset));
  if (query.ask === "players")
    return nameOf(String(query.game)) === nameOf(net.ruleset) ? [player(net, query.game === net.ruleset)] : [];
  return rules.ask({ ...query, ...ofNetwork(net) });
}

// "makyek" of "makyek:jump=on".
const nameOf = (ruleset: string) => ruleset.split(":")[0];

const player = (net: Net, measured: boolean): Player => ({
  player: "network",
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

async function search(id: number, query: SearchQuery): Promise<SearchResult | null> {
  const { rules, runtime, session, net } = await page;
  if (stopped.delete(id)) return null;
  const level = net.levels.find((one) => one.level === query.level);
  const visits = level?.simulations ?? query.maxVisits;
  rules.ask({
    ...query,
    ...ofNetwork(net),
    ...(level && { maxVisits: visits, temperature: level.temperature }),
    ask: "search",
  });
  const planes = net.inputs.planes.slice(1) as [number, number, number];
  const most = visits ? Math.min(LEAVES, Math.max(1, Math.floor(visits / 16))) : LEAVES;
  const interval = 1000 * (query.reportDuringSearchEvery ?? Infinity);
  let reported = performance.now();
  for (let count; !stopped.has(id) && (count = rules.gather(most)) > 0; ) {
    const input = rules.planes(count * planes[0] * planes[1] * planes[2]);
    const outputs = await session.run({ planes: new runtime.Tensor("float32", input, [count, ...planes]) });
    rules.backUp(OUTPUTS.map((name) => outputs[name]!.data));
    await otherMessages();
    if (performance.now() - reported < interval) continue;
    reported = performance.now();
    post({ kind: "result", id, result: result(rules, id, query, true) });
  }
  stopped.delete(id);
  const final = result(rules, id, query, false);
  post({ kind: "result", id, result: final });
  return final;
}

function result(rules: Rules, id: number, query: SearchQuery, isDuringSearch: boolean): SearchResult {
  const { policy, ...thought } = rules.ask<SearchResult>({ ask: "thought" });
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
