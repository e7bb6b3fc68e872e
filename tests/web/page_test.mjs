// The page in a real browser, with the real server and small networks: what a person does and sees.
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { makeRuns, serve, solveEndings, trainBriefly, trainOn } from "./program.mjs";

const GAMES = ["makyek", "gala", "rek", "makruk"];
const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };

let browser, server, runs;

before(async () => {
  runs = makeRuns();
  for (const game of GAMES) await trainBriefly(runs, game);
  process.env.MAKZERO_ENDINGS = path.join(runs, ".endings");
  await solveEndings("gala");
  [browser, server] = await Promise.all([launch(), serve(runs)]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const atPage = (name, options, body) => test(name, () => withPage(browser, server.url, options, body));

// Holds requests back until the function that is returned is called.
async function hold(page, url) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue().catch(() => {}); // The page may have gone on by then.
  });
  return release;
}

atPage("Mak-yek is played by mouse against a network", {}, async (table, page) => {
  await table.newGame("makyek", { strength: "16" });
  await table.move("a3", "a4");
  await table.moves(2);
  await table.mine();
  await table.drag("h1", "h2");
  const moves = await table.moves(4);
  assert.equal(moves[0], "a3-a4");
  assert.equal(moves[2], "h1-h2");
  await page.locator(".wdl-bar .white").waitFor({ state: "attached" });
  await table.mine();
  await table.screenshot("makyek");
  await table.press("Take back");
  await page.locator(".moves button").nth(2).waitFor({ state: "detached" });
  assert.equal((await table.moves(2)).length, 2);
});

atPage("captured men fall and lie beside the board, and the last one ends the game", {}, async (table, page) => {
  await table.load("ruleset makyek\nstart 8/8/m7/2Mm4/8/8/8/4M3 w\nmoves\n");
  await table.piece("c5").waitFor({ state: "attached" });
  await table.move("e1", "e5");
  await page.locator(".falling use").waitFor({ state: "attached" });
  await table.screenshot("makyek-capture");
  await page.locator(".tray .icon").waitFor();
  await table.load("ruleset makyek\nstart 8/8/8/2Mm4/8/8/8/4M3 w\nmoves\n");
  await table.move("e1", "e5");
  await table.told("You win: Black has no men left.");
  await table.screenshot("makyek-end");
});

atPage("Gala begins with drops from the hand", {}, async (table, page) => {
  await table.newGame("gala", { strength: "16" });
  const hand = page.locator('.strip[data-side="white"] .hand');
  await hand.getByText("× 13").waitFor();
  await page.locator('.dots [data-to="a1"]').waitFor({ state: "attached" });
  await table.click("a1", 7);
  await hand.getByText("× 12").waitFor();
  await table.moves(3);
  await page.locator('.dots [data-to="b2"]').waitFor({ state: "attached" });
  await table.click("b2", 7);
  await hand.getByText("× 11").waitFor();
  const moves = await table.moves(4);
  assert.deepEqual([moves[0], moves[1], moves[3]], ["@d4", "@a1", "@b2"]);
  await table.screenshot("gala");
});

atPage("a forced pass of Gala is a button", {}, async (table) => {
  await table.newGame("gala", { side: "both" });
  await table.load("ruleset gala\nstart 1mmmmm1/1mmmm2/7/3m3/7/MMMMM2/MMMMM2 b W3\nmoves\n");
  await table.told("Black cannot move and passes.");
  await table.press("Pass");
  assert.deepEqual(await table.moves(1), ["pass"]);
});

atPage("Rek is played by mouse and ends when the king falls", {}, async (table) => {
  await table.newGame("rek", { strength: "16" });
  await table.move("a3", "a4");
  await table.moves(2);
  await table.mine();
  await table.screenshot("rek");
  await table.load("ruleset rek\nstart mmmMmM2/mmM5/mM4k1/4M3/6m1/8/K2MmM2/4M3 w\nmoves\n");
  await table.piece("g6").waitFor({ state: "attached" });
  await table.move("e5", "g5");
  await table.told("You win: Black's king is captured.");
  await table.screenshot("rek-end");
});

atPage("Makruk is played by mouse; a mate is told", {}, async (table) => {
  await table.newGame("makruk", { strength: "16" });
  await table.move("e3", "e4");
  await table.moves(2);
  await table.mine();
  await table.move("b1", "d2");
  await table.moves(4);
  await table.mine();
  await table.screenshot("makruk");
  await table.load("ruleset makruk\nstart 7k/8/6K1/8/8/4P3/8/R7 w - - 0 1\nmoves\n");
  await table.piece("h8").waitFor({ state: "attached" });
  await table.move("a1", "a8");
  await table.told("You win: Black is checkmated.");
});

atPage("a count is declared, shown and stopped", {}, async (table, page) => {
  await table.newGame("makruk", { side: "both" });
  await table.load("ruleset makruk:count.mode=manual,count.who=any\nstart r2k4/8/8/8/8/8/8/4K2R w - - 0 1\nmoves\n");
  await table.press("Declare the count");
  await page.locator(".count-banner").waitFor();
  await table.told("Board's honour: 0 of 64 moves, 64 left, then a draw. White counts.");
  await table.move("h1", "h2");
  await table.moves(2);
  await table.move("a8", "a7");
  await table.moves(3);
  await table.screenshot("counting");
  await table.press("Stop the count");
  await page.locator(".count-banner").waitFor({ state: "detached" });
});

atPage("a new game of the chess family asks who counts", {}, async (table, page) => {
  await table.press("New game");
  await table.chooseGame("makyek");
  const manual = page.locator('dialog input[name="count.mode"][value="manual"]');
  assert.equal(await manual.count(), 0);
  await table.chooseGame("makruk");
  assert.equal(await page.locator('dialog details input[name="count.mode"]').count(), 0); // Nobody has to look for it.
  await manual.check();
  await table.press("Start");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  await page.waitForURL(/makruk:count\.mode=manual|makruk%3Acount\.mode%3Dmanual/);
});

atPage("the marked squares of Gala are drawn", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  assert.equal(await page.locator("main .board .board-mark").count(), 0);
  await table.newGame("gala", { side: "both" });
  const marked = page.locator("main .board [data-square]:has(.board-mark)");
  const squares = await marked.evaluateAll((cells) => cells.map((cell) => cell.dataset.square).sort());
  assert.deepEqual(squares, ["a1", "a4", "a7", "d1", "d4", "d7", "g1", "g4", "g7"]);
  await table.screenshot("gala-marks");
});

atPage("hint, look back, flip, resign", {}, async (table, page) => {
  await table.newGame("makyek", { strength: "1" });
  await table.press("Hint");
  await page.locator(".arrow.hint").waitFor({ state: "attached" });
  await table.move("b3", "b5");
  await table.moves(2);
  await table.mine();
  await table.press("One move back");
  await table.told("Looking back: after 1 of 2 moves.");
  await table.press("To the end");
  await table.press("Flip");
  await page.locator('.table > .strip:first-child[data-side="white"]').waitFor();
  await table.press("Resign");
  await table.press("Play on");
  assert.equal(await page.locator(".notice .outcome").count(), 0);
  await table.press("Resign");
  await table.press("Yes, resign");
  await table.told("You lose: you resigned.");
});

atPage("a game goes out as text and comes in again; bad text is explained", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.move("a3", "a5");
  await table.moves(1);
  await page.getByText("Position and game as text").click();
  await page.waitForFunction(() => document.querySelector("textarea").value.includes("a3a5"));
  const text = await page.locator("textarea").inputValue();
  await table.load(text.replace("a3a5", "b3b5"));
  await page.locator(".moves button", { hasText: "b3-b5" }).waitFor();
  await page.locator('input[type="file"]').setInputFiles({
    name: "game.txt",
    mimeType: "text/plain",
    buffer: Buffer.from(text.replace("a3a5", "c3c5")),
  });
  await page.locator(".moves button", { hasText: "c3-c5" }).waitFor();
  await table.load("ruleset makyek\nmoves a1z9\n");
  await page.locator(".message.error", { hasText: "a1z9" }).waitFor();
  await page.locator(".moves button", { hasText: "c3-c5" }).waitFor(); // The game before stays.
});

atPage("every ruleset begins, and answers a move", {}, async (table, page) => {
  await table.press("New game");
  await page.locator('dialog input[name="game"]').nth(10).waitFor({ state: "attached" });
  await table.press("Cancel");
  const games = (await table.games()).map((one) => one.game);
  assert.ok(games.length >= 11);
  for (const game of games) {
    await table.newGame(game, { opponent: "alphabeta:1" });
    const movable = page.locator(".movable, .dots .dot").first();
    await movable.waitFor({ state: "attached" });
    const squares = await page.locator(".movable").evaluateAll((cells) => cells.map((cell) => cell.dataset.square));
    if (squares.length) await table.click(squares.at(-1));
    const target = await page.locator(".dots .dot").first().getAttribute("data-to");
    await table.click(target, game === "gala" ? 7 : 8);
    await table.moves(game === "gala" ? 3 : 2);
  }
});

