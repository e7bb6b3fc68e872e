// Compares a runtime of ONNX with LibTorch on the positions of export_samples. Runs in Node and in browsers.

const tolerances = { policy: 1e-4, wdl: 1e-5, moves_left: 1e-3 };

// The index of the largest logit among legal moves.
const best = (logits, legal) => legal.reduce((a, b) => (logits[b] > logits[a] ? b : a));

function largestDifference(a, b) {
  if (a.length !== b.length) throw new Error(`${a.length} numbers instead of ${b.length}`);
  return a.reduce((largest, value, i) => {
    const difference = Math.abs(value - b[i]);
    return difference <= largest ? largest : difference; // NaN is kept.
  }, 0);
}

// `read(name)` gives the bytes of a file of a game's folder. Returns the largest differences; throws where one is too
// large or another move is best.
export async function compare(ort, game, read) {
  const floats = async (name) => new Float32Array(await read(`${name}.f32`));
  const text = async (name) => JSON.parse(new TextDecoder().decode(await read(name)));
  const net = await text("net/net.json");
  const session = await ort.InferenceSession.create(new Uint8Array(await read("net/model.onnx")));
  const legal = await text("legal.json");
  const shape = [legal.length, ...net.inputs.planes.slice(1)];
  const outputs = await session.run({ planes: new ort.Tensor("float32", await floats("planes"), shape) });

  const differences = {};
  for (const [name, tolerance] of Object.entries(tolerances)) {
    differences[name] = largestDifference(outputs[name].data, await floats(name));
    if (!(differences[name] <= tolerance)) throw new Error(`${game}: ${name} differs by ${differences[name]}`);
  }
  const size = outputs.policy.dims[1];
  const expected = await floats("policy");
  legal.forEach((moves, i) => {
    const row = (all) => all.subarray(i * size, (i + 1) * size);
    const [found, wanted] = [best(row(outputs.policy.data), moves), best(row(expected), moves)];
    if (found !== wanted) throw new Error(`${game}: position ${i}: best move ${found} instead of ${wanted}`);
  });

  // The same through the test vectors of net.json.
  for (const vector of net.test_vectors) {
    const planes = new ort.Tensor("float32", Float32Array.from(vector.planes), [1, ...shape.slice(1)]);
    const results = await session.run({ planes });
    for (const [name, tolerance] of Object.entries(tolerances)) {
      const difference = largestDifference(results[name].data, vector[name]);
      if (!(difference <= tolerance)) throw new Error(`${game}: test vector: ${name} differs by ${difference}`);
    }
  }
  return differences;
}

export const line = (game, differences) =>
  game.padEnd(14) +
  Object.entries(differences)
    .map(([name, d]) => `${name} ${d.toExponential(1)}`)
    .join("  ");
