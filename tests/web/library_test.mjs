// The library in a real browser: games are imported, found, opened, reviewed, exported and deleted; their moves stand
// beside the analysis.
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { makeRuns, serve } from "./program.mjs";

let browser;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
});

const FILES = [..."abcdefgh"];

// A file of 200 games, the last two the same as the first two: White's first pawn, Black's, and White's second. One in
// four is of Malee; the wins go round.
function fileOfGames() {
  const moves = FILES.flatMap((first) =>
    FILES.flatMap((answer) => FILES.filter((file) => file !== first).map((second) => [first, answer, second])),
  ).slice(0, 198);
  const results = ["1-0", "1/2-1/2", "0-1"];
  const game = ([first, answer, second], i) => {
    const names = `[White "${i % 4 === 0 ? "Malee" : "Somchai"}"]\n[Black "Player ${i}"]\n`;
    const rest = `[Event "Club"]\n[Date "2025.01.${String(1 + (i % 28)).padStart(2, "0")}"]\n[Variant "Makruk"]\n`;
    const result = results[i % 3];
    return `${names}${rest}[Result "${result}"]\n\n1. ${first}4 ${answer}5 2. ${second}4 ${result}\n\n`;
  };
  const games = moves.map(game);
  return games.concat(games.slice(0, 2)).join("");
}

// Where each test has a library of its own.
async function withLibrary(options, body) {
  const server = await serve(makeRuns());
  try {
    await withPage(browser, server.url, options, body);
  } finally {
    await server.stop();
  }
}

const WORDS = {
  en: {
    library: "Library",
    empty: "The library is empty",
    imported: "200 read, 198 added, 2 were there, 0 skipped",
    found: "Games 1 to 50 of 198",
    malee: "Games 1 to 50 of 50",
    next: "Next page",
    second: "Games 51 to 100 of 198",
    review: "Review 2 games",
    reviewed: "2 of 2 games reviewed",
    exported: "Export 2 games",
    explorer: "Moves in the library",
  },
  th: {
    library: "คลังเกม",
    empty: "คลังยังว่างอยู่",
    imported: "อ่าน 200 เพิ่ม 198 มีอยู่แล้ว 2 ข้าม 0",
    found: "เกมที่ 1 ถึง 50 จาก 198",
    malee: "เกมที่ 1 ถึง 50 จาก 50",
    next: "หน้าถัดไป",
    second: "เกมที่ 51 ถึง 100 จาก 198",
    review: "ทบทวน 2 เกม",
    reviewed: "ทบทวนแล้ว 2 จาก 2 เกม",
    exported: "ส่งออก 2 เกม",
    explorer: "ตาเดินในคลังเกม",
  },
};

const SIZES = { phone: [390, 844], laptop: [1366, 768] };

for (const [shape, [width, height]] of Object.entries(SIZES)) {
  for (const [locale, words] of Object.entries(WORDS)) {
    test(`a library of 200 games, ${width}x${height}, ${locale}`, () =>
      withLibrary({ viewport: { width, height }, locale }, async (table, page) => {
        const picture = (name) => table.screenshot(`library-${shape}-${locale}-${name}`);
        const view = page.locator(".view.library");
        const told = (text) => view.locator(".facts", { hasText: text }).waitFor();
        const rows = view.locator(".library-games li");
        const unfold = () => view.locator(".filters").evaluate((filters) => (filters.open = true));
        await page.getByRole("link", { name: words.library }).click();
        await told(words.empty);
        await table.assertFits();
        await picture("1-empty");

        const buffer = Buffer.from(fileOfGames());
        await view.locator('input[type="file"]').setInputFiles({ name: "club.pgn", mimeType: "text/plain", buffer });
        await view.locator(".imports li", { hasText: words.imported }).waitFor();
        await told(words.found);
        assert.equal(await rows.count(), 50);
        await table.assertFits();
        await picture("2-list");
        await view.getByRole("button", { name: words.next }).click();
        await told(words.second);
        await page.reload();
        await told(words.found); // The tab is kept.

        await unfold();
        await picture("3-filters");
        await view.locator('input[name="player"]').fill("malee");
        await told(words.malee);
        assert.ok((await rows.locator("button").allTextContents()).every((title) => title.startsWith("Malee - ")));
        await view.locator('input[name="player"]').fill("");
        await told(words.found);

        await rows.locator("button").first().click(); // Into the analysis, with its names.
        await page.locator(".view.analyse .strip strong", { hasText: /Malee|Somchai/ }).waitFor();
        await page.locator(".view.analyse .moves button").nth(2).waitFor();
        await page.goto(`${page.url().split("#")[0]}#analyse?game=makruk&moves=a3a4+a6a5`);
        await page.locator(".view.analyse .moves button").nth(1).waitFor();
        await page.locator(".explorer > summary", { hasText: words.explorer }).click();
        const explored = page.locator(".explorer tbody tr");
        await explored.nth(6).waitFor(); // White's second pawn: seven moves.
        const expected = explored.locator("td:last-child", { hasText: "%" }).first();
        await expected.waitFor();
        await page.locator(".explorer > summary").click();
        await expected.waitFor({ state: "hidden" });
        await page.locator(".explorer > summary").click(); // The search has ended; what it expected is kept.
        await expected.waitFor();
        await page.locator(".explorer").scrollIntoViewIfNeeded();
        await table.assertFits();
        await picture("4-explorer");

        await page.getByRole("link", { name: words.library }).click();
        await view.locator('input[name="position"]').check();
        await view.locator(".library-games li").nth(7).waitFor({ state: "detached" });
        assert.equal(await rows.count(), 7);

        await rows.locator("input").nth(0).check();
        await rows.locator("input").nth(1).check();
        await view.getByRole("button", { name: words.review }).click();
        await told(words.reviewed);
        await rows.locator("small", { hasText: "%" }).nth(1).waitFor(); // Their accuracy.
        await table.assertFits();
        await picture("5-reviewed");
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          view.getByRole("button", { name: words.exported }).click(),
        ]);
        assert.equal(file.suggestedFilename(), "library.pgn");
        const pgn = await fs.readFile(await file.path(), "utf8");
        assert.equal(pgn.match(/^\[White /gm).length, 2);
        assert.match(pgn, /\[Annotator "makzero"\]/);
        await page.locator(".explorer").waitFor({ state: "detached" });
      }));
  }
}