atPage("the rules are offered at the first visit to a game, and not again", {}, async (table, page) => {
  const offer = page.locator(".offer");
  await offer.getByText("Is Mak-yek new to you?").waitFor();
  await table.press("No, thanks");
  assert.equal(await offer.textContent(), "");
  await page.reload();
  await table.ready();
  assert.equal(await offer.textContent(), "");
  await table.newGame("makyek-line", { side: "both" }); // Another ruleset of a game that is known.
  assert.equal(await offer.textContent(), "");
  await table.newGame("rek", { side: "both" });
  await offer.getByText("Is Rek new to you?").waitFor();
  await table.move("a3", "a4");
  await table.moves(1);
  assert.equal(await offer.textContent(), ""); // Who plays is not asked on.
  await table.press("Take back");
  await offer.getByText("Is Rek new to you?").waitFor();
  await table.press("Show the rules");
  await page.locator(".rules h3", { hasText: "Capturing" }).waitFor();
  assert.equal(await offer.textContent(), "");
});

atPage("the rules beside the board have the pieces and boards whose examples are stepped", {}, async (table, page) => {
  await page.getByText("Rules of Mak-yek").first().click();
  await page.locator(".piece-legend dt", { hasText: "man M" }).waitFor();
  const example = page.locator(".example").nth(1);
  const piece = (square) => example.locator(`.pieces [data-square="${square}"]`);
  await piece("e7").waitFor({ state: "attached" });
  await example.getByRole("button", { name: "First example" }).click();
  await example.locator(".arrow").waitFor({ state: "attached" });
  await example.getByRole("button", { name: "Play it" }).click();
  await piece("f7").waitFor({ state: "attached" });
  await example.locator('.ghosts [data-fell="e7"]').waitFor({ state: "attached" });
  assert.equal(await piece("e7").count(), 0);
  assert.equal(await example.locator(".caption").textContent(), "f5f7 takes e7 and g7: arrives between them.");
  await example.getByRole("button", { name: "Next example" }).click();
  await example.locator('[aria-pressed="true"]', { hasText: "f5h5 takes h4" }).waitFor();
  await piece("e7").waitFor({ state: "attached" });
  await example.getByRole("button", { name: "Back: before the move" }).click();
  await piece("f7").waitFor({ state: "attached" });
  await example.scrollIntoViewIfNeeded();
  await table.screenshot("rules");
});

atPage("the rules in the dialog are those of the ruleset that is chosen there", {}, async (table, page) => {
  await table.press("New game");
  const dialog = page.locator("dialog[open]");
  await dialog.getByText("Rules of Mak-yek").click();
  await dialog.locator(".piece-legend").waitFor();
  assert.equal(await dialog.locator(".rules-changes").count(), 0);
  await table.chooseGame("makyek-jump");
  await dialog.locator(".rules-changes li", { hasText: "Jumps: instead of sliding, a man may jump" }).waitFor();
  await dialog.getByText("Options of the rules").click();
  await dialog.getByLabel("nobody falls so").check();
  await dialog.locator(".rules-changes li", { hasText: "Custodian capture: nobody falls so" }).waitFor();
  await dialog.locator(".example button", { hasText: "f5h5 takes nothing" }).waitFor();
  await table.screenshot("dialog");
  await table.press("Start");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  await page.locator("h2", { hasText: "Mak-yek, jumps" }).waitFor();
});

atPage("a game and a ruleset of it are chosen by keys alone", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.press("New game");
  const focused = () => page.evaluate(() => `${document.activeElement.name} ${document.activeElement.value}`);
  await page.locator("dialog[open]").waitFor();
  await page.locator('dialog input[name="game"][value="makyek"]').focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "game apit");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "ruleset apit");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "ruleset apit-intfirst");
  await page.keyboard.press("Enter");
  await page.locator("h2", { hasText: "Apit-sodok, pairs first" }).waitFor();
});

atPage("no two rulesets of the dialog have one name, and each says how it differs", {}, async (table) => {
  const games = await table.games();
  assert.equal(new Set(games.map((one) => one.title)).size, games.length);
  for (const game of games) assert.equal(game.difference === "", game.game === game.of, game.game);
  await table.press("New game");
  await table.chooseGame("cambodian");
  await table.page
    .locator("dialog .choices label", { hasText: "Captures do not end the leaps, a rook that aims" })
    .waitFor();
});

// Where, from, to, and what falls there.
const CAPTURES = [
  ["makyek", "8/4m1m1/2m5/Mm3M2/2m4m/3Mm2M/5m2/5M2 w", "f5", "c5", ["b5", "c4", "c6"]],
  ["rek", "mmmMmM2/mmM5/mM4k1/4M3/6m1/8/K2MmM2/4M3 w", "e5", "a5", ["a6", "a7", "a8", "b7", "b8", "c8"]],
  ["hunt", "8/8/3M4/8/3M4/2Mh1M2/8/3MM3 b", "d3", "d5", ["d4"]],
  ["makruk", "4k3/8/8/8/8/2m5/8/2R1K3 w - - 0 1", "c1", "c3", ["c3"]],
];

for (const [game, start, from, to, falls] of CAPTURES) {
  atPage(`what a move of ${game} takes is seen before and after it`, {}, async (table, page) => {
    await table.newGame(game, { side: "both" });
    await table.load(`ruleset ${game}\nstart ${start}\nmoves\n`);
    await table.piece(from).waitFor({ state: "attached" });
    const crosses = () =>
      page.locator(".table .cross:not(.faint)").evaluateAll((all) => all.map((one) => one.dataset.falls).sort());
    await page.mouse.move(...(await table.middle(from)));
    await page.locator(`.dots [data-to="${to}"].peek`).waitFor({ state: "attached" });
    await table.click(from);
    const ring = falls.includes(to) ? `.dots .ring[data-to="${to}"]` : `.dots [data-takes="${to}"]`;
    await page.locator(ring).waitFor({ state: "attached" });
    assert.deepEqual(await crosses(), []);
    await page.mouse.move(...(await table.middle(to)));
    await page.locator(".table .cross:not(.faint)").first().waitFor({ state: "attached" });
    assert.deepEqual(await crosses(), falls);
    await table.screenshot(`captures-${game}`);
    await table.click(to);
    await page.locator(".ghosts .ghost").first().waitFor({ state: "attached" });
    const fell = await page.locator(".table .ghost").evaluateAll((all) => all.map((one) => one.dataset.fell).sort());
    assert.deepEqual(fell, falls);
    const told = await page.locator(".table .board [aria-live]").textContent();
    for (const square of falls) assert.ok(told.includes(square), told);
  });
}

atPage("a network is offered for the rulesets of its game alone", {}, async (table, page) => {
  await table.press("New game");
  const networks = page.locator('select[name="opponent"] option:not([value^="alphabeta"])');
  await networks.first().waitFor({ state: "attached" });
  await table.chooseGame("makyek-line");
  await networks.first().waitFor({ state: "attached" });
  await table.chooseGame("apit");
  await networks.first().waitFor({ state: "detached" });
  await page.locator("dialog .summary", { hasText: "No network plays by these rules; alpha-beta, depth" }).waitFor();
});

atPage("a game of the chess family goes out and in as PGN", {}, async (table, page) => {
  await table.newGame("makruk", { side: "both" });
  await table.move("e3", "e4");
  await table.moves(1);
  await page.getByText("Position and game as text").click();
  await page.locator("select", { hasText: "as PGN" }).selectOption("pgn");
  await page.waitForFunction(() => document.querySelector("textarea").value.includes("[Variant"));
  const text = await page.locator("textarea").inputValue();
  await table.newGame("makyek", { side: "both" });
  await table.load(text);
  await page.locator("h2", { hasText: "Makruk" }).waitFor();
  assert.deepEqual(await table.moves(1), ["e4"]);
});

atPage("the analysis searches, draws, lists, previews and opens its tree", {}, async (table, page) => {
  await page.getByRole("link", { name: "Analyse" }).click();
  await table.ready();
  await page.locator(".facts", { hasText: "1,000 visits" }).waitFor(); // It searches at once.
  await page.getByRole("button", { name: "Search", exact: true }).waitFor();
  await table.choose("visits", "0");
  await table.press("Search");
  await page.locator(".facts:not(:empty)", { hasNotText: "1,000 visits" }).waitFor();
  await table.press("Stop");
  await table.choose("visits", "1000");
  await table.press("Search");
  await page.locator(".facts", { hasText: "1,000 visits" }).waitFor();
  await page.getByRole("button", { name: "Search", exact: true }).waitFor();
  assert.ok((await page.locator(".candidates tbody").count()) >= 3);
  assert.ok((await page.locator(".arrow.prior").count()) > 0);
  assert.ok((await page.locator(".arrow.visits").count()) > 0);
  assert.ok((await page.locator(".heat").count()) > 0);
  await table.screenshot("analysis");

  await page.locator(".variation span").first().hover();
  await page.locator(".board.preview").waitFor();
  await page.locator("h2").first().hover();
  await page.locator(".board.preview").waitFor({ state: "detached" });

  await page.getByText("Search tree").click();
  const node = page.locator(".tree > details.node").first();
  await node.locator("summary").first().click();
  await node.locator(".children .node").first().waitFor();
  await page.getByText("What the network sees").click();
  await page.locator(".planes figure").first().waitFor();
  await page.locator(".planes").scrollIntoViewIfNeeded();
  await table.screenshot("analysis-tree-and-planes");

  await page.getByText("Rules of Mak-yek").click();
  await page.locator(".rules .example .pieces use").first().waitFor({ state: "attached" });

  await page.locator(".candidates button").first().click();
  await table.moves(1);
});

