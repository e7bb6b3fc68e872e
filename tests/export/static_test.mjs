// `makzero export --to web --tower`: a whole game in a browser that reaches nothing but the server of the folder's files.
// static_test.mjs FOLDER_OF_SAMPLES FOLDER_OF_NODE_MODULES, with the program in the environment variable MAKZERO.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { openPage, playToTheEnd } from "./browser.mjs";

const [samples, modules] = process.argv.slice(2);
if (!existsSync(`${modules}/playwright-core`)) {
  console.log("skipped: tests/run.sh install brings playwright-core");
  process.exit(77);
}
const GAME = "makyek:max_plies=24";
const site = `${samples}/../static`;
rmSync(site, { recursive: true, force: true });
const exported = execFileSync(process.env.MAKZERO, [
  "export",
  `${samples}/makyek/net.mzc`,
  "--to",
  "web",
  "--tower",
  "--out",
  site,
]);
if (!String(exported).includes("makzero.wasm")) throw new Error(`no page: ${exported}`);

// Any server of files will do.
const server = spawn("/usr/bin/python3", ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", site, "0"]);
const { value: line } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
const origin = `http://127.0.0.1:${/port (\d+)/.exec(line)[1]}`;
// Without a service worker: its files would come before those that the test changes.
const { page, close } = await openPage(modules, origin, { serviceWorkers: "block" });

const board = page.locator("main .board > svg");
const moves = () => page.locator(".moves button").allTextContents();

try {
  await page.goto(`${origin}/`);
  await board.waitFor();
  await page.locator("summary", { hasText: "Position and game as text" }).click();
  await page.locator("textarea").fill(`ruleset ${GAME}\nmoves\n`);
  await page.getByRole("button", { name: "Load", exact: true }).click();
  await page.waitForFunction((game) => document.querySelector("textarea").value.includes(game), GAME);

  const outcome = await playToTheEnd(page);
  mkdirSync(`${samples}/../screenshots`, { recursive: true });
  await page.screenshot({ path: `${samples}/../screenshots/static-end.png` });
  console.log(`${(await moves()).length} plies: ${outcome}`);
  if ((await moves()).length !== 24) throw new Error(`the game has not ended at its limit: ${await moves()}`);

  // The rules, with boards whose positions the page works out by itself.
  await page.locator("summary", { hasText: "Rules of Mak-yek" }).first().click();
  await page.locator(".rules-changes li", { hasText: "Plies in all: 24" }).waitFor();
  await page.locator(".example .pieces use").first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "f5f7 takes e7 and g7" }).click();
  await page.getByRole("button", { name: "Play it" }).click();
  await page.locator('.example .ghosts [data-fell="e7"]').waitFor({ state: "attached" });

  // The analysis: a search that is stopped, and its tree.
  await page.goto(`${origin}/#analyse`);
  await page.reload();
  await page.getByRole("button", { name: "To the start" }).click(); // The game that was kept is over.
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.locator(".facts", { hasText: /\d\d visits/ }).waitFor();
  await page.screenshot({ path: `${samples}/../screenshots/static-analysis.png` });

  // The review of a game.
  await page.locator(".view.analyse details.text-panel > summary").click();
  await page.locator(".view.analyse textarea").fill("ruleset makyek\nmoves a3a4 a6a5\n");
  await page.locator(".view.analyse button.load").click();
  await page.waitForFunction(() => document.querySelectorAll(".view.analyse .moves button").length === 2);
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.locator(".review .facts", { hasText: "White: inaccuracies" }).waitFor();

  // The levels of net.json are offered with their Elo, for the ruleset that they were measured for; else searches are.
  const net = JSON.parse(readFileSync(`${site}/net.json`));
  const levels = [{ level: 1, simulations: 4, temperature: 1, elo: 249 }];
  const offered = async (levels, game) => {
    await page.route("**/net.json", (route) => route.fulfill({ json: { ...net, levels } }));
    await page.goto("about:blank"); // Else the page that is open answers the address.
    await page.goto(`${origin}/#play?game=${game}&moves=`);
    await page.getByRole("button", { name: "New game" }).first().click();
    const strength = page.locator("dialog select[name=strength]");
    await strength.waitFor();
    await page.unroute("**/net.json");
    return strength.locator("option").allTextContents();
  };
  const beginner = "1 - beginner (249 above random play)";
  const searches = "does not search: the network alone";
  for (const [levels_, game, expected] of [
    [levels, "makyek", [beginner, searches]],
    [levels, GAME, [searches]],
    [net.levels, "makyek", [searches]],
  ]) {
    const texts = (await offered(levels_, game)).slice(0, expected.length);
    if (String(texts) !== String(expected)) throw new Error(`${game} offers ${texts} instead of ${expected}`);
  }

  // Another encoder, another move index: refused, naming both.
  for (const key of ["encoder", "move_index"]) {
    await page.route("**/net.json", (route) => route.fulfill({ json: { ...net, [key]: "2-ffffffffffff" } }));
    await page.reload();
    const why = await page.locator("[role=alert]").textContent();
    if (!why.includes("2-ffffffffffff") || !why.includes(net[key])) throw new Error(`unclear: ${why}`);
    await page.unroute("**/net.json");
  }
} finally {
  server.kill();
  await close();
}
