// makzero.wasm, the rules and the searches of ../wasm/bindings.cc, as an object. Runs in browsers and in Node.

import { later } from "../language";

export interface Rules {
  // The answer to {"ask": ...}; throws with its reason where there is none.
  ask<T>(question: object): T;

  // Takes a small network, unpacked.
  load(network: Uint8Array): void;

  // The search that was asked for last: whether it has ended; a step of it, an iteration of alpha-beta or the gathering
  // of positions for a tower, which returns how many wait; their planes; and what the tower says of them: policy, wdl,
  // moves_left.
  done(): boolean;
  gather(most: number): number;
  planes(size: number): Float32Array;
  backUp(outputs: Float32Array[]): void;
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  question(size: number): number;
  answer(): number;
  network(size: number): number;
  done(): number;
  gather(most: number): number;
  planes(): number;
  outputs(i: number): number;
  back_up(): void;
}

export async function loadRules(module: WebAssembly.Module): Promise<Rules> {
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system(() => wasm.memory) });
  const wasm = instance.exports as unknown as Exports;
  wasm._initialize();
  const floats = (address: number, size: number) => new Float32Array(wasm.memory.buffer, address, size);
  const put = (address: number, bytes: Uint8Array) =>
    new Uint8Array(wasm.memory.buffer, address, bytes.length).set(bytes);
  const ask = <T>(question: object) => {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    put(wasm.question(bytes.length), bytes);
    const address = wasm.answer();
    const memory = new Uint8Array(wasm.memory.buffer);
    const answer = JSON.parse(new TextDecoder().decode(memory.slice(address, memory.indexOf(0, address)))) as T;
    const reason = (answer as { error?: string } | null)?.error;
    if (reason !== undefined) throw new Error(reason);
    return answer;
  };
  return {
    ask,
    load: (network) => {
      put(wasm.network(network.length), network);
      ask({ ask: "load" });
    },
    done: () => wasm.done() !== 0,
    gather: (most) => wasm.gather(most),
    planes: (size) => floats(wasm.planes(), size).slice(),
    backUp: (outputs) => {
      outputs.forEach((output, i) => floats(wasm.outputs(i), output.length).set(output));
      wasm.back_up();
    },
  };
}

// What the standard library asks of the system: the time, and files and an environment that are not there.
function system(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  const view = () => new DataView(memory().buffer);
  const NO_FILE = 8;
  return {
    clock_time_get: (_clock: number, _precision: bigint, address: number) => {
      view().setBigUint64(address, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_get: () => 0,
    environ_sizes_get: (count: number, size: number) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    fd_close: () => NO_FILE,
    fd_seek: () => NO_FILE,
    fd_write: () => NO_FILE,
    proc_exit: () => {
      throw new Error(later("The rules have stopped: please load the page again."));
    },
  };
}
