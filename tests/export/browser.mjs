// What tests in a browser share: a server of files, and Chromium with the network cut off.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";

const types = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

// Serves { "/prefix/": folder }, the first prefix that fits, on a free port of this machine.
export async function serve(folders) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const prefix = Object.keys(folders).find((start) => path.startsWith(start));
    const file = join(folders[prefix], path.slice(prefix.length) || "index.html");
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

// A page that may speak to `origin` alone. close() fails when it tried to speak to another, or when its scripts failed.
export async function openPage(modules, origin) {
  const { chromium } = createRequire(`${modules}/`)("playwright-core");
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
  const browser = await chromium.launch({ executablePath, args });
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`a script failed: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`the console says: ${message.text()}`);
  });
  await context.route("**", (route) => {
    const url = route.request().url();
    if (url.startsWith(`${origin}/`) || url.startsWith("data:") || url.startsWith("blob:")) return route.continue();
    faults.push(`a request left the page's origin: ${url}`);
    return route.abort();
  });
  return {
    page,
    close: async () => {
      await browser.close();
      if (faults.length) throw new Error(faults.join("\n"));
    },
  };
}
