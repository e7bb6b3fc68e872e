// The layout by the boxes of what is on the screen: upright phone, phone on its side, laptop.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { makeRuns, serve } from "./program.mjs";

let browser, server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve(makeRuns())]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const SIZES = { phone: [390, 844], "phone-side": [844, 390], laptop: [1366, 768] };
const LOCALES = ["en", "th", "km"];

for (const [shape, [width, height]] of Object.entries(SIZES)) {
  for (const locale of LOCALES) {
    const at = (name, body) =>
      test(`${name}, ${width}x${height}, ${locale}`, () =>
        withPage(browser, server.url, { viewport: { width, height }, locale }, (table, page) =>
          body(table, page, (name) => table.screenshot(`layout-${shape}-${locale}-${name}`)),
        ));

    for (const side of ["white", "neither"]) {
      at(`the new-game dialog is in order, ${side}`, async (table, page, picture) => {
        await offerLevels(page);
        await page.locator(".heading button.primary").click();
        await page.locator("dialog[open]").waitFor();
        await table.choose("side", side);
        await page.locator("dialog .seats").scrollIntoViewIfNeeded();
        await picture(`dialog-${side}`);
        await assertFieldsInOrder(page, "dialog[open] .seats");
      });
    }

    at("the header is one row", async (_table, page, picture) => {
      await picture("header");
      const middles = await page
        .locator("header > :not(dialog)")
        .evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2),
        );
      assert.ok(Math.max(...middles) - Math.min(...middles) < 12, `middles at ${middles}`);
    });

    at("the pieces of the settings are seven columns", async (_table, page, picture) => {
      await page.locator("button.settings").click();
      await page.locator(".set-preview").scrollIntoViewIfNeeded();
      await picture("settings");
      const lefts = await page
        .locator(".set-preview .icon")
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
      assert.equal(lefts.length, 14);
      assert.equal(new Set(lefts).size, 7, `columns at ${lefts}`);
    });
  }
}

// A player with ten measured levels, whose words are the longest of the dialog.
async function offerLevels(page) {
  const levels = Array.from({ length: 10 }, (_, i) => ({
    level: i + 1,
    simulations: 4 << i,
    temperature: 0,
    elo: 249 + 219 * i,
  }));
  const label = { text: 'your training "{name}" (newest)', values: { name: "makyek" } };
  const details = {
    text: "network {network}, generation {generation}",
    values: { network: "3c4b2901f45b", generation: 12 },
  };
  const player = { player: "alphabeta:1", labelParts: label, detailsParts: details, kind: "network", levels };
  await page.route("**/api/players*", (route) => route.fulfill({ json: [player] }));
  await page.reload();
  await page.locator("main .board > svg").waitFor();
}

// Each label stands right above its control, controls are equally high, fields of a row are aligned, no choice is cut off.
async function assertFieldsInOrder(page, form) {
  const fields = await page.locator(`${form} .field:visible`).evaluateAll((all) =>
    all.map((field) => {
      const control = field.querySelector("select, input");
      const copy = control.cloneNode();
      if (control.matches("select")) copy.append(control.selectedOptions[0].cloneNode(true));
      copy.style.width = "auto";
      copy.style.position = "absolute";
      control.parentElement.append(copy);
      const needed = copy.getBoundingClientRect().width;
      copy.remove();
      const [box, label] = [control, field.querySelector("span")].map((one) => one.getBoundingClientRect().toJSON());
      return { name: control.name, needed, box, label, clip: field.closest("dialog").getBoundingClientRect().toJSON() };
    }),
  );
  assert.ok(fields.length >= 4, "the fields of the form");
  const heights = fields.map(({ box }) => box.height);
  assert.ok(Math.max(...heights) <= Math.min(...heights) + 2, `heights of the controls: ${heights}`);
  for (const { name, needed, box, label, clip } of fields) {
    const gap = box.top - label.bottom;
    assert.ok(gap >= 0 && gap < 10, `${name}: its label is ${gap} pixels above it`);
    assert.ok(Math.abs(label.left - box.left) < 2, `${name}: its label begins at ${label.left}, it at ${box.left}`);
    assert.ok(needed <= box.width + 1, `${name}: its choice needs ${needed} pixels of ${box.width}`);
    assert.ok(box.left >= clip.left && box.right <= clip.right, `${name}: cut off by the dialog`);
    const row = fields.filter((other) => Math.abs(other.box.top - box.top) < box.height && other.name !== name);
    for (const other of row) assert.ok(Math.abs(other.box.top - box.top) < 2, `${name} and ${other.name}: not aligned`);
  }
}
