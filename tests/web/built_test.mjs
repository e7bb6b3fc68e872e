// The committed page is what its sources build, and small.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const WEB = fileURLToPath(new URL("../../play/web", import.meta.url));
const BUILT = path.join(WEB, "built");
if (!fs.existsSync(path.join(WEB, "node_modules"))) {
  console.log("skipped: tests/run.sh install brings what builds the page");
  process.exit(77);
}

const LIMIT = 150_000; // Bytes, compressed, without the runtime and the rules of the static page.
const LANGUAGES = ["th.js", "km.js"]; // Loaded where they are chosen.
const LANGUAGE_LIMIT = 50_000; // Of each.

test("the committed page is fresh", (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "makzero-built-"));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  execFileSync("npm", ["run", "--silent", "build", "--", "--outDir", folder, "--emptyOutDir", "--logLevel", "error"], {
    cwd: WEB,
  });
  assert.deepEqual(fs.readdirSync(BUILT).sort(), fs.readdirSync(folder).sort());
  for (const name of fs.readdirSync(folder)) {
    const same = fs.readFileSync(path.join(folder, name)).equals(fs.readFileSync(path.join(BUILT, name)));
    assert.ok(
      same,
      `play/web/built/${name} is stale: run \`npm install && npm run build\` in play/web and commit built/`,
    );
  }
});

test("every source of the page is formatted", () => {
  execFileSync("npx", ["prettier", "--config", ".prettierrc.json", "--check", "src/**/*.ts", "../../tests/web/*.mjs"], {
    cwd: WEB,
    stdio: "pipe",
  });
});

test("the page is light", () => {
  const sizeOf = (name) => gzipSync(fs.readFileSync(path.join(BUILT, name))).length;
  const pages = fs.readdirSync(BUILT).filter((name) => /\.(html|js|css|svg)$/.test(name) && !LANGUAGES.includes(name));
  const size = pages.reduce((sum, name) => sum + sizeOf(name), 0);
  assert.ok(size < LIMIT, `${size} bytes compressed`);
  for (const name of LANGUAGES) assert.ok(sizeOf(name) < LANGUAGE_LIMIT, `${name}: ${sizeOf(name)} bytes compressed`);
});