atPage("a proven win is told in moves, against the count", {}, async (table, page) => {
  await table.load("ruleset makruk\nstart 7k/8/6K1/8/8/8/8/R7 w - 32 10 1\nmoves\n");
  await table.told("Pieces' honour: 5 of 16 moves, 11 left for White to win, then a draw. Black counts.");
  await table.analyse();
  await table.choose("player", "alphabeta:2");
  await table.press("Search");
  await page.locator(".facts", { hasText: "White wins in at most 1 move; the count leaves 11" }).waitFor();
  await table.screenshot("proof");
});

atPage("the workers of a training on many machines are shown", {}, async (table, page) => {
  const worker = (name, rest) => ({ name, threads: 2, games: 1234, pairs: 3, network: "0123456789ab", ...rest });
  const workers = [
    worker("host-1", { games_per_second: 0.75, generation: 7, spooled: 2, silent_seconds: 0 }),
    worker("<b>host-2</b>", { games_per_second: 0.5, generation: 5, spooled: 0, silent_seconds: 9 }),
  ];
  const hub = { away: false, backlog: 4, kept: 99, refused: 1, worker_count: 3, games_per_second: 1.25, workers };
  const run = path.join(runs, "shared");
  const write = (status) => fs.writeFile(path.join(run, "status.json"), JSON.stringify(status));
  const status = { phase: "self-play", ruleset: "makyek", generation: 7, games: 99, process: process.pid };
  await fs.mkdir(run);
  table.removeLater(run);
  await write({ ...status, hub });
  await page.getByRole("link", { name: "Train" }).click();
  await table.choose("run", "shared");
  await page
    .locator(".workers .facts", {
      hasText: "3 workers · 1.25 games/s · 4 games in the stream · 1 refused, see quarantine · and 1 more",
    })
    .waitFor();
  const rows = await page.locator('[aria-label="Workers"] tbody tr').allTextContents();
  assert.deepEqual(rows, ["host-10.751,23472now", "<b>host-2</b>0.501,2345 2 behind09 s ago"]);
  await table.screenshot("workers");
  await write({ ...status, phase: "stopped", hub });
  await page.locator(".workers").waitFor({ state: "hidden" });
});

const SIZES = [
  [390, 844],
  [844, 390],
  [1366, 768],
];

for (const [width, height] of SIZES) {
  const name = `a run before its first generation tells how far it is, ${width}x${height}`;
  atPage(name, { viewport: { width, height } }, async (table, page) => {
    const run = path.join(runs, "young");
    const write = (status) => fs.writeFile(path.join(run, "status.json"), JSON.stringify(status));
    const played = { games: 136, plies: 57.4, draw_share: 0.25, white_score: 0.5, reasons: { checkmate: 102 } };
    const stand = { done: 1600, total: 10000, phase_seconds_left: 170, played };
    const status = { phase: "self-play without a network", generation: 0, games: 136, steps: 0, process: process.pid };
    const sample = (moves) =>
      `[Game "1"] [Ruleset "makyek"] [Result "*"] [Reason "limit"]\n1. ${moves}\n8/8/8/8/8/8/8/8 w\n\n`;
    await fs.mkdir(path.join(run, "games"), { recursive: true });
    table.removeLater(run);
    await write({ ...status, ...stand, ruleset: "makyek", updated_unix: 4e9 });
    await page.getByRole("link", { name: "Train" }).click();
    await table.choose("run", "young");
    const told = (text) => page.locator(".first-generation", { hasText: text }).waitFor();
    await told("There is no network yet");
    await told("self-play without a network: 16%, about 3 min left");
    await told("136 games so far: 57 plies on average, 25% drawn, White scores 50%");
    assert.equal(await page.locator(".first-generation progress").getAttribute("value"), "0.16");
    assert.equal(await page.locator(".chart, .machine").count(), 0); // Nothing empty is shown.
    await page.locator(".reasons dt", { hasText: "checkmate" }).waitFor();
    assert.equal(await page.locator(".sample:visible").count(), 0);
    await fs.writeFile(path.join(run, "games/000000.txt"), sample("a3a4 a6a5"));
    await page.locator(".sample .facts", { hasText: "2 plies" }).waitFor();
    await fs.writeFile(path.join(run, "games/000000.txt"), sample("a3a4 a6a5 b3b4")); // It is written anew.
    await page.locator(".sample .facts", { hasText: "3 plies" }).waitFor();
    await table.assertFits();
    await table.screenshot(`train-young-${width}`);
    await write({ ...status, ...stand, ruleset: "makyek", phase: "stopped" });
    await told("It stopped before its first generation; the same command goes on.");
  });
}

atPage("what a run has lost is named", {}, async (table, page) => {
  const run = path.join(runs, "broken");
  await fs.cp(path.join(runs, "makyek"), run, { recursive: true });
  table.removeLater(run);
  await fs.rm(path.join(run, "replay/000000.mzg"));
  await page.getByRole("link", { name: "Train" }).click();
  await table.choose("run", "broken");
  await page
    .locator(".view.train .error", { hasText: /replay\/000000\.mzg: is missing.*makzero fsck RUN --repair/ })
    .waitFor();
});

atPage("a running training is seen live, another laid over it", {}, async (table, page) => {
  const training = trainOn(runs, "makyek", "live");
  try {
    await page.getByRole("link", { name: "Train" }).click();
    await table.choose("run", "live");
    const generation = async () =>
      Number(/generation (\d+)/.exec(await page.locator(".facts").first().textContent())?.[1] ?? 0);
    await page.locator(".facts", { hasText: /generation \d/ }).waitFor();
    const first = await generation();
    await page.waitForFunction(
      (seen) => Number(/generation (\d+)/.exec(document.querySelector(".facts").textContent)?.[1]) > seen,
      first,
    );
    await table.choose("overlay", "makyek");
    await page.locator(".chart .line.dashed").first().waitFor({ state: "attached" });
    await page.locator(".sample .pieces use").first().waitFor();
    await page.locator('[aria-label="Checkpoints"] tbody tr').first().waitFor();
    await page.locator(".reasons dt").first().waitFor();
    await table.screenshot("training");
    await page.getByRole("button", { name: "Export generation 1 as onnx" }).click();
    await page.getByRole("link", { name: "model.onnx" }).waitFor();
    await page.locator(".lower").scrollIntoViewIfNeeded();
    await table.screenshot("training-lower");
  } finally {
    await training.stop();
  }
});

atPage("a game is played by keys alone", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await page.locator("h1").click(); // From here on no mouse.
  for (let tabs = 0; tabs < 6; tabs++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.getAttribute("role") === "grid")) break;
  }
  for (const key of ["ArrowUp", "ArrowUp", "Enter", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
  await page.locator(".board [aria-live]", { hasText: "A5, empty, can be reached" }).waitFor({ state: "attached" });
  await table.screenshot("keys");
  await page.keyboard.press("Enter");
  assert.deepEqual(await table.moves(1), ["a3-a5"]);
});

atPage("everything fits on a phone", PHONE, async (table, page) => {
  await table.newGame("makruk", { strength: "1" });
  for (const square of ["e3", "e4"]) await page.touchscreen.tap(...(await table.middle(square)));
  await table.moves(2);
  await table.mine();
  await table.assertFits();
  await table.screenshot("phone-play");
  await page.getByRole("link", { name: "Analyse" }).click();
  await table.press("Search");
  await page.locator(".candidates tbody").first().waitFor();
  await table.assertFits();
  await table.screenshot("phone-analyse");
  await page.getByRole("link", { name: "Train" }).click();
  await page.locator(".chart .line").first().waitFor({ state: "attached" });
  await table.assertFits();
  await table.screenshot("phone-train");
});

const LAPTOP = { viewport: { width: 1366, height: 768 } };

atPage("on a laptop the game fills the window", LAPTOP, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  const { height } = await table.board.boundingBox();
  assert.ok(height >= 0.74 * 768, `the board is ${height} pixels high`);
  const left = (await table.board.boundingBox()).x;
  const side = await page.locator(".view.play .side").boundingBox();
  const used = (side.x + side.width - left) / 1366;
  assert.ok(used >= 0.85, `the game takes ${Math.round(100 * used)} % of the width`);
  const strip = await page.locator(".table > .strip").last().boundingBox();
  assert.ok(strip.y + strip.height <= 768, "both players are seen with the board");
  await table.screenshot("laptop");
});

const ON_ITS_SIDE = { ...PHONE, viewport: { width: 844, height: 390 } };

atPage("on a phone that lies on its side the whole board is seen", ON_ITS_SIDE, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.assertFits();
  const { y, height } = await table.board.boundingBox();
  assert.ok(y >= 0 && y + height <= 390, `the board goes from ${y} to ${y + height}`);
  await page.getByText("Rules of Mak-yek").first().click();
  await page.locator(".example .pieces use").first().waitFor();
  await table.assertFits();
  await table.screenshot("phone-side");
});

atPage("the page is dark where the system is", { colorScheme: "dark" }, async (table, page) => {
  const [red, green, blue] = await page.evaluate(() =>
    getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number),
  );
  assert.ok(red + green + blue < 150, `the background is ${red} ${green} ${blue}`);
  await table.newGame("rek", { strength: "1" });
  await table.move("c3", "c4");
  await table.moves(2);
  await table.screenshot("dark");
});

