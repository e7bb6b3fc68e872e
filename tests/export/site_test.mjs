// `makzero export --to web`: a site of all games, its size, and the same moves as the program's at the same number of
// positions. site_test.mjs FOLDER_TO_MAKE FOLDER_OF_THE_PAGE, with the program in the environment variable MAKZERO.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { gunzipSync, gzipSync } from "node:zlib";
import { openRules } from "./rules.mjs";

const [site, web] = process.argv.slice(2);
if (!existsSync(`${web}/node_modules/esbuild`)) {
  console.log("skipped: tests/run.sh install brings the packages of play/web");
  process.exit(77);
}
const MOST_BYTES = 3_000_000;
const MOST_FIRST = 350_000; // Compressed, before the first board is shown; in Thai as well.
const PHONE = 300_000; // Positions a second of a phone, where a desktop core searches more than three times as many.
const POSITIONS = 46; // Of each game.

const makzero = (args, input = "") =>
  String(execFileSync(process.env.MAKZERO, args, { input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] }));
rmSync(site, { recursive: true, force: true });
makzero(["export", "--to", "web", "--out", site]);

// What a server of files sends, compressed where it is not.
const read = (name) => readFileSync(`${site}/${name}`);
const size = (names) =>
  names.reduce((sum, name) => sum + (name.endsWith(".gz") ? read(name) : gzipSync(read(name))).length, 0);
const names = readdirSync(site);
const total = names.reduce((sum, name) => sum + read(name).length, 0);
const first = size([
  ...["index.html", "app.js", "app.css", "icon.svg", "manifest.webmanifest"],
  ...["local_backend.js", "local_worker.js", "makzero.wasm.gz", "site.json"],
]);
const thai = first + size(["th.js"]);
console.log(`${names.length} files, ${total} bytes; before the first board ${first}, in Thai ${thai}`);
assert.ok(total <= MOST_BYTES, `the site has ${total} bytes`);
assert.ok(thai <= MOST_FIRST, `${thai} bytes come before the first board`);

// The service worker keeps every other file.
const { files } = JSON.parse(/^const SITE = (.*);$/m.exec(read("service_worker.js"))[1]);
assert.deepEqual([...files, "service_worker.js"].sort(), names.sort());

// A site of one game by its ruleset.
makzero(["export", "makyek", "--game", "makyek-low", "--to", "web", "--out", `${site}-one`]);
assert.deepEqual(Object.keys(JSON.parse(readFileSync(`${site}-one/site.json`)).games), ["makyek"]);

// `makzero serve` has the same site.
const server = spawn(process.env.MAKZERO, ["serve", "--port", "0", "--runs", `${site}/none`, "--library", `${site}-library`]);
try {
  const { value: line } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
  const home = new URL("offline/", line.replace("Open ", ""));
  for (const name of names) {
    const answer = await fetch(new URL(name, home));
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(read(name)), `${name} is another one`);
  }
  assert.match(await (await fetch(new URL("../offline", home))).text(), /data-backend="local"/);
} finally {
  server.kill();
}

const { games } = JSON.parse(read("site.json"));
assert.ok(Object.keys(games).length >= 11, `only ${Object.keys(games)}`);
const rules = await openRules(web, gunzipSync(read("makzero.wasm.gz")));
for (const { network, players } of Object.values(games)) {
  rules.load(gunzipSync(read(network)));
  const { level, simulations } = players[0].levels.at(-1);
  assert.equal(level, 10);
  assert.ok(simulations <= PHONE, `level 10 asks for ${simulations} positions`);
}

let state = 1;
const random = (below) => (state = (state * 48271) % 0x7fffffff) % below;

// Positions of random games, each searched in another way.
const queries = Object.entries(games).flatMap(([game, { players }]) => {
  const found = [];
  for (let moves = []; found.length < POSITIONS; ) {
    const { legal, outcome } = rules.ask({ ask: "state", game, moves });
    if (outcome.over) {
      moves = [];
      continue;
    }
    const i = found.length;
    const how = [{ maxVisits: 2000 }, { level: 1 + (i % 10) }, { maxVisits: 800, lines: 3 }][i % 3];
    found.push({ id: `${game} ${i}`, game, moves, player: "small", seed: 1 + i, ...how, levels: players[0].levels });
    moves = [...moves, legal[random(legal.length)].move];
  }
  return found;
});

const lines = queries.map(({ levels, ...query }) => JSON.stringify(query)).join("\n");
const begun = performance.now();
const answers = makzero(["analysis"], `${lines}\n`).trim().split("\n").map((line) => JSON.parse(line));
const native = performance.now() - begun;
const expected = new Map(answers.map((answer) => [answer.id, answer]));
let spent = 0;
let searched = 0;
for (const { levels, ...query } of queries) {
  const level = levels.find((one) => one.level === query.level);
  const own = level && { maxVisits: level.simulations, temperature: level.temperature };
  const start = performance.now();
  rules.ask({ ...query, ...own, ask: "search" });
  while (!rules.done()) rules.gather(0);
  const { timeMs, ...found } = rules.ask({ ask: "thought" });
  spent += performance.now() - start;
  searched += found.rootInfo.visits;
  const wanted = expected.get(query.id);
  assert.ok(wanted && !wanted.error, JSON.stringify(wanted ?? query));
  for (const key of ["best", "moveInfos", "rootInfo"]) assert.deepEqual(found[key], wanted[key], `${query.id}: ${key}`);
}
const rate = (milliseconds) => `${Math.round(searched / milliseconds)} thousand positions a second`;
console.log(`${queries.length} positions: ${rate(spent)} in WebAssembly, ${rate(native)} in the program with its start`);
