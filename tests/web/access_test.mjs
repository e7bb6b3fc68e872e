// The page for people who do not see it well, do not use a mouse, or hear it read: axe-core, keys, announcements.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { makeRuns, serve, trainBriefly } from "./program.mjs";

const AXE = path.join(process.env.MAKZERO_BUILD, "runtimes/node_modules/axe-core/axe.min.js");
if (!fs.existsSync(AXE)) {
  console.log(`skipped: tests/run.sh install brings ${AXE}`);
  process.exit(77);
}

let browser, server;

before(async () => {
  const runs = makeRuns();
  await trainBriefly(runs, "makyek");
  [browser, server] = await Promise.all([launch(), serve(runs)]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const atPage = (name, options, body) => test(name, () => withPage(browser, server.url, options, body));

// What axe-core calls serious or critical: the rule and where it is broken.
async function violations(page) {
  // Not while it moves: colours of what fades in are no colours.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => one.playState !== "running" || one.effect.getTiming().iterations === Infinity),
  );
  await page.evaluate(fs.readFileSync(AXE, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
}

const VIEWS = {
  play: async (table) => {
    await table.newGame("makyek", { strength: "1" });
    await table.move("a3", "a4");
    await table.moves(2);
    await table.mine();
  },
  "a game that is over": async (table) => {
    await table.newGame("makruk", { side: "both" });
    await table.load("ruleset makruk\nstart 7k/8/6K1/8/8/4P3/8/R7 w - - 0 1\nmoves a1a8\n");
    await table.told("White wins");
  },
  "a count": async (table, page) => {
    await table.newGame("makruk", { side: "both" });
    await table.load("ruleset makruk\nstart 7k/8/6K1/8/8/8/8/R7 w - 32 10 1\nmoves\n");
    await page.locator(".count-banner").waitFor();
  },
  "the rules": async (table, page) => {
    await table.press("Show the rules");
    await page.locator(".rules .example .pieces use").first().waitFor();
  },
  analyse: async (table, page) => {
    await page.getByRole("link", { name: "Analyse" }).click();
    await table.choose("visits", "100");
    await table.press("Search");
    await page.locator(".candidates tbody").first().waitFor();
    await page.getByRole("button", { name: "Search", exact: true }).waitFor();
    for (const panel of ["Search tree", "What the network sees"]) await page.getByText(panel).click();
    await page.locator(".planes figure").first().waitFor();
  },
  train: async (_, page) => {
    await page.getByRole("link", { name: "Train" }).click();
    await page.locator(".chart .line").first().waitFor({ state: "attached" });
    await page.locator('[aria-label="Checkpoints"] tbody tr').first().waitFor();
    await page.getByText("Positions of largest loss").click();
    await page.locator(".loss-rows .mini-board").first().waitFor();
  },
  library: async (table, page) => {
    const game = (white) => `[White "${white}"]\n[Black "B"]\n[Variant "Makruk"]\n\n1. e4 e5 1-0\n\n`;
    const buffer = Buffer.from(game("One") + game("Two"));
    await page.getByRole("link", { name: "Library" }).click();
    await page.locator('.view.library input[type="file"]').setInputFiles({ name: "a.pgn", mimeType: "", buffer });
    await page.locator(".imports li", { hasText: "2 read" }).waitFor();
    await page.waitForLoadState("networkidle"); // The list is drawn anew.
    await page.locator(".library-games li").nth(1).waitFor();
  },
  "the New game dialog": async (table, page) => {
    await table.press("New game");
    await page.locator("dialog[open]").waitFor();
    await page.locator("dialog").getByText("Options of the rules").click();
    await page.locator("dialog[open] .options label").first().waitFor();
  },
  "the settings": async (_, page) => {
    await page.locator("button.settings").click();
    await page.locator("dialog[open]").waitFor();
  },
};

for (const colorScheme of ["light", "dark"]) {
  for (const [name, open] of Object.entries(VIEWS)) {
    atPage(`axe-core finds nothing serious in ${name}, ${colorScheme}`, { colorScheme }, async (table, page) => {
      await open(table, page);
      assert.deepEqual(await violations(page), []);
    });
  }
}

atPage("axe-core sees this page's faults", {}, async (table, page) => {
  await page.evaluate(() => document.querySelector("main .heading button").replaceChildren());
  assert.match((await violations(page)).join(), /button-name/);
});

// Everything that can be pressed or changed and is seen.
const CONTROLS = `a[href], button:not(:disabled), select, textarea, input:not([type=radio]):not([type=file]), summary, svg[tabindex="0"]`;

// What Tab does not come to, from the top of the page on.
async function unreached(page) {
  await page.evaluate((controls) => {
    const seen = (element) =>
      element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
    const scope = document.querySelector("dialog[open]") ?? document;
    globalThis.awaited = new Set([...scope.querySelectorAll(controls)].filter(seen));
    globalThis.invisible = [];
  }, CONTROLS);
  const count = await page.evaluate(() => globalThis.awaited.size);
  for (let tabs = 0; tabs < 3 * count + 20; tabs++) {
    await page.keyboard.press("Tab");
    const left = await page.evaluate(() => {
      const focused = document.activeElement;
      if (globalThis.awaited.delete(focused)) {
        const { outlineStyle, outlineWidth } = getComputedStyle(focused);
        const marked = outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
        if (!marked && !focused.closest("label")) globalThis.invisible.push(focused.outerHTML.slice(0, 80));
      }
      return globalThis.awaited.size;
    });
    if (left === 0) break;
  }
  return page.evaluate(() => ({
    unreached: [...globalThis.awaited].map((element) => element.outerHTML.slice(0, 80)),
    invisible: globalThis.invisible,
  }));
}

for (const name of ["play", "analyse", "train", "library", "the New game dialog", "the settings"]) {
  atPage(`Tab comes to every control of ${name}, and each shows its focus`, {}, async (table, page) => {
    await VIEWS[name](table, page);
    await page.evaluate(() => document.activeElement?.blur());
    assert.deepEqual(await unreached(page), { unreached: [], invisible: [] });
  });
}

atPage("a game is begun, played and given up by keys alone", {}, async (table, page) => {
  const { keyboard } = page;
  const focus = async (locator) => {
    for (let tabs = 0; tabs < 80; tabs++) {
      if (await locator.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press("Tab");
    }
    assert.fail(`Tab does not come to ${locator}`);
  };
  await focus(page.getByRole("button", { name: "New game" }));
  await keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor();
  await focus(page.locator('dialog input[name="game"]:checked'));
  await keyboard.press("ArrowRight");
  await focus(page.locator('dialog select[name="side"]'));
  await keyboard.type("both");
  await focus(page.locator("dialog button.primary"));
  await keyboard.press("Enter");
  await page.locator("h2", { hasText: "Apit-sodok" }).waitFor();
  await focus(page.locator("main .board > svg"));
  for (const key of ["ArrowUp", "Enter", "ArrowUp", "Enter"]) await keyboard.press(key);
  await table.moves(1);
  await focus(page.getByRole("button", { name: "Resign", exact: true }));
  await keyboard.press("Enter");
  await focus(page.getByRole("button", { name: "Yes, resign" }));
  await keyboard.press("Enter");
  await table.told("resigned");
});

atPage("the opponent's moves are announced", {}, async (table, page) => {
  await table.newGame("makyek", { opponent: "alphabeta:1" });
  await table.move("a3", "a4");
  const live = page.locator(".table .board [aria-live=polite]");
  await page
    .locator(".table .board [aria-live=polite]", { hasText: /^Black plays [a-h][1-8]-[a-h][1-8]/ })
    .waitFor({ state: "attached" });
  assert.equal(await live.count(), 1);
  await table.load("ruleset gala\nstart 1mmmmm1/1mmmm2/7/3m3/7/MMMMM2/MMMMM2 b W3\nmoves\n");
  await page.locator(".table .board [aria-live=polite]", { hasText: "Black passes." }).waitFor({ state: "attached" });
});

atPage("the end of a game is announced", {}, async (table, page) => {
  await table.load("ruleset makyek\nstart 8/8/8/2Mm4/8/8/8/4M3 w\nmoves\n");
  await table.move("e1", "e5");
  await page.locator(".notice[aria-live=polite]", { hasText: "You win: Black has no men left." }).waitFor();
});
