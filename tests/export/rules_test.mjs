// makzero.wasm says what the program says: legal moves and planes of every game's test vectors; and answers nonsense.
// rules_test.mjs FOLDER_OF_SAMPLES makzero.wasm FOLDER_OF_THE_PAGE
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { openRules } from "./rules.mjs";

const [samples, wasm, web] = process.argv.slice(2);
if (!existsSync(wasm)) {
  console.log("skipped: the program was built without WebAssembly, see play/web/wasm/wasm.cmake");
  process.exit(77);
}
const rules = await openRules(web, readFileSync(wasm));

for (const game of readdirSync(samples)) {
  const net = JSON.parse(readFileSync(`${samples}/${game}/net/net.json`));
  assert.deepEqual(rules.ask({ ask: "names", game }), { encoder: net.encoder, moveIndex: net.move_index });
  for (const vector of net.test_vectors) {
    const query = { game, start: vector.position, moves: [] };
    const moves = rules.ask({ ask: "state", ...query }).legal.map((legal) => legal.move);
    assert.deepEqual(
      moves,
      vector.legal.map((legal) => legal.move),
    );
    const { names, planes, mover } = rules.ask({ ask: "planes", ...query });
    assert.equal(mover, vector.position.split(" ")[1] === "w" ? "white" : "black");
    names.forEach((name, i) => {
      assert.equal(name, net.planes[i].name);
      // Not in the text of a position.
      if (!["plies left", "no progress"].includes(name))
        assert.deepEqual(planes[i], vector.planes.slice(64 * i, 64 * (i + 1)).map(Math.fround));
    });
  }
}

// What moves are called that lose so much: the page has no list of its own.
assert.deepEqual(
  rules.ask({ ask: "judgements" }).map(({ word, loss }) => [word, loss]),
  [
    ["Blunder", 0.15],
    ["Mistake", 0.1],
    ["Inaccuracy", 0.05],
  ],
);

// The rules for people, of the ruleset that is asked for.
const told = rules.ask({ ask: "rules", game: "makyek:jump=on" });
assert.deepEqual(
  told.changes.map((change) => change.title),
  ["Jumps"],
);
const example = told.sections.flatMap((section) => section.blocks).find((block) => block.examples?.length);
assert.deepEqual(example.examples[0].captures, ["e7", "g7"]);

// A game goes out as text and comes in again.
const { text } = rules.ask({ ask: "write", game: "makyek", moves: ["a3a4"], format: "text" });
const line = [{ move: "a3a4", written: "a3-a4" }];
assert.deepEqual(rules.ask({ ask: "read", text }), {
  game: "makyek", moves: ["a3a4"], result: "*", line, tags: [], dialect: "coordinates", number: 1, of: 1,
});

// A network sees the planes that it names.
const seen = ["enemy M", "ply", "own M", "board"];
assert.deepEqual(rules.ask({ ask: "planes", game: "makyek", moves: [], planes: seen }).names, seen);

// A search with a network that knows nothing: its visits are spent, its tree opens.
const planes = rules.ask({ ask: "planes", game: "makyek", moves: [] }).planes.length * 64;
rules.ask({ ask: "search", game: "makyek", moves: ["a3a4"], maxVisits: 20, searchMoves: ["h6h5", "a6a5"] });
for (let count; (count = rules.gather(4)) > 0; ) {
  assert.equal(rules.planes(count * planes).length, count * planes);
  rules.backUp([new Float32Array(count * 4161), new Float32Array(3 * count).fill(1 / 3), new Float32Array(count)]);
}
const thought = rules.ask({ ask: "thought" });
assert.equal(thought.rootInfo.visits, 20);
assert.deepEqual(thought.moveInfos.map((info) => info.move).sort(), ["a6a5", "h6h5"]);
assert.equal(thought.policy.length, rules.ask({ ask: "state", game: "makyek", moves: ["a3a4"] }).legal.length);
assert.ok(rules.ask({ ask: "tree", path: [thought.best] }).some((child) => child.visits > 0));

// A level below the best draws its moves: with a network that knows nothing, from anywhere.
const drawn = new Set();
for (let i = 0; i < 8; ++i) {
  const moves = [["a3a4"], ["b3b4"], ["c3c4"], ["d3d4"], ["e3e4"], ["f3f4"], ["g3g4"], ["h3h4"]][i];
  rules.ask({ ask: "search", game: "makyek", moves, maxVisits: 4, temperature: 100 });
  for (let count; (count = rules.gather(1)) > 0; ) {
    rules.backUp([new Float32Array(4161), new Float32Array(3).fill(1 / 3), new Float32Array(1)]);
  }
  const { best, moveInfos } = rules.ask({ ask: "thought" });
  drawn.add(best === moveInfos[0].move);
}
assert.ok(drawn.has(false), "every drawn move was the best");

// Alpha-beta by material needs no network; a small one that was not loaded is named.
rules.ask({ ask: "search", game: "makyek", moves: ["a3a4"], player: "alphabeta:2" });
while (!rules.done()) assert.equal(rules.gather(8), 0);
assert.equal(rules.ask({ ask: "thought" }).rootInfo.depth, 2);
assert.throws(() => rules.load(new Uint8Array(100)), { message: /small network/ });

// Nonsense is refused with a reason, and the rules go on.
const over = { game: "makyek", start: "8/8/8/8/8/8/8/M7 w" };
for (const [question, why] of [
  [[], /JSON object/],
  [{}, /'game'/],
  [{ ask: 5 }, /'game'/],
  [{ ask: "state", game: "chess" }, /unknown game/],
  [{ ask: "state", game: "makyek", moves: ["a1h8"] }, /move 1/],
  [{ ask: "state", game: "makyek", moves: "a3a4" }, /list/],
  [{ ask: "state", game: "makyek", start: 7 }, /'start'/],
  [{ ask: "fly", game: "makyek" }, /unknown question 'fly'/],
  [{ ask: "search", game: "makyek", searchMoves: [1] }, /'searchMoves'/],
  [{ ask: "search", game: "makyek", searchMoves: ["a1a8"] }, /a1a8/],
  [{ ask: "search", ...over }, /over/],
  [{ ask: "tree" }, /'path'/],
  [{ ask: "tree", path: [3] }, /'path'/],
  [{ ask: "tree", path: ["z9"] }, /z9/],
  [{ ask: "read" }, /'text'/],
  [{ ask: "search", game: "makyek", player: "small" }, /network of Mak-yek is not loaded/],
  [{ ask: "read", text: "moves a1a2" }, /./],
]) {
  assert.throws(() => rules.ask(question), { message: why }, JSON.stringify(question));
}
assert.equal(rules.ask({ ask: "state", game: "makyek", moves: ["a3a4"] }).toMove, "black");
console.log("every game's moves and planes are the program's");