// Relative luminance and contrast as WCAG 2 has them.
const CONTRAST = `(a, b) => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (color) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}`;

for (const colorScheme of ["light", "dark"]) {
  atPage(
    `black men and Black's dot are told from their ground, ${colorScheme}`,
    { colorScheme },
    async (table, page) => {
      await table.newGame("makyek", { side: "both" });
      const contrasts = await page.evaluate(`(() => {
      const contrast = ${CONTRAST};
      const style = (selector) => getComputedStyle(document.querySelector(selector));
      const body = style(".table .piece.black").getPropertyValue("--body");
      const seat = document.querySelector(".seat.black");
      const dot = getComputedStyle(seat, "::before").backgroundColor;
      return {
        men: contrast(body, style(".surface").fill),
        dot: contrast(dot, getComputedStyle(seat).backgroundColor),
      };
    })()`);
      assert.ok(contrasts.men >= 3, `men ${contrasts.men}`);
      assert.ok(contrasts.dot >= 3, `dot ${contrasts.dot}`);
      await table.screenshot(`contrast-${colorScheme}`);
    },
  );
}

atPage("no piece hides the letters of the files", {}, async (table, page) => {
  await table.newGame("makruk", { side: "both" });
  const board = await table.board.boundingBox();
  const letters = page.locator(".table .files span");
  assert.deepEqual(await letters.allTextContents(), [..."abcdefgh"]);
  for (const letter of await letters.all()) assert.ok((await letter.boundingBox()).y >= board.y + board.height);
  await table.press("Flip");
  assert.deepEqual(await letters.allTextContents(), [..."hgfedcba"]);
});

atPage("a game of the training opens in the analysis at the first time", {}, async (table, page) => {
  await page.getByRole("link", { name: "Train" }).click();
  const analyse = page.getByRole("button", { name: "Analyse this game" });
  await page.locator(".sample .pieces use").first().waitFor();
  const plies = Number(/^(\d+) plies/.exec(await page.locator(".sample .facts").textContent())[1]);
  await analyse.click();
  await table.moves(plies);
  assert.match(await page.evaluate(() => location.hash), /^#analyse\?game=/);
});

atPage("after a game without a network a network is offered again", {}, async (table, page) => {
  await table.newGame("apit", {}); // Nobody has trained for it.
  await page.locator(".strip strong", { hasText: "alpha-beta" }).waitFor();
  await table.newGame("makyek", {});
  await page.locator(".strip strong", { hasText: /your training ".+" \((newest|best)\)/ }).waitFor();
});

atPage("who plays is said in words", {}, async (table, page) => {
  await table.press("New game");
  const strengths = page.locator('dialog select[name="strength"] option');
  await strengths.first().waitFor({ state: "attached" });
  assert.ok((await strengths.allTextContents()).includes("thinks 200 positions a move"));
  await table.press("Cancel");
  await table.newGame("makyek", { strength: "16" });
  await page
    .locator(".strip strong", { hasText: /^Black · your training ".+" \((newest|best)\), thinks 16 positions a move$/ })
    .waitFor();
  await page.locator(".wdl-words", { hasText: /^White \d+ %, draw \d+ %, Black \d+ %$/ }).waitFor();
});

atPage("a solved ending has the exact value of every move", {}, async (table, page) => {
  await table.load("ruleset gala\nstart 7/7/7/7/1M5/1m1M3/7 w\nmoves\n");
  await table.analyse();
  const values = page.locator(".view.analyse .exact");
  await values.getByText("draw", { exact: true }).waitFor();
  assert.equal(await values.locator("dt").first().textContent(), "win in 4");
  await values.getByRole("button").first().click();
  await values.getByText("loss in 3", { exact: true }).waitFor();
  await table.screenshot("exact-moves");
});

atPage("a search that the server has no place for yet is asked for again", {}, async (table, page) => {
  let asked = 0;
  await page.route("**/api/search", (route) =>
    ++asked < 3
      ? route.fulfill({ status: 429, headers: { "Retry-After": "1" }, json: { error: "no place" } })
      : route.continue(),
  );
  await table.newGame("makyek", { strength: "16" });
  await table.move("a3", "a4");
  await table.moves(2);
  assert.ok(asked >= 3);
  assert.deepEqual(table.refusals.splice(0), ["429 /api/search", "429 /api/search"]);
});

atPage("a rating is read with its interval", {}, async (table, page) => {
  await page.getByRole("link", { name: "Train" }).click();
  await table.choose("run", "makyek");
  const chart = page.locator(".chart", { hasText: "Elo on the ladder" });
  await chart.locator(".point").first().waitFor({ state: "attached" });
  const reading = chart.locator(".reading", { hasText: /Elo -?\d+ \(-?\d+ to -?\d+\)/ });
  // It is drawn anew while its figures arrive, and reads again once the mouse moves.
  for (let moves = 0; moves < 300 && !(await reading.isVisible()); moves++) {
    await chart.locator("svg").hover({ position: { x: 100 + (moves % 40), y: 50 } });
    await page.waitForTimeout(50);
  }
  await reading.waitFor();
  await table.screenshot("reading");
});

test("the server that dies in thought loses no game, and play goes on when it is back", async () => {
  const own = await serve(runs);
  const port = new URL(own.url).port;
  let again = null;
  try {
    await withPage(browser, own.url, {}, async (table, page) => {
      table.dying = true;
      await table.newGame("makruk", { opponent: "alphabeta:5" });
      // However fast the machine is, the server is in thought when it dies.
      await page.route("**/api/search", async (route) => {
        own.hold();
        await route.continue();
      });
      await table.move("e3", "e4");
      await page.locator(".thinking").waitFor();
      await page.unroute("**/api/search");
      await own.kill();
      await table.told("The connection to makzero was lost; your game is kept.");
      assert.equal(await page.locator(".thinking").count(), 0);
      assert.equal(await page.getByRole("button", { name: "Move now" }).count(), 0);
      await page.getByRole("button", { name: "Try again" }).waitFor();
      await table.screenshot("connection-lost");
      again = await serve(runs, port);
      await table.moves(2);
      await table.mine();
      assert.equal(await page.locator(".notice .error").count(), 0);
    });
  } finally {
    await own.kill();
    await again?.stop();
  }
});

test("a page that is opened as a file says how to open it", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "makzero-file-"));
  for (const file of ["index.html", "app.js", "app.css"]) {
    const reply = await fetch(new URL(file, server.url));
    await fs.writeFile(path.join(folder, file), Buffer.from(await reply.arrayBuffer()));
  }
  const page = await browser.newPage();
  await page.goto(`file://${folder}/index.html`);
  await page.getByText("Start makzero serve and open the address that it prints").waitFor();
  await page.close();
  await fs.rm(folder, { recursive: true });
});

// What the address says of the game: "a3a5 h6h5" of "#play?game=makyek&moves=a3a5+h6h5".
const address = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1])));

atPage("a game survives a reload, and a browser that was closed", {}, async (table, page) => {
  await table.newGame("makyek", { strength: "16", side: "black" });
  await table.moves(1);
  await table.mine();
  await table.press("Flip"); // Until now Black was below.
  await table.move("a8", "a7"); // Whatever White has played.
  await table.moves(3);
  await table.mine();
  const moves = await table.moves(3);
  const seats = () => page.locator(".strip strong").allTextContents();
  const before = await seats();
  await page.reload();
  await table.ready();
  assert.deepEqual(await table.moves(3), moves);
  assert.deepEqual(await seats(), before);
  assert.match(before.join(), /Black · you/);
  // A window that knows nothing but what the browser has kept.
  const second = await page.context().newPage();
  await second.goto(server.url);
  await second.locator(".moves button").nth(2).waitFor();
  assert.deepEqual(await second.locator(".moves button").allTextContents(), moves);
  assert.deepEqual(await second.locator(".strip strong").allTextContents(), before);
  await second.close();
});

atPage("the address names ruleset, start, moves and the place in them", {}, async (table, page) => {
  await table.newGame("makyek-jump", { side: "both" });
  await table.move("a3", "a4");
  await table.moves(1);
  await table.move("a6", "a5");
  await table.moves(2);
  await table.press("One move back");
  await table.told("Looking back: after 1 of 2 moves.");
  assert.deepEqual(await address(page), { game: "makyek-jump", moves: "a3a4 a6a5", at: "1" });
  const start = "8/8/m7/2Mm4/8/8/8/4M3 w";
  const place = new URLSearchParams({ game: "makyek:jump=on", start, moves: "e1e2" });
  const elsewhere = await page.context().browser().newContext();
  const other = await elsewhere.newPage();
  await other.goto(`${server.url}#play?${place}`);
  await other.locator(".moves button", { hasText: "e1-e2" }).waitFor();
  await other.locator("h2", { hasText: "Mak-yek" }).first().waitFor();
  await other.goto(`${server.url}#analyse?${place}`);
  await other.locator(".view.analyse .moves button", { hasText: "e1-e2" }).waitFor();
  await elsewhere.close();
});

