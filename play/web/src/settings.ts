// What a person chooses for the whole page and the browser keeps: the language, how pieces look, the sound.
import { button, fill, h, labelled, select } from "./dom";
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
    fill(this.button, globe, currentLanguage().name, " ", meaning);
  }

  private open(): void {
    const languages = LANGUAGES.map(({ code, name, draft }) => ({
      value: code,
      label: draft ? t("{language} (draft)", { language: name }) : name,
    }));
    const language = select(languages, currentLanguage().code, chooseLanguage);
    language.name = "language";
    fill(
      this.element,
      h("h2", {}, t("Settings")),
      labelled(t("Language"), language, currentLanguage().draft ? draftNote() : ""),
      h(
        "div",
        { class: "buttons end" },
        button(t("Close"), () => this.element.close(), { class: "primary" }),
      ),
    );
    this.element.showModal();
  }
}

const draftNote = () => t("This translation is a draft: nobody who grew up with the language has read it yet.");
