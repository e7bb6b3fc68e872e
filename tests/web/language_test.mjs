// The languages: catalogues that are complete, a page without words outside them, and the page in each of them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import {
  catalogue,
  guideTexts,
  pageTexts,
  parse,
  placesOf,
  programTexts,
  rulesTexts,
  sourceFiles,
  untranslated,
} from "./catalogue.mjs";
import { makeRuns, serve } from "./program.mjs";

const TRANSLATED_RULES = { th: ["makyek", "makruk", "makruk-sutra", "gala"], km: ["ok", "kaok", "rek"] };

let browser, server, ask;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve(makeRuns())]);
  ask = async (path) => (await fetch(new URL(`api/${path}`, server.url))).json();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

// Everything that people read and that the catalogues have, but for the text of the rules.
async function allTexts() {
  const { texts, unclear } = pageTexts(sourceFiles());
  assert.deepEqual(unclear, [], "t(), plural() and later() take a literal");
  return new Map([...(await rulesTexts(ask)), ...programTexts(), ...texts]);
}

test("the Thai catalogue is complete", async () => {
  const thai = catalogue("th");
  const missing = [...(await allTexts())].filter(([text]) => !(text in thai));
  assert.deepEqual(missing, [], "add them to play/languages/th.json");
});

for (const [code, games] of Object.entries(TRANSLATED_RULES)) {
  test(`the rules of ${games.join(", ")} are there in ${code}`, async () => {
    const own = catalogue(code);
    for (const game of games) {
      const missing = (await guideTexts(ask, game)).filter((text) => !(text in own));
      assert.deepEqual(missing, [], `${game}: add them to play/languages/${code}.json`);
    }
  });
}

for (const code of ["th", "km"]) {
  test(`no catalogue has what nobody asks for, ${code}`, async () => {
    const known = await allTexts();
    for (const game of new Set((await ask("games")).map(({ of }) => of)))
      for (const text of await guideTexts(ask, game)) known.set(text, game);
    assert.deepEqual(
      Object.keys(catalogue(code)).filter((text) => !known.has(text)),
      [],
    );
  });

  test(`translations have the places of their texts, ${code}`, () => {
    for (const [text, entry] of Object.entries(catalogue(code))) {
      const forms = typeof entry === "string" ? [entry] : Object.values(entry);
      for (const form of forms) {
        assert.ok(form, text);
        assert.deepEqual(placesOf(form), placesOf(text), text);
      }
    }
  });
}

test("the page has no words outside the catalogues", () => {
  assert.deepEqual(untranslated(sourceFiles()), [], "wrap them in t()");
});

// What the test above must find.
const BARE = [
  'h("p", {}, "Draw")',
  'h("p", { "aria-label": "Board" })',
  'button("Flip", flip)',
  'labelled("Clock", clock)',
  "element.textContent = `Level ${level}`",
  'h("p", {}, over ? "Yes" : t("No"))',
  'const advice = "Begin one with this"',
  'throw new Error("The page has stopped")',
  'fill(place, "Nothing")',
];

for (const source of BARE) {
  test(`a word outside the catalogues is found: ${source}`, () => {
    assert.equal(untranslated([parse("bare.ts", source)]).length, 1);
  });
}

const WORDS = {
  en: { play: "Play", start: "New game", side: "White", king: "white king", draft: false },
  th: { play: "เล่น", start: "เกมใหม่", side: "ฝ่ายขาว", king: "ขุนขาว", draft: false },
  km: { play: "លេង", start: "ល្បែងថ្មី", side: "ស", king: "ស្ដេចស", draft: true },
};

for (const [code, words] of Object.entries(WORDS)) {
  test(`the page speaks the browser's language, ${code}`, () =>
    withPage(browser, server.url, { locale: code }, async (table, page) => {
      await page.getByRole("link", { name: words.play, exact: true }).waitFor();
      await page.locator(".strip strong", { hasText: words.side }).waitFor();
      assert.equal(await page.locator("html").getAttribute("lang"), code);
      await table.screenshot(`language-${code}-play`);
      await page.getByRole("button", { name: words.start, exact: true }).click();
      await page.locator("dialog[open]").waitFor();
      await table.screenshot(`language-${code}-dialog`);
      await page.keyboard.press("Escape");
      await table.load("ruleset makruk\nstart 4k3/8/8/8/8/8/8/R3K3 w - 32 10 1\nmoves\n");
      await page.locator(`.board [data-square="e1"][aria-label="e1, ${words.king}"]`).waitFor({ state: "attached" });
      await table.screenshot(`language-${code}-makruk`);
      await page.getByRole("link").nth(1).click();
      await table.ready();
      await table.screenshot(`language-${code}-analyse`);
    }));
}

test("a draft leaves out the summaries that it lacks, and names every game", () =>
  withPage(browser, server.url, { locale: "km" }, async (table, page) => {
    await page.getByRole("button", { name: WORDS.km.start, exact: true }).click();
    const cards = await page.locator("dialog .card span").allTextContents();
    const latin = cards.filter((title) => !/\p{Script=Khmer}/u.test(title));
    assert.deepEqual(latin, []);
    for (const { of } of await table.games()) {
      await table.chooseGame(of);
      const said = await page
        .locator("dialog .picker > .summary, dialog .picker .choices:not(.option) small")
        .allTextContents();
      assert.deepEqual(
        said.filter((text) => text && !/\p{Script=Khmer}/u.test(text)),
        [],
        of,
      );
    }
  }));

