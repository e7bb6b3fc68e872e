// onnxruntime-web in Chromium against LibTorch: web_test.mjs FOLDER_OF_SAMPLES FOLDER_OF_NODE_MODULES
// FOLDER_OF_ONNXRUNTIME_WEB
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage, serve } from "./browser.mjs";

const [samples, modules, runtime] = process.argv.slice(2);
if (!existsSync(runtime) || !existsSync(`${modules}/playwright-core`)) {
  console.log("skipped: tests/run.sh install brings onnxruntime-web and playwright-core");
  process.exit(77);
}
const site = await serve({
  "/samples/": samples,
  "/ort/": runtime,
  "/": dirname(fileURLToPath(import.meta.url)),
});
const { page, close } = await openPage(modules, site.origin);
try {
  await page.goto(`${site.origin}/empty.html`);
  for (const game of readdirSync(samples)) {
    const text = await page.evaluate(async (game) => {
      const ort = await import("/ort/ort.wasm.bundle.min.mjs");
      const { compare, line } = await import("/parity.mjs");
      ort.env.wasm.numThreads = 1;
      ort.env.wasm.wasmPaths = "/ort/";
      const read = async (name) => (await fetch(`/samples/${game}/${name}`)).arrayBuffer();
      return line(game, await compare(ort, game, read));
    }, game);
    console.log(text);
  }
} finally {
  await close();
  site.close();
}
