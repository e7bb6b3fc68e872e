// What a person chooses for the whole page and the browser keeps: the language, how pieces look, the sound.
import { setSound, soundOn } from "./play/sound";
import { button, fill, h, labelled, select } from "./dom";
import { chooseSet, chosenSet, pieceIcon } from "./board/pieces";
import type { FigureSet } from "./train/figures";
import { notationChoice } from "./notation";
import { chooseLanguage, currentLanguage, LANGUAGES, t } from "./language";

export class Settings {
  readonly element = h("dialog", { class: "dialog", "aria-label": t("Settings") });
  readonly button = button("", () => this.open(), {
    class: "settings",
    title: t("Settings: language, pieces, sound"),
  });

  constructor() {
    const globe = h("span", { class: "globe", "aria-hidden": "true" });
    const meaning = h("span", { class: "visually-hidden" }, t("Settings: language, pieces, sound"));
    fill(this.button, globe, h("span", { class: "language" }, currentLanguage().name, " "), meaning);
  }

  private open(): void {
    const languages = LANGUAGES.map(({ code, name, draft }) => ({
      value: code,
      label: draft ? t("{language} (draft)", { language: name }) : name,
    }));
    const language = select(languages, currentLanguage().code, chooseLanguage);
    language.name = "language";
    const sets = [
      { value: "thai", label: t("Thai") },
      { value: "letters", label: t("letters") },
      { value: "western", label: t("Western figures") },
    ];
    const pieces = select(sets, chosenSet(), (set) => chooseSet(set as FigureSet));
    pieces.name = "pieces";
    const sound = h("input", {
      type: "checkbox",
      name: "sound",
      checked: soundOn(),
      onchange: () => setSound(sound.checked),
    });
    fill(
      this.element,
      h("h2", {}, t("Settings")),
      labelled(t("Language"), language, currentLanguage().draft ? draftNote() : ""),
      labelled(t("Pieces of chess"), pieces),
      preview(),
      labelled(t("Notation of moves"), notationChoice()),
      h("label", { class: "check-field" }, sound, t("Sound of moves")),
      document.documentElement.dataset.backend === "http" ? offlineLink() : "",
      h(
        "div",
        { class: "buttons end" },
        button(t("Close"), () => this.element.close(), { class: "primary" }),
      ),
    );
    this.element.showModal();
  }
}

// The same page without the server (play/export/site.h).
const offlineLink = () => h("p", {}, h("a", { href: "offline/" }, t("Play offline: a page that can be installed")));

const draftNote = () => t("This translation is a draft: nobody who grew up with the language has read it yet.");

// One piece of each kind, the promoted pawn last.
function preview(): HTMLElement {
  const kinds = Object.fromEntries([..."KMSNRP"].map((kind) => [kind, kind]));
  const pieces = [...Object.keys(kinds).map((kind) => ({ kind })), { kind: "M", promoted: true }];
  const row = (color: "white" | "black") =>
    h("span", {}, ...pieces.map((piece) => pieceIcon({ ...piece, color }, kinds)));
  return h("div", { class: "set-preview", "aria-hidden": "true" }, row("white"), row("black"));
}
