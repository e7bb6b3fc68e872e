// The texts that are translated, found in the sources: keys of the catalogues in play/languages.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLAY = path.join(ROOT, "play");
const SOURCES = path.join(PLAY, "web/src");
const ts = createRequire(path.join(PLAY, "web/"))("typescript");

// Their first argument is the text; of plural() the second.
const TEXT_AT = { t: 0, later: 0, plural: 1 };

export const catalogue = (code) => JSON.parse(fs.readFileSync(path.join(PLAY, `languages/${code}.json`), "utf8"));

export const sourceFiles = () =>
  fs
    .readdirSync(SOURCES, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => parse(name, fs.readFileSync(path.join(SOURCES, name), "utf8")));

export function parse(name, text) {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
}

function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

const placeOf = (node) => {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};

// The function that is called, "t" of t("Play"); null where no name stands there.
const calledName = (call) => (ts.isIdentifier(call.expression) ? call.expression.text : null);

// The texts of the page, with where they stand. A call without a literal is an error: nobody could translate it.
export function pageTexts(files) {
  const texts = new Map();
  const unclear = [];
  for (const file of files) {
    walk(file, (node) => {
      if (!ts.isCallExpression(node) || !(calledName(node) in TEXT_AT)) return;
      const text = node.arguments[TEXT_AT[calledName(node)]];
      if (text && ts.isStringLiteralLike(text)) texts.set(text.text, placeOf(node));
      else if (file.fileName !== "language.ts") unclear.push(placeOf(node));
    });
  }
  return { texts, unclear };
}

// --- Texts that a person would see and that are not translated. ---

// Where words of the program stand, not of people.
const TECHNICAL_CALLS = new Set(
  [
    "querySelector querySelectorAll closest matches matchMedia getElementById getItem setItem removeItem split join replace",
    "getAttribute setAttribute removeAttribute addEventListener removeEventListener createElement createElementNS toggle",
    "add remove contains has includes startsWith endsWith fetch postMessage padStart ask send test match dispatchEvent",
    "getPropertyValue setProperty get set delete svg file circle mark",
  ].flatMap((line) => line.split(" ")),
);
const SHOWN_ATTRIBUTES = new Set(["aria-label", "title", "placeholder", "label", "alt", "aria-description"]);
const SHOWN_PROPERTIES = new Set(["textContent", "title", "placeholder", "innerText"]);
const WORD = /\p{L}{2,}/u;
const PROSE = /\p{L}{2,}[,:;.]? +\p{L}{2,}/u;
const NAMES = new Set(["MakZero", "time forfeit", "Casual game", "You"]); // Ours, and what games keep.

// The literals of an expression that becomes a text as a whole: also in both arms of a choice.
function literalsOf(node) {
  if (ts.isStringLiteralLike(node)) return [node];
  if (ts.isTemplateExpression(node)) return [node.head, ...node.templateSpans.map((span) => span.literal)];
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literalsOf);
  if (ts.isParenthesizedExpression(node)) return literalsOf(node.expression);
  if (ts.isBinaryExpression(node)) return [node.left, node.right].flatMap(literalsOf);
  return [];
}

// The expressions that a person sees: children of elements, labels, names for those who do not see.
function shownBy(node) {
  if (ts.isCallExpression(node)) {
    const name = calledName(node);
    if (name === "h" || name === "svg") return node.arguments.slice(2);
    if (name === "button" || name === "labelled")
      return [node.arguments[0], ...(name === "labelled" ? node.arguments.slice(2) : [])];
    if (name === "fill") return node.arguments.slice(1);
    if (ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === "append")
      return [...node.arguments];
  }
  if (ts.isNewExpression(node) && node.expression.getText() === "Question") return [...(node.arguments ?? [])];
  if (ts.isPropertyAssignment(node) && SHOWN_ATTRIBUTES.has(node.name.text)) return [node.initializer];
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(node.left) &&
    SHOWN_PROPERTIES.has(node.left.name.text)
  )
    return [node.right];
  return [];
}

