// Plays a game, the exported network against itself, in any of the games: node any_game.mjs DIR [VISITS]
//
// DIR is what `makzero export RUN --to web --tower --out DIR` wrote. Needs: npm install onnxruntime-node
// Rules, planes and search come from DIR/makzero.wasm.gz (its functions: play/web/wasm/bindings.cc), so that a front end
// knows no rules of its own; onnxruntime runs DIR/model.onnx. makyek.py does it all by itself.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import ort from "onnxruntime-node";

const [folder, visits = "32"] = process.argv.slice(2);
const net = JSON.parse(readFileSync(`${folder}/net.json`));

// The standard library within asks for the time, and for files and an environment that are not there.
const system = {
  clock_time_get: (_clock, _precision, address) => {
    new DataView(wasm.memory.buffer).setBigUint64(address, process.hrtime.bigint(), true);
    return 0;
  },
  environ_get: () => 0,
  environ_sizes_get: (count, size) => {
    new Uint32Array(wasm.memory.buffer, count, 1)[0] = 0;
    new Uint32Array(wasm.memory.buffer, size, 1)[0] = 0;
    return 0;
  },
  fd_close: () => 8,
  fd_seek: () => 8,
  fd_write: () => 8,
  proc_exit: (status) => process.exit(status),
};
const module = new WebAssembly.Module(gunzipSync(readFileSync(`${folder}/makzero.wasm.gz`)));
const wasm = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system }).exports;
wasm._initialize();

// JSON in, JSON out.
function ask(question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  new Uint8Array(wasm.memory.buffer, wasm.question(bytes.length), bytes.length).set(bytes);
  const address = wasm.answer();
  const memory = new Uint8Array(wasm.memory.buffer);
  const answer = JSON.parse(new TextDecoder().decode(memory.subarray(address, memory.indexOf(0, address))));
  if (answer?.error) throw new Error(answer.error);
  return answer;
}

const game = {
  game: net.ruleset,
  moves: [],
  planes: net.planes.map((plane) => plane.name),
  search: net.search,
};
const names = ask({ ask: "names", ...game });
if (names.encoder !== net.encoder || names.moveIndex !== net.move_index) {
  throw new Error(
    `these rules have encoder ${names.encoder} and move index ${names.moveIndex}, ` +
      `the network has encoder ${net.encoder} and move index ${net.move_index}`,
  );
}

const session = await ort.InferenceSession.create(`${folder}/${net.model}`);
const shape = net.inputs.planes.slice(1);
const floats = (address, size) => new Float32Array(wasm.memory.buffer, address, size);

async function bestMove() {
  ask({ ask: "search", ...game, maxVisits: Number(visits) });
  for (let count; (count = wasm.gather(8)) > 0; wasm.back_up()) {
    const planes = floats(wasm.planes(), count * shape[0] * 64).slice();
    const outputs = await session.run({ planes: new ort.Tensor("float32", planes, [count, ...shape]) });
    ["policy", "wdl", "moves_left"].forEach((name, i) => {
      floats(wasm.outputs(i), outputs[name].data.length).set(outputs[name].data);
    });
  }
  return ask({ ask: "thought" }).best;
}

let state;
while (!(state = ask({ ask: "state", ...game })).outcome.over) game.moves.push(await bestMove());
console.log(`ruleset ${net.ruleset}\nmoves ${game.moves.join(" ")}\nresult ${state.outcome.result}`);
