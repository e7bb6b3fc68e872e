// What a person hears of a game, and games that are only watched.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { makeRuns, serve } from "./program.mjs";

let browser, server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve(await makeRuns())]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const atPage = (name, options, body) => test(name, () => withPage(browser, server.url, options, body));

// Counts the tones that begin; each knock has one.
async function listen(page) {
  await page.evaluate(() => {
    globalThis.knocks = 0;
    const { start } = AudioScheduledSourceNode.prototype;
    OscillatorNode.prototype.start = function (when) {
      globalThis.knocks++;
      return start.call(this, when);
    };
  });
  return () => page.evaluate(() => globalThis.knocks);
}

const LAST = "ruleset makyek\nstart 8/8/m7/2Mm4/8/8/8/4M3 w\nmoves\n";

atPage("a move is heard once, a capture twice, and neither where sound is off", {}, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  const knocks = await listen(page);
  await table.move("a3", "a5");
  await table.moves(1);
  assert.equal(await knocks(), 1);
  await table.load(LAST);
  assert.equal(await knocks(), 1); // Another position is no move.
  await table.move("e1", "e5");
  await page.locator(".tray .icon").waitFor();
  assert.equal(await knocks(), 3);
  await page.locator("button.settings").click();
  await page.locator('input[name="sound"]').uncheck();
  await table.press("Close");
  await table.press("Take back");
  await table.piece("e1").waitFor({ state: "attached" });
  await table.move("e1", "e5");
  await table.moves(1);
  assert.equal(await knocks(), 3);
  await page.reload();
  await table.ready();
  await page.locator("button.settings").click();
  assert.equal(await page.locator('input[name="sound"]').isChecked(), false);
});

atPage("where less motion is wanted sound must be asked for", { reducedMotion: "reduce" }, async (table, page) => {
  await table.newGame("makyek", { side: "both" });
  const knocks = await listen(page);
  await table.move("a3", "a5");
  await table.moves(1);
  assert.equal(await knocks(), 0);
  await page.locator("button.settings").click();
  await page.locator('input[name="sound"]').check();
  await table.press("Close");
  assert.equal(await knocks(), 1); // So it sounds.
  await table.move("h6", "h5");
  await table.moves(2);
  assert.equal(await knocks(), 2);
});

atPage("nothing sounds before the person has touched the page", {}, async (table, page) => {
  const knocks = await listen(page);
  await page.evaluate(() => (location.hash = "#play?game=makyek&moves=a3a5"));
  await table.moves(2); // The opponent has answered.
  assert.equal(await knocks(), 0);
});

atPage("two players of the program are watched, rest and go on", {}, async (table, page) => {
  const asked = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/search")) asked.push(JSON.parse(request.postData()));
  });
  await table.newGame("makyek", {
    side: "neither",
    "white-player": "alphabeta:1",
    opponent: "alphabeta:2",
    pace: "0",
  });
  await table.moves(3);
  await table.press("Pause");
  await page.locator(".thinking").waitFor({ state: "detached" });
  const rested = await page.locator(".moves button").count();
  await page.locator('.strip[data-side="white"] strong', { hasText: "White · alpha-beta, depth 1" }).waitFor();
  await page.locator('.strip[data-side="black"] strong', { hasText: "Black · alpha-beta, depth 2" }).waitFor();
  await table.screenshot("watch");
  assert.deepEqual(
    asked.slice(0, 3).map(({ player }) => player),
    ["alphabeta:1", "alphabeta:2", "alphabeta:1"],
  );
  const before = asked.length;
  await page.reload(); // Both players and the game are kept.
  await table.moves(rested + 1);
  const next = rested % 2 === 0 ? "alphabeta:1" : "alphabeta:2";
  assert.equal(asked[before].player, next);
  await table.press("Pause");
  await table.press("Go on");
  await table.moves(rested + 2);
});

atPage("a game that is watched keeps its pace", {}, async (table, page) => {
  await page.evaluate(() => {
    const { fetch } = window;
    window.asked = []; // When, by the clock of the page.
    window.fetch = (url, ...more) => {
      if (url === "api/search") window.asked.push(performance.now());
      return fetch(url, ...more);
    };
  });
  await table.newGame("makyek", {
    side: "neither",
    "white-player": "alphabeta:1",
    opponent: "alphabeta:1",
    pace: "1000",
  });
  await table.moves(2);
  await page.waitForFunction(() => window.asked.length > 2);
  const asked = await page.evaluate(() => window.asked);
  const SLACK = 5; // Milliseconds: a timer may end that much too soon.
  for (let i = 1; i < asked.length; i++) assert.ok(asked[i] - asked[i - 1] >= 1000 - SLACK, `${asked}`);
});
