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
export async function openPage(modules, origin, options = {}) {
  const { chromium } = createRequire(`${modules}/`)("playwright-core");
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
  const browser = await chromium.launch({ executablePath, args });
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
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

// Moves one piece after the other until the rules end the game; what is said of its end.
export async function playToTheEnd(page) {
  const board = page.locator("main .table .board > svg");
  const over = page.locator(".notice .outcome");
  const click = async (square) => {
    const box = await board.boundingBox();
    const cell = box.width / 8;
    await page.mouse.click(box.x + (square.charCodeAt(0) - 96.5) * cell, box.y + (8.5 - Number(square[1])) * cell);
  };
  const squares = (selector, key) =>
    page.locator(selector).evaluateAll((all, key) => all.map((one) => one.dataset[key]), key);
  for (let played = 0; ; played += 2) {
    await page.locator(".table .squares .movable").or(over).first().waitFor({ state: "attached" });
    if (await over.count()) return over.textContent();
    await board.scrollIntoViewIfNeeded();
    const movable = await squares(".table .squares .movable", "square");
    for (let i = 7 * played; !(await page.locator(".table .dots [data-to]").count()); ++i)
      await click(movable[i % movable.length]);
    const to = await squares(".table .dots [data-to]", "to");
    await click(to[played % to.length]);
    const answer = page.locator(".moves button").nth(played + 1);
    await answer.or(over).first().waitFor(); // The answer, or the end.
  }
}