for (const view of ["play", "analyse"]) {
  atPage(`a wrong move of the address keeps the game up to it, ${view}`, {}, async (table, page) => {
    const place = "game=makruk&moves=c3c4+zzzz+c6c5";
    await page.goto("about:blank");
    await page.goto(`${server.url}#${view}?${place}`);
    await table.told("Move 2 of the address, zzzz, cannot be played: move 'zzzz' is not legal: write it like");
    await page.locator("main h2", { hasText: "Makruk" }).first().waitFor();
    assert.deepEqual(await page.locator(`.view.${view} .moves button`).allTextContents(), ["c4"]);
    assert.deepEqual(await address(page), { game: "makruk", moves: "c3c4" });
    await table.screenshot(`wrong-address-${view}`);
    assert.deepEqual(new Set(table.refusals.splice(0)), new Set(["400 /api/state"]));
  });
}

atPage("after a wrong address one plays on from there, or another game", {}, async (table, page) => {
  const wrong = () => page.evaluate(() => (location.hash = "#play?game=makruk&moves=c3c4+zzzz"));
  await table.newGame("makyek", { strength: "16" });
  await wrong();
  await table.told("Move 2 of the address");
  assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
  assert.equal((await table.moves(1)).length, 1); // The opponent waits, too.
  await page.getByRole("button", { name: "Play from here", exact: true }).click();
  await table.moves(2);
  await wrong();
  await table.told("Move 2 of the address");
  await page.locator(".side > .buttons").getByRole("button", { name: "New game", exact: true }).click();
  await page.locator("dialog[open]").waitFor();
  table.refusals.length = 0;
});

const WRONG_STARTS = {
  "game=makruk&start=4k3/8/8/8/8/8/8/R3K3 w - - 0 1&moves=": null, // Right.
  "game=makruk&start=4k3/8/8/8/8/8/8/4R1K1 w - - 0 1&moves=": "Black is in check but White is to move",
  "game=makruk&start=nonsense": "the board has 1 ranks",
  "game=makruc": "The address names no game: unknown game 'makruc': did you mean 'makruk'?",
};

for (const [place, why] of Object.entries(WRONG_STARTS)) {
  atPage(`an address says what is wrong with ${place}`, {}, async (table, page) => {
    await page.goto("about:blank");
    await page.goto(`${server.url}#play?${place}`);
    await table.ready();
    if (!why) return page.locator(".view.play h2", { hasText: "Makruk" }).waitFor();
    await table.told(why);
    await page.getByRole("button", { name: "Play from here" }).waitFor();
    if (place.includes("start=")) {
      await table.told("The game cannot begin as the address says");
      await page.locator(".view.play h2", { hasText: "Makruk" }).waitFor();
    }
    table.refusals.length = 0;
  });
}

atPage("back and forward go through games and views", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.move("a3", "a5");
  await table.moves(1);
  await table.newGame("rek", { side: "both" });
  await page.locator("h2", { hasText: "Rek" }).waitFor();
  await page.getByRole("link", { name: "Analyse" }).click();
  await page.locator(".view.analyse").waitFor();
  await page.goBack();
  await page.locator(".view.play h2", { hasText: "Rek" }).waitFor();
  await page.goBack();
  await page.locator(".view.play h2", { hasText: "Mak-yek" }).waitFor();
  assert.deepEqual(await table.moves(1), ["a3-a5"]);
  assert.deepEqual(await page.locator(".strip strong").allTextContents(), ["Black", "White"]); // Two people again.
  await page.goForward();
  await page.locator(".view.play h2", { hasText: "Rek" }).waitFor();
});

atPage("a move is seen before it is answered, and goes back when it is refused", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  const answer = await hold(page, "**/api/state");
  await table.move("b3", "b5");
  await table.piece("b5").waitFor({ state: "attached" });
  assert.equal(await table.piece("b3").count(), 0);
  assert.equal(await page.locator(".moves button").count(), 0);
  answer();
  await table.moves(1);
  await page.unroute("**/api/state");
  await page.route("**/api/state", (route) => route.fulfill({ status: 400, json: { error: "not in this house" } }));
  await table.move("c6", "c4");
  await table.told("not in this house");
  await table.piece("c6").waitFor({ state: "attached" });
  assert.equal(await table.piece("c4").count(), 0);
  table.refusals.length = 0;
});

atPage("left, right, Home and End walk the game wherever it is shown", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  for (const [from, to] of ["a3a4", "a6a5", "h3h4"].map((move) => [move.slice(0, 2), move.slice(2)])) {
    await table.move(from, to);
    await table.piece(to).waitFor({ state: "attached" });
  }
  await table.moves(3);
  const at = async (count) => {
    const current = page.locator(".moves button[aria-current]");
    if (count > 0)
      await page.locator(`.moves button[aria-current]:text-is("${["a3-a4", "a6-a5", "h3-h4"][count - 1]}")`).waitFor();
    else await current.waitFor({ state: "detached" });
  };
  const walk = async () => {
    for (const [key, place] of [
      ["ArrowLeft", 2],
      ["ArrowLeft", 1],
      ["ArrowRight", 2],
      ["Home", 0],
      ["End", 3],
    ]) {
      await page.keyboard.press(key);
      await at(place);
    }
  };
  await walk(); // The board has the focus, after the mouse.
  await page.getByRole("button", { name: "Flip" }).focus();
  await walk();
  await table.analyse();
  await table.moves(3);
  await walk();
});

atPage("moves are shown and typed in the notation that is chosen", {}, async (table, page) => {
  await table.newGame("makruk", { side: "both" });
  const type = async (text) => {
    await page.locator('.view.play input[name="move"]').fill(text);
    await page.keyboard.press("Enter");
  };
  await type("nd2");
  await table.moves(1);
  await type("จ๕");
  assert.deepEqual(await table.moves(2), ["Nd2", "e5"]);
  await type("Nd9");
  await page
    .locator(".move-input .message", { hasText: "This move cannot be played: move 'Nd9' is not legal" })
    .waitFor();
  assert.equal((await table.moves(2)).length, 2);
  table.refusals.length = 0;
  const write = async (notation) => {
    await page.locator("button.settings").click();
    await table.choose("notation", notation);
    await table.press("Close");
  };
  await write("thai");
  assert.deepEqual(await table.moves(2), ["ม-ง๒", "จ๕"]);
  await write("figurines");
  assert.deepEqual(await table.moves(2), ["♘d2", "e5"]);
  await page.reload();
  assert.deepEqual(await table.moves(2), ["♘d2", "e5"]); // Kept by the browser.
  await write("coordinates");
  assert.deepEqual(await table.moves(2), ["b1d2", "e6e5"]);
});

atPage("a resignation is kept in the text of the game", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.move("a3", "a4");
  await table.moves(1);
  await table.press("Resign");
  await table.press("Yes, resign");
  await table.told("White wins: Black resigned.");
  await page.getByText("Position and game as text").click();
  await page.waitForFunction(() => document.querySelector("textarea").value.includes("result 1-0 resignation"));
  const text = await page.locator("textarea").inputValue();
  await table.newGame("makruk", { side: "both" });
  await table.load(text);
  await table.told("White wins: Black resigned.");
  await page.reload();
  await table.told("White wins: Black resigned.");
});

atPage("nobody here has won a game of strangers, and nothing is invented of its end", {}, async (table, page) => {
  await table.newGame("makruk", { side: "white" });
  const pgn = '[White "A"]\n[Black "B"]\n[Variant "Makruk"]\n\n1. e4 e5 1-0\n';
  await table.load(pgn);
  await table.told("White wins: the record does not say why.");
  await page.getByRole("button", { name: /^Try level|^Rematch/ }).waitFor({ state: "detached" });
  await page.reload();
  await table.told("White wins: the record does not say why.");
});

// A file as somebody opens it.
const openFile = (view, name, buffer) =>
  view.locator('input[type="file"]').setInputFiles({ name, mimeType: "application/x-chess-pgn", buffer });

const corpus = (name) => fs.readFile(new URL(`../corpus/${name}`, import.meta.url));

for (const [shape, options] of Object.entries({ phone: PHONE, window: {} })) {
  const name = `the games of a file are stepped through, with the names of their players, ${shape}`;
  atPage(name, options, async (table, page) => {
    const view = page.locator(".view.play");
    await view.getByText("Position and game as text").click();
    await openFile(view, "three.pgn", await corpus("60_three.pgn"));
    const chooser = view.locator(".opened-file");
    await chooser.getByText("Game 1 of 3: ผู้เล่น หนึ่ง - Fairy-Stockfish, 1-0").waitFor();
    const names = view.locator(".strip strong");
    assert.deepEqual(await names.allTextContents(), [
      "Black · Fairy-Stockfish (1500?)",
      "White · ผู้เล่น หนึ่ง (1712)",
    ]);
    await table.told("White wins: the record does not say why.");
    await table.moves(12);
    assert.equal(await page.getByRole("button", { name: /^Try level|^Rematch|^Change your name/ }).count(), 0);
    await table.press("Next game");
    await chooser.getByText("Game 2 of 3: First player - Second player, 1-0").waitFor();
    assert.deepEqual(await names.allTextContents(), ["Black · Second player (1155)", "White · First player (1228)"]);
    await view.locator(".rules-end", { hasText: "here the rules give a draw (count exceeded)" }).waitFor();
    await table.assertFits();
    await table.screenshot(`file-${shape}-rules-end`);
    await chooser.scrollIntoViewIfNeeded();
    await table.screenshot(`file-${shape}`);
    await page.reload();
    await view.locator(".rules-end").waitFor();
    assert.deepEqual(await names.allTextContents(), ["Black · Second player (1155)", "White · First player (1228)"]);
    await table.analyse();
    await page.locator(".view.analyse .rules-end").waitFor();
    await table.told("White wins");
    await page.reload();
    await page.locator(".view.analyse .rules-end", { hasText: "count exceeded" }).waitFor();
    await page.locator(".view.analyse .strip strong", { hasText: "White · First player (1228)" }).waitFor();
  });
}

