// The site of `makzero export --to web` on a phone whose network is off: a game of each family to its end against level 3,
// and its review. offline_test.mjs SITE FOLDER_OF_NODE_MODULES [GAME...]; site_test.mjs has made the site. Games that are named
// are played in both languages, to the end of their own rules.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { basename } from "node:path/posix";
import { openPage, playToTheEnd } from "./browser.mjs";

const [site, modules, ...named] = process.argv.slice(2);
if (!existsSync(`${modules}/playwright-core`)) {
  console.log("skipped: tests/run.sh install brings playwright-core");
  process.exit(77);
}
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SHORT = ":max_plies=16"; // The rules end the games by then.
const GAMES = named.length
  ? { en: named, th: named }
  : { en: [`makruk${SHORT}`, `makyek${SHORT}`, `hunt${SHORT}`], th: [`makruk${SHORT}`] };
const WORDS = {
  en: { level: "MakZero, level 3", review: "Review", end: /^(You win|You lose|Draw): .+/ },
  th: { level: "ระดับ 3", review: "ทบทวนเกม", end: /^(คุณชนะ|คุณแพ้|เสมอ): .+/ },
};
const screenshots = `${dirname(site)}/screenshots`;
mkdirSync(screenshots, { recursive: true });

// Below a folder, as on a page of a hub; any server of files will do.
const server = spawn("/usr/bin/python3", ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", dirname(site), "0"]);
const { value: line } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
const origin = `http://127.0.0.1:${/port (\d+)/.exec(line)[1]}`;
const home = `${origin}/${basename(site)}/`;

async function visit(locale) {
  const opened = await openPage(modules, origin, { ...PHONE, locale });
  await opened.page.goto(home);
  await opened.page.locator("main .board > svg").waitFor();
  await opened.page.evaluate(() => navigator.serviceWorker.ready);
  await opened.page.context().setOffline(true);
  return opened;
}

async function playAndReview(page, locale, game) {
  await page.goto("about:blank"); // Else the page that is open answers the address.
  await page.goto(`${home}#play?game=${game}&moves=`);
  await page.locator(".strip", { hasText: WORDS[locale].level }).waitFor();
  const outcome = await playToTheEnd(page);
  if (!WORDS[locale].end.test(outcome)) throw new Error(`${game} ends with "${outcome}"`);
  await page.getByRole("button", { name: WORDS[locale].review, exact: true }).click();
  await page.locator(".review > p.facts:last-of-type:not(:empty)").waitFor({ timeout: 200_000 }); // It is done.
  await page.locator(".review .odds svg").waitFor();
  await page.screenshot({ path: `${screenshots}/offline-${locale}-${game.split(":")[0]}.png` });
  console.log(`${game}, ${locale}: ${outcome}`);
}

const visits = await Promise.all(Object.keys(GAMES).map(async (locale) => [locale, await visit(locale)]));
server.kill();
for (const [locale, { page, close }] of visits) {
  const manifest = await page.evaluate(async () => {
    const address = document.querySelector("link[rel=manifest]").href;
    const manifest = await (await fetch(address)).json();
    const icons = manifest.icons.map(({ src }) => new URL(src, address).href);
    const found = await Promise.all(icons.map(async (icon) => (await fetch(icon)).ok));
    return { scope: new URL(manifest.scope, address).href, display: manifest.display, icons: found.every(Boolean) };
  });
  const expected = { scope: home, display: "standalone", icons: true };
  if (JSON.stringify(manifest) !== JSON.stringify(expected)) throw new Error(JSON.stringify(manifest));
  for (const game of GAMES[locale]) await playAndReview(page, locale, game);

  // The analysis searches until it is stopped amid an iteration, and then anew.
  if (locale === "en") {
    await page.goto("about:blank");
    await page.goto(`${home}#analyse?game=makruk&moves=`);
    const button = (name) => page.getByRole("button", { name, exact: true });
    await page.locator(".facts", { hasText: /\d{3},\d{3} positions/ }).waitFor();
    await button("Stop").click();
    await button("Search").click();
    await page.locator(".facts", { hasText: / [0-2]\.\d s/ }).waitFor();
    await button("Stop").click();
    await button("Search").waitFor();
  }
  await close();
}
