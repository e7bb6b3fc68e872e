// A walk of somebody new to Gala on a phone, upright and on its side: learns the rules, begins, plays to the end, and
// looks at his mistakes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { makeRuns, serve } from "./program.mjs";

const MOST_MOVES = 250; // Of the person: the rules end every game before.

let browser, server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve(makeRuns())]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const PHONE = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const SHAPES = { upright: { width: 390, height: 844 }, "on its side": { width: 844, height: 390 } };
const SIZE = 7; // Squares of Gala's board.

// What a finger hits must not be small (WCAG 2.2, 2.5.8).
const LEAST_TARGET = 24;

async function assertTouchable(page) {
  const small = await page.evaluate((least) => {
    const targets = [
      ...(document.querySelector("dialog[open]") ?? document).querySelectorAll("button, select, summary, a[href]"),
    ];
    return targets
      .filter((one) => one.checkVisibility() && !one.closest(".moves"))
      .map((one) => ({ name: one.textContent, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < least || box.height < least))
      .map(({ name, box }) => `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`);
  }, LEAST_TARGET);
  assert.deepEqual(small, []);
}

// The whole board and both players are on the screen, one way or the other.
async function assertBoardSeen(table, page) {
  await page.evaluate(() => scrollTo(0, 0));
  const box = await table.board.boundingBox();
  const { width, height } = page.viewportSize();
  assert.ok(box.x >= 0 && box.x + box.width <= width + 1, `the board goes from ${box.x} to ${box.x + box.width}`);
  assert.ok(box.y >= 0 && box.y + box.height <= height, `the board goes from ${box.y} to ${box.y + box.height}`);
  const below = await page.locator(".table > .strip").last().boundingBox();
  assert.ok(below.y + below.height <= height, `the player below ends at ${below.y + below.height}`);
}

// Waits until all of one of these is on the screen, without anybody's scrolling.
async function seen(page, selector) {
  await page.waitForFunction((selector) => {
    const boxes = [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
    return boxes.some(({ top, bottom, height }) => height > 0 && top >= -1 && bottom <= innerHeight + 1);
  }, selector);
}

// From the left edge of the screen to the right one.
async function assertWithin(page, element) {
  const box = await element.boundingBox();
  const { width } = page.viewportSize();
  assert.ok(box.x >= 0 && box.x + box.width <= width, `it goes from ${box.x} to ${box.x + box.width}`);
}

async function tap(table, page, square) {
  await page.touchscreen.tap(...(await table.middle(square, SIZE)));
}

// Reads the rules that are offered and plays through an example.
async function learn(table, page) {
  await page.locator(".offer button").first().tap();
  const example = page.locator(".rules .example:not(.still)").first();
  await example.locator(".pieces use").first().waitFor({ state: "attached" });
  await example.locator("figcaption .buttons.small > button").last().tap(); // The first example,
  await example.locator(".arrow").first().waitFor({ state: "attached" });
  await example.locator("figcaption .buttons.small > button").last().tap(); // which is played.
  await example.locator(".arrow").first().waitFor({ state: "detached" });
  await example.scrollIntoViewIfNeeded();
}

async function begin(table, page) {
  await page.locator(".heading button.primary").tap();
  await page.locator("dialog[open]").waitFor();
  await page.locator('dialog .card:has(input[value="gala"])').tap();
  await table.choose("opponent", "alphabeta:1");
}

// Drops and slides as the board offers them, takes where something falls.
async function playOn(table, page) {
  const over = page.locator(".notice .outcome");
  const mine = page.locator(".table .dots .dot, .table .movable, .notice .outcome, .side .buttons .primary").first();
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    await page.locator(".thinking").waitFor({ state: "detached" });
    await mine.waitFor({ state: "attached" });
    if (await over.isVisible()) return moves;
    const before = await page.locator(".moves button").count();
    const dots = page.locator(".table .dots .dot");
    const drop = (await dots.count()) > 0 ? await dots.first().getAttribute("data-to") : null; // Else it slides.
    if (drop) {
      await tap(table, page, drop);
    } else {
      await slide(table, page, moves);
    }
    await page.waitForFunction(
      (count) =>
        document.querySelectorAll(".moves button").length > count || document.querySelector(".notice .outcome"),
      before,
    );
  }
  assert.fail("the game does not end");
}

// A capture if there is one, else another piece each time.
async function slide(table, page, turn) {
  const movable = await page.locator(".table .movable").evaluateAll((all) => all.map((one) => one.dataset.square));
  let last = null;
  for (let i = 0; i < movable.length; i++) {
    last = movable[(turn + i) % movable.length];
    await tap(table, page, last);
    await page.locator(".table .dots .dot").first().waitFor({ state: "attached" });
    const takes = page.locator(".table .dots [data-takes]");
    if ((await takes.count()) > 0) return tap(table, page, await takes.first().getAttribute("data-takes"));
    if (i === movable.length - 1) break;
    await tap(table, page, last); // Another one.
  }
  const target = page.locator(".table .dots .dot").nth(turn % (await page.locator(".table .dots .dot").count()));
  await tap(table, page, await target.getAttribute("data-to"));
}

// Has the game reviewed, looks at it whole, then at its first mistake.
async function review(table, page, picture) {
  // Whoever searches, and however well it was played: there are mistakes to look at.
  const judgements = await (await page.request.get(new URL("api/judgements", page.url()).href)).json();
  const strict = judgements.map((one) => ({ ...one, loss: one.loss / 1000 }));
  await page.route("**/api/judgements", (route) => route.fulfill({ json: strict }));
  await page.locator(".view.play .side .buttons button", { hasText: REVIEW }).tap();
  await seen(page, ".review progress, .review .odds svg");
  await page.locator(".review > p.facts:last-of-type:not(:empty)").waitFor(); // It is done.
  const graph = page.locator(".review .odds svg");
  await table.assertFits();
  await assertTouchable(page);
  await assertBoardSeen(table, page);
  await picture("5-analysis");
  await graph.scrollIntoViewIfNeeded();
  await assertWithin(page, graph);
  await picture("6-review");
  const mistake = page.locator(".mistakes button").first();
  await mistake.scrollIntoViewIfNeeded();
  await mistake.tap();
  await page.locator('.mistakes button[aria-current="true"]').waitFor();
  await page.locator(".table .arrow.hint").waitFor({ state: "attached" });
  await seen(page, ".table .board > svg");
  await assertBoardSeen(table, page);
  await picture("7-mistake");
}

const REVIEW = /^(Review|ทบทวนเกม)$/;
const ENDS = { en: /^(You win|You lose|Draw): .+\.$/, th: /^(คุณชนะ|คุณแพ้|เสมอ): .+/ };

for (const [shape, viewport] of Object.entries(SHAPES)) {
  for (const locale of Object.keys(ENDS)) {
    test(`Gala is learnt, played and finished on a phone, ${shape}, ${locale}`, () =>
      withPage(browser, server.url, { ...PHONE, viewport, locale }, async (table, page) => {
        const picture = (name) => table.screenshot(`phone-${shape.replaceAll(" ", "-")}-${locale}-${name}`);
        const leaves = [];
        page.on("framenavigated", (frame) => leaves.push(frame.url().split("#")[0]));
        const home = page.url().split("#")[0];
        table.board = page.locator("main .table .board > svg"); // Not those of the rules.
        await begin(table, page);
        await table.assertFits();
        await assertTouchable(page);
        await picture("1-dialog");
        await page.locator("dialog button.primary").tap();
        await page.locator("dialog[open]").waitFor({ state: "detached" });
        await assertBoardSeen(table, page);
        await assertTouchable(page);
        await picture("2-offer");
        await learn(table, page);
        await table.assertFits();
        await picture("3-rules");
        await page.locator(".rules-panel > summary").first().tap(); // Away with them.
        await assertBoardSeen(table, page);
        await playOn(table, page);
        assert.match(await page.locator(".notice .outcome").textContent(), ENDS[locale]);
        await page.locator(".notice .outcome").scrollIntoViewIfNeeded();
        await table.assertFits();
        await picture("4-end");
        await assertTouchable(page);
        await review(table, page, picture);
        // On a busy machine searches begin sooner than those left are gone; the page asks again.
        const refused = table.refusals.splice(0).filter((refusal) => refusal !== "429 /api/search");
        assert.deepEqual(refused, []);
        assert.deepEqual(
          leaves.filter((url) => url !== home),
          [],
        );
      }));
  }
}