atPage("a game of a file by its number, and one that cannot be read", {}, async (table, page) => {
  await table.analyse();
  const view = page.locator(".view.analyse");
  const game = (white, moves) => `[White "${white}"]\n[Black "B"]\n[Variant "Makruk"]\n\n${moves}\n\n`;
  const file = [game("One", "1. e4 e5 1-0"), '[Variant "Nonesuch"]\n\n1. x y 1-0\n\n', game("Three", "1. e4 e9 0-1")];
  await openFile(view, "games.pgn", Buffer.from(file.join("")));
  const chooser = view.locator(".opened-file");
  await chooser.getByText("Game 1 of 3: One - B, 1-0").waitFor();
  await table.press("Next game");
  await chooser.locator(".error", { hasText: "This cannot be read as a game" }).waitFor();
  await chooser.getByText("Game 2 of 3").waitFor();
  await chooser.locator("input").fill("3");
  await chooser.locator("input").press("Enter");
  await chooser.getByText("Game 3 of 3: Three - B").waitFor();
  await chooser.locator(".error", { hasText: "It is read up to here: line" }).waitFor();
  assert.deepEqual(await view.locator(".moves button").allTextContents(), ["e4"]); // Up to its fault.
  assert.deepEqual(new Set(table.refusals.splice(0)), new Set(["400 /api/read"]));
});

atPage("a file of PlayOK in Windows-874 keeps its Thai names and says how it was read", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  const view = page.locator(".view.play");
  const pgn = (await corpus("24_playok_plain.pgn")).toString().replace('"a"', '"สมชาย"').replace('"b"', '"มาลี"');
  const bytes = [...pgn].map((letter) => (letter >= "ก" ? letter.charCodeAt(0) - 0x0e00 + 0xa0 : letter.charCodeAt(0)));
  await view.getByText("Position and game as text").click();
  await openFile(view, "playok.pgn", Buffer.from(bytes));
  await view.locator(".strip strong", { hasText: "White · สมชาย" }).waitFor();
  const chooser = view.locator(".opened-file");
  await chooser.getByText("Its moves are in PlayOK's letters.").waitFor();
  await chooser.getByText(/Read as Makruk: .* its moves are legal\./).waitFor();
  for (const [format, text] of [
    ["playok", "Bf7"],
    ["thai", '[White "สมชาย"]'],
    ["json", '"tags"'],
  ]) {
    await view.locator('select[name="format"]').selectOption(format);
    await page.waitForFunction((text) => document.querySelector("textarea").value.includes(text), text);
  }
});

atPage("a game of others that is not over waits until it is played on", {}, async (table, page) => {
  await table.newGame("makyek", { strength: "16" });
  await table.load('[White "A"]\n[Black "B"]\n[Ruleset "makyek"]\n\n1. a3a4 *\n');
  await page.locator(".strip strong", { hasText: "Black · B" }).waitFor();
  await page.getByRole("button", { name: "Play from here", exact: true }).click();
  await table.moves(2); // Black's answer.
  await page.locator(".strip strong", { hasText: "White · you" }).waitFor();
});

atPage("a game that was not read to its end waits, too", {}, async (table, page) => {
  await table.newGame("makyek", { strength: "16" });
  await table.load("ruleset makyek\nmoves a3a4 a1z9\n");
  await page.locator(".opened-file .error", { hasText: "It is read up to here" }).waitFor();
  await page.getByRole("button", { name: "Play from here", exact: true }).waitFor();
  assert.equal((await table.moves(1)).length, 1);
  await table.press("Play from here");
  await table.moves(2);
});

