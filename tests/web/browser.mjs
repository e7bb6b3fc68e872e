// A page in a headless browser that fails its test on any complaint in the console and any request to elsewhere.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const BUILD = process.env.MAKZERO_BUILD;
const MODULES = path.join(BUILD, "runtimes/node_modules/");
const SCREENSHOTS = path.join(BUILD, "web-screenshots");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

for (const needed of [path.join(MODULES, "playwright-core"), CHROMIUM]) {
  if (existsSync(needed)) continue;
  console.log(`skipped: tests/run.sh install brings ${needed}`);
  process.exit(77);
}
const { chromium } = createRequire(MODULES)("playwright-core");

export async function launch() {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  await fs.mkdir(SCREENSHOTS, { recursive: true });
  return browser;
}

// Opens the page, runs the test on it, and looks at what the browser complained about.
export async function withPage(browser, url, options, test) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 850 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  const refusals = []; // What the server refused and the test did not expect.
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // The browser reports each refused request too; those are judged by `refusals`.
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const local = [url.replace(/\/$/, ""), "blob:", "data:"].some((start) => request.url().startsWith(start));
    if (!local) complaints.push(`foreign request: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) refusals.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  page.setDefaultTimeout(30000);
  const table = new Table(page, refusals);
  try {
    await page.goto(url);
    await table.ready();
    await test(table, page);
  } catch (error) {
    await table.screenshot("failed"); // What was there instead.
    error.message += `\n${await page.locator("main").innerText()}`;
    throw error;
  } finally {
    await context.close();
    for (const folder of table.leftovers) await fs.rm(folder, { recursive: true, force: true });
  }
  assert.deepEqual(table.dying ? [] : complaints, []);
  assert.deepEqual(refusals, []);
}

// What a person does at the page.
class Table {
  constructor(page, refusals) {
    this.page = page;
    this.refusals = refusals;
    this.leftovers = [];
    this.dying = false; // The server may go: what the browser says of that is no complaint.
    this.board = page.locator("main .board > svg");
  }

  // Folders of the test that go when the page is closed: what it asks for until then is not refused.
  removeLater(...folders) {
    this.leftovers.push(...folders);
  }

  async ready() {
    await this.board.waitFor();
  }

  press(name) {
    return this.page.getByRole("button", { name, exact: true }).click();
  }

  // The game that is played goes into the analysis.
  async analyse() {
    await this.press("Analyse");
    await this.page.locator(".view.analyse .heading h2:not(:empty)").waitFor();
  }

  async newGame(game, choices = {}) {
    await this.press("New game");
    await this.chooseGame(game);
    for (const [name, value] of Object.entries(choices)) await this.choose(name, value);
    await this.press("Start");
    await this.page.locator("dialog[open]").waitFor({ state: "detached" });
  }

  // A ruleset in the dialog: first its game, by the board that is shown for it.
  async chooseGame(ruleset) {
    const { of } = (await this.games()).find((one) => one.game === ruleset);
    await this.page.locator(`dialog .card:has(input[value="${of}"])`).click();
    if (of !== ruleset) await this.page.locator(`dialog input[name="ruleset"][value="${ruleset}"]`).check();
  }

  async games() {
    return (await this.page.request.get(new URL("api/games", this.page.url()).href)).json();
  }

  choose(name, value) {
    return this.page.locator(`select[name="${name}"]`).selectOption(value);
  }

  // Puts a game into the page as text.
  async load(text) {
    const panel = this.page.locator("main details.text-panel").first();
    if (!(await panel.evaluate((element) => element.open))) await panel.locator("summary").click();
    await panel.locator("textarea").fill(text);
    await panel.locator("button.load").click();
    await this.page.locator("details .message:not(:empty)").waitFor(); // Loaded, or why not.
  }

  // The middle of a square on the screen, as White sees the board.
  async middle(square, size = 8) {
    const box = await this.board.boundingBox();
    const cell = box.width / size;
    return [box.x + (square.charCodeAt(0) - 96.5) * cell, box.y + (size - Number(square[1]) + 0.5) * cell];
  }

  async click(square, size) {
    await this.page.mouse.click(...(await this.middle(square, size)));
  }

  async move(from, to, size) {
    await this.page.locator(`.movable[data-square="${from}"]`).waitFor({ state: "attached" });
    await this.click(from, size);
    await this.page.locator(`.dots [data-to="${to}"]`).waitFor({ state: "attached" });
    await this.click(to, size);
  }

  async drag(from, to) {
    await this.page.mouse.move(...(await this.middle(from)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.middle(to)), { steps: 4 });
    await this.page.mouse.up();
  }

  // Waits for so many moves (or more) in the list.
  async moves(count) {
    await this.page
      .locator(".moves button")
      .nth(count - 1)
      .waitFor();
    return this.page.locator(".moves button").allTextContents();
  }

  piece(square) {
    return this.page.locator(`.pieces [data-square="${square}"]`);
  }

  // Waits for a sentence in the notices.
  async told(text) {
    await this.page.locator(".notice", { hasText: text }).waitFor();
  }

  // The person is to move.
  async mine() {
    await this.page.locator(".thinking").waitFor({ state: "detached" });
  }

  async screenshot(name) {
    await this.page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
  }

  async assertFits() {
    const [content, window_] = await this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= window_, `the page is ${content} pixels wide in a window of ${window_}`);
  }
}