test("a move of the library is played from its list, and games are deleted after a question", () =>
  withLibrary({}, async (table, page) => {
    const view = page.locator(".view.library");
    await page.getByRole("link", { name: "Library" }).click();
    const faulty = '[White "A"]\n[Black "B"]\n[Variant "Makruk"]\n\n1. e4 e9 1-0\n\n[Variant "Nonesuch"]\n\n1. x 1-0\n';
    const sound = '[White "C"]\n[Black "D"]\n[Variant "Makruk"]\n\n1. a4 a5 1-0\n';
    // Dropped onto the page, two files at once.
    const files = await page.evaluateHandle(
      ([faulty, sound]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([faulty], "faulty.pgn"));
        transfer.items.add(new File([sound], "sound.pgn"));
        return transfer;
      },
      [faulty, sound],
    );
    await page.dispatchEvent("body", "drop", { dataTransfer: files });
    await view.locator(".imports li", { hasText: "sound.pgn 1 read, 1 added, 0 were there, 0 skipped" }).waitFor();
    const first = view.locator(".imports > li", { hasText: "faulty.pgn 1 read, 1 added, 0 were there, 1 skipped" });
    await first.locator("summary", { hasText: "2 games have faults" }).click();
    await first.locator("li", { hasText: "Game 1, added up to there: line" }).waitFor();
    await first.locator("li", { hasText: "Game 2: " }).waitFor();
    await page.goto(`${page.url().split("#")[0]}#analyse?game=makruk`);
    await page.locator(".explorer > summary").click();
    await page.locator(".explorer .facts", { hasText: "2 games of the library" }).waitFor();
    await page.locator(".explorer tbody button", { hasText: "a4" }).click();
    await page.locator(".view.analyse .moves button", { hasText: "a4" }).waitFor();
    await page.locator(".explorer .facts", { hasText: "1 game of the library" }).waitFor();
    await page.locator(".explorer tbody button", { hasText: "a5" }).click(); // The game ends here, and has the position.
    await page.locator(".explorer .facts", { hasText: "No game of the library goes on from this position" }).waitFor();

    await page.getByRole("link", { name: "Library" }).click();
    await view.getByLabel("Choose C - D, 1-0").check();
    await table.press("Delete");
    await page.locator("dialog[open]", { hasText: "Delete 1 game?" }).waitFor();
    await table.press("Yes, delete");
    await view.locator(".facts", { hasText: "Games 1 to 1 of 1" }).waitFor();
    assert.deepEqual(await view.locator(".library-games button").allTextContents(), ["A - B"]);
  }));

test("without a library on the server the moves of it are hidden", () =>
  withLibrary({}, async (table, page) => {
    await page.route("**/api/library/moves", (route) => route.fulfill({ status: 404, json: { error: "no library" } }));
    await table.analyse();
    await page.locator(".explorer > summary").click();
    await page.locator(".explorer").waitFor({ state: "hidden" });
    assert.deepEqual(table.refusals.splice(0), ["404 /api/library/moves"]);
  }));