atPage("the page's own games are written with the names of their players", {}, async (table, page) => {
  await table.newGame("makyek", { opponent: "alphabeta:1" });
  await table.press("Change your name");
  await page.locator('input[name="own-name"]').fill("Malee");
  await table.press("Keep");
  await page.locator(".strip strong", { hasText: "White · Malee" }).waitFor();
  await page.reload();
  await page.locator(".strip strong", { hasText: "White · Malee" }).waitFor();
  await page.getByText("Position and game as text").click();
  await page.locator('select[name="format"]').first().selectOption("pgn");
  const area = page.locator("textarea").first();
  await page.waitForFunction(() => document.querySelector("textarea").value.includes('[White "Malee"]'));
  const pgn = await area.inputValue();
  assert.match(pgn, /\[Event "Casual game"\]\s\[Site "MakZero"\]\s\[Date "\d{4}\.\d\d\.\d\d"\]/);
  assert.match(pgn, /\[Black "alpha-beta/);
});

atPage("a game that is over is reviewed: graph, mistakes, better moves, and its PGN", {}, async (table, page) => {
  await table.newGame("makruk", { side: "both" });
  // White mates by a1a8, and does not see it; Black walks into it again.
  await table.load("ruleset makruk\nstart 7k/8/6K1/8/8/4P3/8/R7 w - - 0 1\nmoves a1b1 h8g8 b1b8\n");
  await table.told("White wins: Black is checkmated.");
  await table.press("Review");
  const view = page.locator(".view.analyse");
  await view.locator(".review .facts", { hasText: "White: " }).waitFor();
  const missed = view.locator('.mistakes button[data-index="0"]');
  await missed.waitFor();
  assert.match(await missed.textContent(), /^1\. Rb1\?\?: 100% to \d+%; better Ra8#$/);
  await view.locator(".odds-graph .mark.blunder").first().waitFor({ state: "attached" });
  await missed.click();
  await view.locator(".arrow.hint").waitFor({ state: "attached" });
  await table.screenshot("review");
  const box = await view.locator(".odds-graph").boundingBox();
  await page.mouse.click(box.x + box.width - 1, box.y + box.height / 2);
  await view.locator('.moves button[aria-current]:text-is("Rb8#")').waitFor();
  await view.getByText("Position and game as text").click();
  await view.locator("select", { hasText: "as PGN" }).selectOption("pgn");
  await page.waitForFunction(() => /\[%eval\s#/.test(document.querySelector(".view.analyse textarea").value));
  assert.match(
    await view.locator("textarea").inputValue(),
    /1\. Rb1\?\? \{ \[%eval [^\]]*\]\sBlunder\. Ra8# was best\. \}\s\(1\. Ra8#\)/,
  );
});

// A lone queen cannot win: the rules end the game after the first move.
atPage("a record that goes on past a draw of the rules is reviewed to its end", {}, async (table, page) => {
  await table.newGame("makruk", { side: "both" });
  await table.load(
    "ruleset makruk\nstart 4k3/8/8/1p6/M7/8/8/3K4 w - - 0 1\nmoves a4b5 e8d7 d1c2\nresult 1-0 resignation\n",
  );
  await table.press("Review");
  await page.locator(".view.analyse .review .facts", { hasText: "White: " }).waitFor();
});

atPage("the graph of a review has a curve only where the odds are known", {}, async (table, page) => {
  const best = { move: "a3a4", pv: ["a3a4"], written: ["a3-a4"], visits: 1, winrate: 0.5, wdl: [0, 1, 0], order: 0 };
  const rootInfo = { visits: 1, winrate: 0.5, toMove: "white" };
  const result = { id: "x", isDuringSearch: false, moveInfos: [best], rootInfo, best: "a3a4", timeMs: 1 };
  const held = [];
  let known = 0; // Positions whose searches are answered.
  await page.route("**/api/search", async (route) => {
    if (route.request().postDataJSON().moves.length >= known) return held.push(route);
    await route.fulfill({ contentType: "text/event-stream", body: `data: ${JSON.stringify(result)}\n\n` });
  });
  await table.newGame("makyek", { side: "both" });
  await table.load("ruleset makyek\nmoves a3a4 a6a5 b3b4 b6b5 c3c4 c6c5 d3d4 d6d5\nresult 1-0 resignation\n");
  await table.press("Review");
  const told = (text) => page.locator(".review .facts", { hasText: text }).waitFor();
  const sides = page.locator(".odds-graph polygon");
  await told("0 of 9 positions");
  assert.equal(await sides.count(), 0); // Neither side wins so far.
  await table.press("Stop the review");
  await told("The review was stopped.");
  known = 2;
  await table.press("Review this game");
  await told("2 of 9 positions");
  const ends = () => sides.evaluateAll((all) => all.map((one) => one.getAttribute("points").split(" ").at(-1)));
  assert.deepEqual(await ends(), ["50.0,0", "50.0,120"]); // After one of eight moves.
  await page
    .locator(".odds-graph")
    .screenshot({ path: path.join(process.env.MAKZERO_BUILD, "web-screenshots/odds-running.png") });
  await table.press("Stop the review");
  await told("The review was stopped.");
  assert.deepEqual(await ends(), ["50.0,0", "50.0,120"]);
  table.dying = true; // The searches that are held fail.
  await Promise.all(held.map((route) => route.abort().catch(() => {})));
});

atPage('a search begins where "Keep searching" is ticked', {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.analyse();
  await page.locator(".facts", { hasText: "visits in" }).waitFor();
  await page.getByRole("button", { name: "Search", exact: true }).waitFor(); // It is done.
  await page.getByLabel("Keep searching while stepping through the game").uncheck();
  await table.click("a3");
  await table.click("a5");
  await table.moves(1);
  await page.locator(".view.analyse > .side > .facts:empty").waitFor({ state: "attached" });
});

atPage("a strength stands once in the list", {}, async (table, page) => {
  const levels = [1, 8, 64].map((simulations, i) => ({ level: i + 1, simulations, temperature: 0, elo: 300 * i }));
  await page.route("**/api/players*", async (route) => {
    const players = await (await route.fetch()).json();
    await route.fulfill({ json: players.map((one) => (one.kind === "network" ? { ...one, levels } : one)) });
  });
  await page.reload();
  await table.ready();
  await table.press("New game");
  await page.locator("dialog[open]").waitFor(); // It waits for the players.
  const texts = await page.locator('select[name="strength"] option').allTextContents();
  assert.deepEqual(texts, [
    "1 - beginner (0 above random play)",
    "2 (300 above random play)",
    "3 (600 above random play)",
    "does not search: the network alone",
    "thinks 800 positions a move",
    "thinks 3,200 positions a move",
  ]);
});

atPage("a review judges moves by the limits of the program", {}, async (table, page) => {
  const judgements = await (await page.request.get(new URL("api/judgements", page.url()).href)).json();
  assert.deepEqual(
    judgements.map(({ word }) => word),
    ["Blunder", "Mistake", "Inaccuracy"],
  );
  // Every search expects a draw: nothing is lost, which is a mistake only where the program says so.
  const best = { move: "h3h4", pv: ["h3h4"], written: ["h3-h4"], visits: 1, winrate: 0.5, wdl: [0, 1, 0], order: 0 };
  const result = { id: "x", isDuringSearch: false, moveInfos: [best], best: "h3h4", timeMs: 1 };
  const body = `data: ${JSON.stringify({ ...result, rootInfo: { visits: 1, winrate: 0.5, toMove: "white" } })}\n\n`;
  await page.route("**/api/search", (route) => route.fulfill({ contentType: "text/event-stream", body }));
  await table.newGame("makyek", { side: "both" });
  await table.load("ruleset makyek\nmoves a3a4 a6a5\n");
  await table.analyse();
  await table.moves(2);
  await table.press("Review this game");
  await page.locator(".review .facts", { hasText: "White: " }).waitFor();
  assert.equal(await page.locator(".mistakes button").count(), 0);
  const lower = judgements.map((one) => (one.word === "Mistake" ? { ...one, loss: 0 } : one));
  await page.route("**/api/judgements", (route) => route.fulfill({ json: lower }));
  await table.press("Review this game");
  await page.locator(".mistakes button", { hasText: "1. a3-a4?: 50% to 50%; better h3-h4" }).waitFor();
});

atPage("a review shows its progress and can be stopped", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.load("ruleset makyek\nmoves a3a4 a6a5 h3h4\n");
  const answer = await hold(page, "**/api/search");
  await table.analyse();
  await table.press("Review this game");
  await page.locator(".review .facts", { hasText: "0 of 4 positions" }).waitFor();
  await table.press("Stop the review");
  await page.locator(".review .facts", { hasText: "The review was stopped." }).waitFor();
  answer();
});

atPage("variations are kept as a tree, made the main line, and deleted", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.load("ruleset makyek\nmoves a3a4 a6a5\n");
  await table.analyse();
  await table.moves(2);
  await page.keyboard.press("Home");
  await page.locator(".view.analyse .moves button[aria-current]").waitFor({ state: "detached" });
  await table.move("b3", "b4");
  await page.locator(".variations button", { hasText: "b3-b4" }).waitFor();
  await table.move("h6", "h5");
  await page.locator('.variations button[aria-current]:text-is("h6-h5")').waitFor();
  assert.deepEqual(await table.moves(4), ["a3-a4", "b3-b4", "h6-h5", "a6-a5"]);
  await table.press("Make main line");
  await page.locator('.moves > li:first-child button:text-is("b3-b4")').waitFor();
  await page.locator(".variations button", { hasText: "a6-a5" }).click();
  await page.locator('.variations button[aria-current]:text-is("a6-a5")').waitFor();
  await table.piece("a5").waitFor({ state: "attached" });
  await table.press("Delete from here");
  await page.locator(".variations button", { hasText: "a6-a5" }).waitFor({ state: "detached" });
  await page.getByText("Position and game as text").nth(0).click();
  await page.locator(".view.analyse select", { hasText: "as PGN" }).selectOption("pgn");
  const area = page.locator(".view.analyse textarea");
  await page.waitForFunction(() => document.querySelector(".view.analyse textarea").value.includes("(1. a3a4)"));
  const pgn = await area.inputValue();
  await table.load(pgn.replace("(1. a3a4)", "(1. c3c4 { tried })"));
  await page.locator(".variations button", { hasText: "c3-c4" }).waitFor();
  await page.locator(".variations .comment", { hasText: "tried" }).waitFor();
});

atPage("variations survive a reload, with what is said of moves, until they are deleted", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.analyse();
  await table.load('[Ruleset "makyek"]\n\n1. a3a4 { [%eval 0.25] } (1. c3c4 { tried } 1... a6a5) 1... b6b5 *\n');
  const tried = page.locator(".variations .comment", { hasText: "tried" });
  await page.locator(".variations button", { hasText: "a6-a5" }).click();
  const current = page.locator('.variations button[aria-current]:text-is("a6-a5")');
  await current.waitFor();
  await page.waitForFunction(() => location.hash.includes("c3c4+a6a5"));
  await page.reload();
  await current.waitFor(); // The same position of the same variation.
  await tried.waitFor();
  assert.deepEqual(await table.moves(4), ["a3-a4", "c3-c4", "a6-a5", "b6-b5"]);
  await page.locator(".view.analyse details.text-panel > summary").click();
  await page.locator(".view.analyse select", { hasText: "as PGN" }).selectOption("pgn");
  await page.waitForFunction(() => document.querySelector(".view.analyse textarea").value.includes("[%eval 0.25]"));

  await page.locator(".variations button", { hasText: "c3-c4" }).click();
  await page.locator('.variations button[aria-current]:text-is("c3-c4")').waitFor();
  await table.press("Delete from here");
  await tried.waitFor({ state: "detached" });
  await page.waitForFunction(() => location.hash.includes("a3a4+b6b5"));
  await page.reload();
  assert.deepEqual(await table.moves(2), ["a3-a4", "b6-b5"]);
  assert.equal(await tried.count(), 0);
});

atPage("a new game begins without the variations of the last one", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  await table.analyse();
  await table.load('[Ruleset "makyek"]\n\n1. a3a4 (1. c3c4 { tried }) *\n');
  await page.locator(".variations .comment", { hasText: "tried" }).waitFor();
  await page.locator("summary", { hasText: "Another game" }).click();
  await table.press("Open");
  await page.locator(".view.analyse .moves button").first().waitFor({ state: "detached" });
  assert.equal(await page.locator(".variations").count(), 0);
});

atPage("the search stays on while one steps, and a threat is shown", {}, async (table, page) => {
  await table.newGame("makyek", { strength: "16" });
  await table.load("ruleset makyek\nmoves a3a4 a6a5\n");
  await table.analyse();
  await table.moves(2);
  await table.choose("visits", "100");
  await table.press("Search");
  await page.locator(".facts", { hasText: "visits in" }).first().waitFor();
  const asked = page.waitForRequest((request) => request.url().endsWith("/api/search"));
  await table.press("One move back");
  assert.deepEqual((await asked).postDataJSON().moves, ["a3a4"]);
  await page.locator(".candidates button").first().waitFor();
  await table.press("Threat");
  await page.locator(".arrow.threat").waitFor({ state: "attached" });
  await table.told("White would play");
  await table.screenshot("threat");
});

atPage("the search for a small network's threat ends, too", {}, async (table, page) => {
  await page.route("**/api/players*", async (route) => {
    const [player] = await (await route.fetch()).json();
    await route.fulfill({ json: [{ ...player, kind: "small" }] });
  });
  await table.load("ruleset makyek\nmoves a3a4 a6a5\n");
  await table.analyse();
  const asked = page.waitForRequest(
    (request) => request.url().endsWith("/api/search") && request.postDataJSON().lines === 1,
  );
  await table.press("Threat");
  assert.equal((await asked).postDataJSON().maxVisits, 40_000);
});

atPage("a game that is over is played again, with sides exchanged too", {}, async (table, page) => {
  await table.load("ruleset makyek\nstart 8/8/8/2Mm4/8/8/8/4M3 w\nmoves\n");
  await table.move("e1", "e5");
  await table.told("You win");
  await table.press("Swap sides");
  await table.moves(1);
  await page.locator(".strip strong", { hasText: "Black · you" }).waitFor();
  await table.mine();
  await table.press("Resign");
  await table.press("Yes, resign");
  await table.told("You lose: you resigned.");
  await table.press("Rematch");
  await page.locator(".strip strong", { hasText: "Black · you" }).waitFor();
  await page.locator(".notice .outcome").waitFor({ state: "detached" });
});

const event = (kind, data) => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;

atPage("no number of a chart is cut, and what is not known is not drawn", {}, async (table, page) => {
  const rows = [1000, 1100, 1200].map((generation) => ({
    generation,
    evaluations: 1,
    "loss/policy": -0.00125 * generation,
    "validation/policy": generation > 1000 ? 2 : 0,
    "self_play/games_per_second": -1250 * generation,
  }));
  const ratings = [{ generation: 1000, elo: -12345, low: -23456, high: -10000 }];
  const body = rows.map((row) => event("metrics", row)).join("") + event("ratings", ratings);
  await page.route("**/events", (route) => route.fulfill({ contentType: "text/event-stream", body }));
  await page.getByRole("link", { name: "Train" }).click();
  await page.locator(".chart", { hasText: "Games per second" }).locator(".point").nth(2).waitFor({ state: "attached" });
  await page.locator(".machine > summary").click(); // Folded away at first.
  const cut = await page.locator(".chart svg").evaluateAll((pictures) =>
    pictures.flatMap((picture) => {
      const frame = picture.getBoundingClientRect();
      const inside = ({ left, right }) => left >= frame.left - 0.5 && right <= frame.right + 0.5;
      return [...picture.querySelectorAll("text")]
        .filter((text) => !inside(text.getBoundingClientRect()))
        .map((text) => text.textContent);
    }),
  );
  assert.deepEqual(cut, []);
  assert.equal(await page.locator(".chart", { hasText: "Loss on games held back" }).locator(".point").count(), 2);
});

atPage("a training says first whom it beats, and how sure that is", {}, async (table, page) => {
  const ratings = [{ generation: 12, elo: 700, low: 600, high: 800 }];
  const player = (name, elo, reach) => ({ player: name, elo, low: elo - reach, high: elo + reach });
  const ladder = [player("random", 0, 0), player("alphabeta:1", 550, 60), player("alphabeta:2", 650, 60)];
  const body = event("ratings", ratings) + event("ladder", ladder);
  await page.route("**/events", (route) => route.fulfill({ contentType: "text/event-stream", body }));
  await page.getByRole("link", { name: "Train" }).click();
  const verdict = page.locator(".verdict", { hasText: "Beats" });
  await verdict.waitFor();
  assert.equal(
    await verdict.textContent(),
    "Beats alphabeta:1, not yet alphabeta:2. The rating of generation 12, 700 Elo above random play, is uncertain by 100 Elo.",
  );
  assert.equal((await page.locator(".charts > .chart .axis", { hasText: "generation" }).count()) > 0, true);
});

atPage("every game against people has a seed of its own", {}, async (table, page) => {
  const seeds = [];
  page.on("request", (request) => {
    const query = request.url().endsWith("/api/search") ? request.postDataJSON() : {};
    if (query.variedPlies) seeds.push(query.seed);
  });
  for (let game = 0; game < 2; game++) {
    await table.newGame("makyek", { strength: "16", side: "black" });
    const [first] = await table.moves(1);
    await table.mine();
    await table.press("Flip"); // Black was below.
    const file = first.includes("a5") ? "h" : "a"; // White's first move varies, and may be to a5.
    await table.move(`${file}6`, `${file}5`);
    await table.moves(3);
    await table.mine();
  }
  assert.equal(seeds.length, 4);
  assert.equal(new Set(seeds).size, 2);
});

atPage("a clock runs for the side that moves, and ends the game", {}, async (table, page) => {
  await page.clock.install();
  await table.newGame("makyek", { side: "both", clock: "3 min + 2 s a move" });
  const clock = (side) => page.locator(`.strip[data-side="${side}"] .clock`);
  assert.deepEqual([await clock("white").textContent(), await clock("black").textContent()], ["3:00", "3:00"]);
  await table.move("a3", "a4");
  await table.moves(1);
  await page.clock.runFor(20_000);
  assert.equal(await clock("white").textContent(), "3:00");
  await table.move("a6", "a5");
  await table.moves(2);
  const left = await clock("black").textContent(); // 20 seconds less, and the increment.
  assert.ok(["2:42", "2:41", "2:40"].includes(left), left);
  await page.clock.runFor(170_500);
  assert.match(await clock("white").textContent(), /^[89]\.\d$/);
  await page.clock.runFor(10_000);
  await table.told("Black wins: White's time is up.");
  await table.screenshot("clock");
  await page.reload();
  await table.told("Black wins: White's time is up.");
  await table.press("Take back");
  await clock("white").waitFor({ state: "hidden" });
  await table.move("a6", "a5");
  await table.moves(2);
  await page.reload();
  await table.moves(2);
  await page.clock.runFor(10_000);
  assert.equal(await page.locator(".notice").textContent(), "");
});

// Moves h1-h2 ahead of the answer to a3-a4, which comes when the function that is returned is called.
async function decideAhead(table, page) {
  await table.newGame("makyek", { strength: "16" });
  const answer = await hold(page, "**/api/search");
  await table.move("a3", "a4");
  await page.locator(".thinking").waitFor();
  await table.click("h1");
  await table.click("h2");
  return answer;
}

atPage("a move can be decided while the opponent thinks", {}, async (table, page) => {
  const answer = await decideAhead(table, page);
  assert.equal(await page.locator(".table .premove").count(), 2);
  await table.screenshot("premove");
  answer();
  const moves = await table.moves(3);
  assert.equal(moves[2], "h1-h2");
});

atPage("a move that was decided ahead is forgotten with the moves that are taken back", {}, async (table, page) => {
  const answer = await decideAhead(table, page);
  table.dying = true;
  await page.route("**/api/state", (route) => route.abort());
  answer();
  await page.locator(".notice .error").waitFor();
  await page.unroute("**/api/state");
  await table.press("Take back");
  await page.locator('.movable[data-square="h1"]').waitFor({ state: "attached" });
  await table.move("b3", "b4");
  assert.equal((await table.moves(2))[0], "b3-b4");
});

atPage("a kept game goes on where its opponent's level is no more", {}, async (table, page) => {
  await table.newGame("rek", { side: "black", strength: "16" });
  await table.moves(1);
  await table.mine();
  await page.evaluate(() => {
    const game = JSON.parse(localStorage.getItem("makzero.game"));
    const kept = { ...game, query: { game: "rek", moves: [] }, player: "run:gone", level: 99 };
    localStorage.setItem("makzero.game", JSON.stringify(kept));
    history.replaceState(null, "", "#");
    location.reload();
  });
  await table.moves(1);
});

atPage("a game goes on where the browser takes no more addresses", {}, async (table, page) => {
  await table.newGame("makyek", { strength: "16" });
  await page.evaluate(() => {
    history.replaceState = () => {
      throw new DOMException("more than 100 calls in 30 seconds", "SecurityError");
    };
  });
  await table.move("a3", "a4");
  await table.moves(2);
});

atPage("the analysis offers the tree of a search that has one", {}, async (table, page) => {
  await page.getByRole("link", { name: "Analyse" }).click();
  const panel = page.getByText("Search tree");
  await panel.waitFor();
  await table.choose("player", "alphabeta:1");
  await panel.waitFor({ state: "hidden" });
});

atPage("controls keep the focus when they are drawn anew", {}, async (table, page) => {
  const focused = () => page.evaluate(() => document.activeElement.name || document.activeElement.textContent);
  await table.newGame("makyek", { side: "both" });
  for (const [name, after] of [
    ["Flip", "Flip"],
    ["Hide odds", "odds"],
  ]) {
    await page.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
    assert.equal(await focused(), after);
  }
  await page.getByRole("button", { name: "Show odds", exact: true }).waitFor();
  await table.analyse();
  await page.locator('select[name="player"]').focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => !document.querySelector('select[name="visits"]')); // It is no network.
  assert.equal(await focused(), "player");
});