function isTechnical(node) {
  if (node.text.startsWith("<")) return true; // A drawing.
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (ts.isImportDeclaration(parent) || ts.isImportTypeNode(parent) || ts.isLiteralTypeNode(parent)) return true;
    if (ts.isPropertyAssignment(parent) && parent.name !== at) {
      const key = parent.name.text;
      if (["class", "type", "role", "name", "d", "points", "transform", "viewBox", "kind"].includes(key)) return true;
    }
    if (ts.isVariableDeclaration(parent) && parent.name.getText() === "kind") return true; // Of a drawing.
    if (ts.isElementAccessExpression(parent)) return true;
    if (ts.isCallExpression(parent)) {
      const name = calledName(parent) ?? parent.expression.name?.text;
      return name in TEXT_AT || TECHNICAL_CALLS.has(name);
    }
    if (ts.isBlock(parent)) return false;
  }
  return false;
}

export function untranslated(files) {
  const found = [];
  for (const file of files) {
    if (file.fileName === "backend/local_worker.ts") continue; // It has no catalogue.
    walk(file, (node) => {
      for (const shown of shownBy(node))
        for (const literal of literalsOf(shown))
          if (WORD.test(literal.text) && !NAMES.has(literal.text)) found.push(`${placeOf(literal)} "${literal.text}"`);
      const prose = (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && PROSE.test(node.text);
      if (prose && !isTechnical(node) && !NAMES.has(node.text)) found.push(`${placeOf(node)} "${node.text}"`);
    });
  }
  return [...new Set(found)];
}

// --- Texts of the program. ---

const SILENT = new Set(["?", "not over"]); // Shown nowhere.

// message("..."), later("...") and t("..."), whose literal may go on in the next line.
const CALL = /\b(?:message|later|t)\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)/g;

export function programTexts() {
  const texts = new Map();
  const sources = (folder) =>
    fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "web" ? [] : sources(name);
      return /\.(cc|h)$/.test(name) ? [name] : [];
    });
  for (const name of sources("play")) {
    const source = fs.readFileSync(path.join(ROOT, name), "utf8").replace(/^\s*\/\/.*$/gm, "");
    for (const [, literals] of source.matchAll(CALL)) {
      const text = [...literals.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => JSON.parse(`"${part}"`)).join("");
      texts.set(text, name);
    }
  }
  const reasons = fs.readFileSync(path.join(ROOT, "game/outcome.cc"), "utf8").split("reason_text")[1];
  for (const [, text] of reasons.matchAll(/return "([^"]+)";/g)) if (!SILENT.has(text)) texts.set(text, "outcome.cc");
  return texts;
}

// What the rules bring along: names, summaries, options, kinds of pieces. `ask` is the server's API.
export async function rulesTexts(ask) {
  const texts = new Map();
  const add = (text, place) => text && texts.set(text, place);
  for (const game of await ask("games")) {
    for (const text of [game.title, game.summary, game.difference, ...Object.values(game.kinds)]) add(text, game.game);
    for (const { title, text, words } of game.options)
      for (const one of [title, text, ...Object.values(words ?? {})]) add(one, game.game);
  }
  return texts;
}

// The whole text of the rules of a game, block by block.
export async function guideTexts(ask, game) {
  const rules = await ask(`rules?game=${game}`);
  const blocks = rules.sections.flatMap(({ heading, blocks }) => [
    heading,
    ...blocks.flatMap(({ text, list, examples }) => [
      text,
      ...(list ?? []),
      ...(examples ?? []).map((one) => one.remark),
    ]),
  ]);
  return [...rules.pieces.flatMap(({ name, moves }) => [name, moves]), ...blocks].filter(Boolean);
}

// "{side} wins": {"side"}.
export const placesOf = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