test("the language is chosen on the page and kept", () =>
  withPage(browser, server.url, { locale: "en" }, async (table, page) => {
    await table.newGame("makyek", { side: "both" });
    await table.move("a3", "a5");
    await table.moves(1);
    await page.locator("button.settings").click();
    await Promise.all([page.waitForEvent("load"), table.choose("language", "th")]);
    await page.getByRole("button", { name: "ขอถอย", exact: true }).waitFor();
    assert.deepEqual(await table.moves(1), ["ก๓-ก๕"]); // The game goes on, in the notation of the language,
    assert.equal(await page.locator(".view.play .board .files span").first().textContent(), "ก");
    await page.locator("button.settings").click();
    await table.choose("notation", "letters"); // unless another one is chosen.
    assert.deepEqual(await table.moves(1), ["a3-a5"]);
    assert.equal(await page.locator(".view.play .board .files span").first().textContent(), "a");
    await page.locator("dialog[open] button.primary").click();
    await page.reload();
    await page.getByRole("button", { name: "ขอถอย", exact: true }).waitFor();
  }));

// Positions and moves that cannot be, one for each reason of the readers.
const WRONG = [
  "game=makruk&moves=c3c4+zzzz",
  "game=makruk&moves=c3c5",
  "game=makruk&moves=c4c5",
  "game=makruk&moves=c6c5",
  "game=makruk&moves=e1e2",
  "game=makruk&moves=a1b1",
  "game=makruk&start=7k/8/6K1/8/8/4P3/8/R7 w - - 0 1&moves=a1a8+h8g8",
  "game=makruk&moves=count",
  "game=makruk&start=4k3 w",
  "game=makruk&start=4k3/8/8/8/8/8/8/X3K3 w - - 0 1",
  "game=makruk&start=4k3/8/8/8/8/8/8/R3K30 w - - 0 1",
  "game=makruk&start=4k3/8/8/8/8/8/8/R3K2 w - - 0 1",
  "game=makruk&start=4k3/8/8/8/8/8/8/R3K3",
  "game=makruk&start=4k3/8/8/8/8/8/8/R3K3 x - - 0 1",
  "game=makruk&start=4k3/8/8/8/8/8/8/R3K3 w x - 0 1",
  "game=ok&start=4k3/8/8/8/8/8/8/R3K3 w x - 0 1",
  "game=makruk&start=4k3/8/8/8/8/8/8/R3K3 w - x 0 1",
  "game=makruk&start=4k3/8/8/8/8/8/8/R3K3 w - - 0 1 more",
  "game=makruk&start=4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
  "game=makruk&start=8/8/8/8/8/8/8/R3K3 w - - 0 1",
  "game=makruk&start=4k3/8/P7/8/8/8/8/R3K3 w - - 0 1",
  "game=ok&start=4k3/8/8/8/8/8/8/R3K3 w D - 0 1",
  "game=makyek&start=8/8/8/8/8/8/8/8 w",
  "game=makyek&start=MMMMMMMM/MMMMMMMM/M7/8/8/8/8/m7 w",
  "game=makyek&start=8/8/8/8/8/8/8/M7 w more",
  "game=gala&start=7/7/7/7/7/7/7 w W0",
  "game=gala&start=7/7/7/7/7/7/7 w X3",
  "game=hunt&start=8/8/8/8/8/8/8/M7 w",
  "game=hunt&start=h7/8/8/8/8/8/8/H7 w",
  "game=hunt&start=h7/8/8/8/8/8/8/m7 w",
  "game=rek&start=8/8/8/8/8/8/8/M7 w",
  "game=makruc",
  "game=nothing-like-that",
];

test("what is wrong with an address is said in the language of the page", () =>
  withPage(browser, server.url, { locale: "th" }, async (table, page) => {
    for (const place of WRONG) {
      await page.goto("about:blank");
      await page.goto(`${server.url}#play?${place}`);
      await table.ready();
      const said = await page.locator(".view.play .notice .error").textContent();
      const unquoted = said.replace(/'[^']*'|`[^`]*`/g, "");
      assert.doesNotMatch(unquoted, /[a-z]{3,} [a-z]{2,}/i, `${place}: ${said}`);
    }
    await page.goto("about:blank"); // Its last request is answered, or given up.
    table.refusals.length = 0;
  }));

test("what the server refuses is said in the language of the page", () =>
  withPage(browser, server.url, { locale: "th" }, async (table, page) => {
    await table.load("ruleset makyek\nmoves a1z9\n"); // The reason is the server's, the end of a sentence in Thai.
    await page.locator(".message.error", { hasText: /^อ่านข้อความนี้เป็นเกมไม่ได้: .*a1z9/ }).waitFor();
    const text = "{count} searches of yours are running, the most for one client: stop one";
    const json = { error: text, errorParts: { text, values: { count: 4 } } };
    await page.route("**/api/search", (route) => route.fulfill({ status: 429, json }));
    await page.getByRole("link", { name: "วิเคราะห์" }).click();
    await table.told("คุณมีการค้นหาอยู่ 4 รายการ");
    assert.deepEqual(table.refusals.splice(0), ["429 /api/search"]);
  }));

test("only the language that is chosen is loaded", async () => {
  const asked = [];
  await withPage(browser, server.url, { locale: "en" }, async (_, page) => {
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.locator("main .board > svg").waitFor();
  });
  assert.ok(asked.some((path) => path.endsWith("/app.js")));
  assert.deepEqual(
    asked.filter((path) => /\/(th|km)\.js$/.test(path)),
    [],
  );
});
