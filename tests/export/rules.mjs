// makzero.wasm in Node, by the page's own code.
import { createRequire } from "node:module";

export async function openRules(web, bytes) {
  const { buildSync } = createRequire(`${web}/node_modules/`)("esbuild");
  const { outputFiles } = buildSync({
    entryPoints: [`${web}/src/backend/local_rules.ts`],
    bundle: true,
    format: "esm",
    write: false,
  });
  const code = outputFiles[0].text;
  const { loadRules } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return loadRules(await WebAssembly.compile(bytes));
}
