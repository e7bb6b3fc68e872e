// onnxruntime-node against LibTorch: node_test.mjs FOLDER_OF_SAMPLES FOLDER_OF_NODE_MODULES
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compare, line } from "./parity.mjs";

const [samples, modules] = process.argv.slice(2);
if (!existsSync(`${modules}/onnxruntime-node`)) {
  console.log("skipped: tests/run.sh install brings onnxruntime-node");
  process.exit(77);
}
const ort = createRequire(`${modules}/`)("onnxruntime-node");
const games = readdirSync(samples);
if (games.length < 11) throw new Error(`only ${games.length} games in ${samples}`);
for (const game of games) {
  const read = async (name) => {
    const bytes = readFileSync(`${samples}/${game}/${name}`);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  };
  console.log(line(game, await compare(ort, game, read)));
}
