// What is written of the games that are played on this page: the person's name, the players, the date.
import type { Color, Tag } from "../backend/backend";
import { button, fill, h, labelled } from "../dom";
import { t } from "../language";
import type { Setup } from "./new_game";
import { visitsOf } from "./strength";
import { seatOf } from "./watch";

const KEY = "makzero.name";
const LONGEST = 60; // Letters of a name.
const NOBODY = "?"; // As PGN writes it.

// Empty: the person has not given a name.
export function ownName(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

// Tags are read by other programs: they are not translated.
export function ownTags(setup: Setup, date: string): Tag[] {
  return [
    ["Event", "Casual game"],
    ["Site", "MakZero"],
    ["Date", date],
    ["White", nameIn(setup, "white")],
    ["Black", nameIn(setup, "black")],
  ];
}

function nameIn(setup: Setup, side: Color): string {
  if (setup.human === "both") return NOBODY;
  if (setup.human === side) return ownName() || "You";
  const { player, level, visits } = seatOf(setup, side);
  if (!player) return NOBODY;
  if (level !== null) return `${player.label} level ${level}`;
  const searched = visitsOf(player, visits);
  return searched === null ? player.label : `${player.label} ${searched} visits`;
}

// The dialog in which a person gives a name.
export class NameDialog {
  readonly element = h("dialog", { class: "dialog", "aria-label": t("Your name") });

  constructor(private readonly changed: () => void) {}

  open(): void {
    const name = h("input", {
      type: "text",
      name: "own-name",
      value: ownName(),
      maxlength: LONGEST,
      autocomplete: "off",
    });
    const close = () => this.element.close();
    const keep = (event: SubmitEvent) => {
      event.preventDefault();
      try {
        localStorage.setItem(KEY, name.value.trim());
      } catch {
        // A browser that keeps nothing keeps no name.
      }
      close();
      this.changed();
    };
    fill(
      this.element,
      h(
        "form",
        { onsubmit: keep },
        h("h2", {}, t("Your name")),
        labelled(t("Name"), name, t("It stands beside the board and in the games that you play here.")),
        h("div", { class: "buttons end" }, button(t("Cancel"), close), h("button", { class: "primary" }, t("Keep"))),
      ),
    );
    this.element.showModal();
  }
}