atPage("an arrow turns with the board", {}, async (table, page) => {
  await table.newGame("makyek", { strength: "16" });
  await table.press("Hint");
  const turn = () => page.locator(".view.play .arrow.hint").getAttribute("transform");
  const before = await turn();
  await table.press("Flip");
  assert.notEqual(await turn(), before);
  await table.press("Flip");
  assert.equal(await turn(), before);
});

atPage("a move that was decided ahead stays when the board is turned", {}, async (table, page) => {
  const answer = await decideAhead(table, page);
  await table.press("Flip");
  assert.equal(await page.locator(".marks .premove").count(), 2);
  answer();
  assert.equal((await table.moves(3))[2], "h1-h2");
});

for (const [window, options] of Object.entries({ "a window": {}, "a phone": PHONE })) {
  atPage(`the names of networks are not cut in ${window}`, options, async (table, page) => {
    await page.getByRole("link", { name: "Analyse" }).click();
    await page.locator('select[name="player"]').waitFor();
    const [wanted, width] = await page.locator('select[name="player"]').evaluate((select) => {
      const free = select.cloneNode(true);
      free.style.cssText = "position: absolute; width: auto; max-width: none";
      select.parentElement.append(free);
      const widths = [free.offsetWidth, select.offsetWidth];
      free.remove();
      return widths;
    });
    assert.ok(wanted <= width, `${wanted} pixels in ${width}`);
    await table.assertFits();
  });
}
