// What a person hears of a game, games that are only watched, and what a training has learnt worst.
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, withPage } from "./browser.mjs";
import { makeRuns, reportOf, serve, trainBriefly } from "./program.mjs";

let browser, server, runs;

before(async () => {
  runs = makeRuns();
  [browser, server] = await Promise.all([launch(), serve(runs)]);
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
  await table.press("Take back");
  await page.getByRole("button", { name: "Go on", exact: true }).waitFor();
  const taken = await page.locator(".moves button").count();
  assert.ok(taken > rested, `${taken} moves are left of more than ${rested}`);
  await table.press("Take back");
  await page
    .locator(".moves button")
    .nth(taken - 1)
    .waitFor({ state: "detached" });
  assert.equal(await page.locator(".moves button").count(), taken - 1);
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

const LOSS = {
  ruleset: "makruk",
  position: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
  side: "white",
  game: 1234,
  ply: 7,
  loss: 2.5,
  policy_loss: 2.25,
  value_loss: 0.25,
  target: { win: 0.25, draw: 0.5, loss: 0.25, moves: [{ move: "b1d2", share: 0.75 }] },
  predicted: {
    win: 0.1,
    draw: 0.1,
    loss: 0.8,
    moves: [
      { move: "e3e4", share: 0.5 },
      { move: "b1d2", share: 0.04 },
    ],
  },
};
const BLACK = {
  ...LOSS,
  ruleset: "gala",
  position: "1mmmmm1/1mmmm2/7/3m3/7/MMMMM2/MMMMM2 b W3",
  side: "black",
  game: 5,
  target: { win: 1, draw: 0, loss: 0, moves: [{ move: "--", share: 1 }] },
  predicted: { win: 0, draw: 0, loss: 1, moves: [{ move: "--", share: 1 }] },
};

const SIZES = { "a screen": {}, "a phone": { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } };

for (const [name, options] of Object.entries(SIZES)) {
  atPage(
    `the positions of largest loss are shown with target and prediction, ${name}`,
    options,
    async (table, page) => {
      const run = path.join(runs, "losses");
      const write = (file, content) => fs.writeFile(path.join(run, file), JSON.stringify(content));
      await fs.mkdir(run, { recursive: true });
      table.removeLater(run);
      await write("status.json", { phase: "stopped", ruleset: "makruk,gala", generation: 3, games: 9, steps: 1 });
      await page.getByRole("link", { name: "Train" }).click();
      await table.choose("run", "losses");
      await page.locator(".view.train .facts", { hasText: "generation 3" }).waitFor();
      assert.equal(await page.locator(".losses:visible").count(), 0); // There are none yet.
      const foreign = { ...LOSS, position: "nonsense" };
      await write("losses.json", { generation: 3, rows: [LOSS, foreign, BLACK] });
      await page.getByText("Positions of largest loss, generation 3").click();
      const rows = page.locator(".loss-rows > li");
      assert.equal(await rows.count(), 2); // Not the one that fits no rules.
      const [white, black] = [rows.nth(0), rows.nth(1)];
      assert.match(
        await white.innerText(),
        /Loss 2\.50: policy 2\.25, value 0\.25\n+Makruk\n+Game 1,234, ply 7, White/,
      );
      assert.match(await white.locator("tbody tr").nth(0).innerText(), /^Target\s+25\/50\/25\s+Nd2 75%$/);
      assert.match(await white.locator("tbody tr").nth(1).innerText(), /^Network\s+10\/10\/80\s+e4 50%\s+Nd2 4%$/);
      assert.match(await white.locator("code").innerText(), /^rnsmksnr\//);
      assert.equal(await white.locator(".mini-board .piece").count(), 32);
      assert.equal(await white.locator(".mini-board .arrow").count(), 2);
      assert.match(await black.innerText(), /Game 5, ply 7, Black to move/);
      assert.equal(await black.locator(".mini-board .arrow").count(), 0); // A pass goes nowhere.
      // Black wins by the target: the bar is Black's, as everywhere on the page.
      assert.equal(
        await black
          .locator(".wdl-bar")
          .first()
          .locator(".black")
          .evaluate((one) => one.style.flexGrow),
        "1",
      );
      await table.assertFits();
      await rows.first().scrollIntoViewIfNeeded();
      await table.screenshot(`losses-${name.split(" ")[1]}`);
      await write("losses.json", { generation: 4, rows: [BLACK] }); // The next generation's: seen without a reload.
      await page.getByText("Positions of largest loss, generation 4").waitFor();
      assert.equal(await rows.count(), 1);
      await page.getByRole("button", { name: "Analyse game 5, ply 7" }).click();
      await page.locator(".view.analyse .heading h2", { hasText: "Gala" }).waitFor();
    },
  );
}

const DATA = fileURLToPath(new URL("../data/runs/makyek-2026-10", import.meta.url));
const BASELINE = "position\tjudge\texpected\nmmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM w\ta3a4\t0.500\n";

// Of the diagram with that title: how many points each of its lines has.
async function pointsOf(page, title) {
  const figure = page.locator("figure.chart", { hasText: title });
  await figure.locator("svg .line").first().waitFor({ state: "attached" });
  const lines = await figure.locator("svg .line").evaluateAll((all) => all.map((one) => one.getAttribute("points")));
  return lines.map((points) => (points ? points.trim().split(/\s+/).length : 1));
}

// A run of before shows what it has, and its best; what is new in later ones is absent.
atPage("a stored run shows its ladder, its losses and its best network", {}, async (table, page) => {
  const run = path.join(runs, "stored");
  await fs.cp(DATA, run, { recursive: true });
  table.removeLater(run);
  await fs.writeFile(path.join(run, "checkpoints", "best"), "2\n");
  await page.getByRole("link", { name: "Train" }).click();
  await table.choose("run", "stored");
  const best = page.locator("tr", { has: page.locator("td small", { hasText: /^ ?best$/ }) });
  await best.waitFor();
  assert.equal(await best.count(), 1);
  assert.match(await best.innerText(), /^2 best/);
  assert.ok((await pointsOf(page, "Elo on the ladder"))[0] >= 1);
  assert.deepEqual(await pointsOf(page, "Loss on games held back"), [3, 3]);
  assert.equal(await page.locator("figure.chart:has(svg .line)", { hasText: "deep searches" }).count(), 0);
});

atPage("a fresh run shows baseline, annealed copy and largest losses", {}, async (table, page) => {
  const zoo = path.join(runs, "..", `${path.basename(runs)}-zoo`);
  await fs.mkdir(path.join(zoo, "makyek"), { recursive: true });
  await fs.writeFile(path.join(zoo, "makyek", "baseline.tsv"), BASELINE);
  table.removeLater(path.join(runs, "makyek"), zoo);
  await trainBriefly(runs, "makyek", {
    settings: ["--generations=4", "--learning.annealed_share=0.5"],
    env: { MAKZERO_ZOO: zoo },
  });
  await page.getByRole("link", { name: "Train" }).click();
  await table.choose("run", "makyek");
  assert.deepEqual(await pointsOf(page, "Moves of deep searches that the policy ranks first"), [4, 1]);
  assert.deepEqual(await pointsOf(page, "Distance of values from deep searches"), [4, 1]);
  await page.getByText("Positions of largest loss, generation 4").click();
  assert.ok((await page.locator(".loss-rows > li").count()) >= 5);
  await table.assertFits();
  await table.screenshot("train-baseline");
});

const TOWER_ALONE = [
  "Loss",
  "Loss on games held back",
  "Evaluations per second",
  "How often a position is learnt from",
  "Entropy of the policy",
  "Surprise: how far a search moves the policy",
];
const SMALL_NETWORK = [
  "Loss of the small network",
  "Positions per second of the small network's search, one core",
  "Processor time of self-play that the small network takes",
];

// The name under every diagram.
const axesOf = async (page) => [
  ...new Set(await page.locator("figure.chart .axis:not([transform])").allTextContents()),
];
const curvesOver = (page) => page.locator('select[name="axis"]');

const titlesOf = (page) => page.locator("figure.chart figcaption b").allTextContents();

// Settings of a small network that is learnt in a second.
const small = (share) => [
  `--self_play.small_share=${share}`,
  "--generations=3",
  "--self_play.small_nodes=50",
  "--learning.small_rows_per_generation=500",
];

atPage("a run without a tower shows its small network, on the page and in its report", {}, async (table, page) => {
  const run = path.join(runs, "makyek");
  const assertCurves = async () => {
    assert.deepEqual(await pointsOf(page, "Loss of the small network"), [3, 3, 3]);
    assert.deepEqual(await pointsOf(page, "Games per second"), [3]);
    assert.deepEqual(await pointsOf(page, "Where the time of a generation goes"), [3, 3, 3, 3]);
    const titles = await titlesOf(page);
    assert.deepEqual(
      [...SMALL_NETWORK, ...TOWER_ALONE].filter((title) => titles.includes(title)),
      SMALL_NETWORK,
    );
    assert.equal(await page.locator("figure.chart:not(:has(svg .line))").count(), 0);
    assert.deepEqual(await axesOf(page), ["processor time, seconds"]); // It has no other measure of its effort.
    await page.locator(".machine > summary").click();
    await curvesOver(page).selectOption("generation");
    assert.deepEqual(await axesOf(page), ["generation"]);
    assert.deepEqual(await pointsOf(page, "Loss of the small network"), [3, 3, 3]);
    assert.equal(await page.locator(".machine[open]").count(), 1); // It stays as it was.
  };
  table.removeLater(run);
  await trainBriefly(runs, "makyek", { settings: small(1) });
  await page.getByRole("link", { name: "Train" }).click();
  await table.choose("run", "makyek");
  await page.locator(".facts", { hasText: "generation 3" }).waitFor();
  await assertCurves();
  await table.screenshot("train-small");
  const report = await reportOf(run);
  await page.route("**/report.html", (route) => route.fulfill({ path: report }));
  await page.goto(new URL("report.html", server.url).href);
  await assertCurves();
  const facts = await page.locator(".facts").first().textContent();
  assert.match(facts, /^makyek: generation 3, \d+ games, \d+ s, \d+ s of processor time$/); // No evaluations.
  await table.screenshot("report-small");
});

atPage("a run with both networks shows the curves of both", {}, async (table, page) => {
  const run = path.join(runs, "makyek");
  table.removeLater(run);
  // Enough rows that games of the small network are in every generation: its share is one of time, and a
  // generation of few rows is over in 20 ms.
  await trainBriefly(runs, "makyek", { settings: [...small(0.5), "--learning.rows_per_generation=1500"] });
  await page.getByRole("link", { name: "Train" }).click();
  await table.choose("run", "makyek");
  await page.locator(".facts", { hasText: "generation 3" }).waitFor();
  assert.deepEqual(await pointsOf(page, "Loss of the small network"), [3, 3, 3]);
  const titles = await titlesOf(page);
  assert.deepEqual(
    [...SMALL_NETWORK, ...TOWER_ALONE].filter((title) => !titles.includes(title)),
    [],
  );
  assert.deepEqual(await axesOf(page), ["generation"]);
});

const event = (kind, data) => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;

// Figures of four generations, of 30 minutes of processor time each.
const generations = (figures) =>
  [1, 2, 3, 4].map((generation) => ({ generation, processor_seconds: 1800 * generation, ...figures }));

atPage("curves are drawn over processor time where every run has it", {}, async (table, page) => {
  const histories = {
    tower: generations({ evaluations: 1, "loss/total": 2, "loss/policy": 1 }),
    other: generations({ evaluations: 1, "loss/total": 2, "loss/policy": 1, processor_seconds: 36000 }),
    former: generations({ evaluations: 1, "loss/total": 2, "loss/policy": 1, processor_seconds: undefined }),
    young: [], // Before its first generation.
  };
  const ratings = [0, 2, 4].map((generation) => ({ generation, elo: 50 * generation, low: 0, high: 300 }));
  const folders = Object.keys(histories).map((name) => path.join(runs, name));
  for (const run of folders) {
    await fs.mkdir(run, { recursive: true });
    await fs.writeFile(path.join(run, "status.json"), JSON.stringify({ phase: "stopped", ruleset: "makyek" }));
  }
  table.removeLater(...folders);
  await page.route("**/events", (route) => {
    const rows = histories[route.request().url().split("/").at(-2)];
    const body = rows.map((row) => event("metrics", row)).join("") + event("ratings", ratings);
    return route.fulfill({ contentType: "text/event-stream", body });
  });
  await page.getByRole("link", { name: "Train" }).click();
  await table.choose("run", "tower");
  assert.deepEqual(await pointsOf(page, "Elo on the ladder"), [3]);
  assert.deepEqual(await axesOf(page), ["generation"]);
  await table.choose("axis", "processor_seconds");
  assert.deepEqual(await axesOf(page), ["processor time, minutes"]);
  assert.deepEqual(await pointsOf(page, "Loss"), [4]);
  assert.deepEqual(await pointsOf(page, "Elo on the ladder"), [2]); // The first was before any generation.
  await table.screenshot("train-processor-time");
  await table.choose("overlay", "other");
  await page.locator(".axis", { hasText: "processor time, hours" }).first().waitFor();
  for (const name of ["former", "young"]) {
    await table.choose("overlay", name);
    await curvesOver(page).waitFor({ state: "hidden" });
    assert.deepEqual(await axesOf(page), ["generation"]);
  }
  await table.choose("overlay", "");
  await page.locator(".axis", { hasText: "processor time, minutes" }).first().waitFor(); // As it was chosen.
});

atPage("the small network's Elo stands beside the tower's", {}, async (table, page) => {
  const run = path.join(runs, "rated");
  await fs.mkdir(run, { recursive: true });
  await fs.writeFile(path.join(run, "status.json"), JSON.stringify({ phase: "stopped", ruleset: "makyek" }));
  const rating = (generation, elo) => ({
    "small/rated_generation": generation,
    "small/elo": elo,
    "small/elo_low": elo - 100,
    "small/elo_high": elo + 100,
  });
  const rows = [{}, rating(1, 200), rating(1, 200), rating(3, 400)];
  const ratings = [2, 3, 4].map((generation) => ({ generation, elo: 50 * generation, low: 0, high: 300 }));
  let body = rows.map((row, index) => event("metrics", { generation: index + 1, ...row })).join("");
  table.removeLater(run);
  await page.route("**/events", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: body + event("ratings", ratings) }),
  );
  await page.getByRole("link", { name: "Train" }).click();
  await table.choose("run", "rated");
  assert.deepEqual(await pointsOf(page, "Elo on the ladder"), [3, 2]); // One for each rating, not for each row.
  assert.deepEqual(await page.locator("figure.chart .key").allTextContents(), [
    "Elo, 95 % interval",
    "small network, 95 % interval",
  ]);
  await table.screenshot("train-elo");
  // Its matches stand in place of its metrics: the newest rating is not in them before the next generation.
  body += event("smallRatings", ratings);
  await page.reload();
  await table.choose("run", "rated");
  assert.deepEqual(await pointsOf(page, "Elo on the ladder"), [3, 3]);
});
