// The language of the page. Its texts stand in the code in English and are looked up in the catalogue of the language
// that was chosen (play/languages/); what a catalogue does not have stays English. tests/web/language_test.mjs compares.

type Value = string | number;
export type Values = Record<string, Value>;

// A sentence as the backend puts it together. Values that are texts are translated, too.
export interface Message {
  text: string; // "{side} has no men left".
  values: Values;
}

// By the English text; where the form depends on a number, by its plural category ("one", "other").
type Catalogue = Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>;

interface Language {
  code: string;
  name: string; // As its speakers write it.
  draft: boolean; // Nobody who grew up with it has read it yet.
  locale: string; // For numbers and lists.
  load: () => Promise<{ default: unknown }>;
}

export const LANGUAGES: Language[] = [
  // British: lists without a comma before the "and".
  { code: "en", name: "English", draft: false, locale: "en-GB", load: () => Promise.resolve({ default: {} }) },
  { code: "th", name: "ไทย", draft: false, locale: "th", load: () => import("../../languages/th.json") },
  { code: "km", name: "ខ្មែរ", draft: true, locale: "km", load: () => import("../../languages/km.json") },
];

const KEY = "makzero.language";

let language = LANGUAGES[0]!;
let catalogue: Catalogue = {};

// What the person chose, else what the browser asks for, else English.
function wanted(): Language {
  const named = (code: string | null | undefined) => LANGUAGES.find((one) => one.code === code);
  const asked = navigator.languages.map((tag) => named(tag.split("-")[0]!.toLowerCase())).find(Boolean);
  return named(kept()) ?? asked ?? LANGUAGES[0]!;
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

// To be awaited before anything is drawn. A page whose catalogue cannot be loaded stays English.
export async function loadLanguage(): Promise<void> {
  const chosen = wanted();
  try {
    catalogue = (await chosen.load()).default as Catalogue;
    language = chosen;
  } catch {
    language = LANGUAGES[0]!;
  }
  document.documentElement.lang = language.code;
}

export const currentLanguage = () => language;

// Keeps the choice and opens the page anew in that language: game, place and clocks are kept.
export function chooseLanguage(code: string): void {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    return; // Nothing is kept here, so neither would the language be.
  }
  location.reload();
}

// A text of the page, whose named places are filled: t("Try level {level}", { level: 3 }).
export function t(text: string, values: Values = {}): string {
  return translated(text, values);
}

// The same for a text that is not written here: the rules' words, names of games, the texts of constants.
export function translated(text: string, values: Values = {}): string {
  const found = catalogue[text] ?? text;
  return filled(typeof found === "string" ? found : (found.other ?? text), values);
}

// The same where the language has it; empty where only English does: a draft leaves what it lacks out.
export const ifTranslated = (text: string) => (language.draft && !catalogue[text] ? "" : translated(text));

// A text with a number: plural("{count} ply", "{count} plies", count). Catalogues have it by its second form.
export function plural(one: string, other: string, count: number, values: Values = {}): string {
  const found = catalogue[other];
  const category = new Intl.PluralRules(found ? language.locale : "en").select(count);
  const english = category === "one" ? one : other;
  const form = typeof found === "string" ? found : (found?.[category] ?? found?.other ?? english);
  return filled(form, { count, ...values });
}

// A text that is translated where it is shown, by translated().
export const later = (text: string) => text;

export function spoken({ text, values }: Message): string {
  const own = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? translated(value) : value,
  ]);
  return translated(text, Object.fromEntries(own) as Values);
}

// A number as the language writes it.
export const number = (value: number, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(language.locale, options).format(value);

// "b5", "b5 and c4", "b5, c4 and d3".
export function listed(words: string[]): string {
  return new Intl.ListFormat(language.locale, { type: "conjunction" }).format(words);
}

function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : typeof value === "number" ? number(value) : value;
  });
}
