// The buttons below a list of moves that walk through the game.
import { button, h } from "./dom";
import { t } from "./language";
import type { Session } from "./play/session";

export function stepButtons(session: Session): HTMLElement {
  const step = (label: string, name: string, go: () => void) => button(label, go, { "aria-label": name, title: name });
  return h(
    "div",
    { class: "steps", role: "group", "aria-label": t("Look back") },
    step("«", t("To the start"), () => void session.walk("start")),
    step("‹", t("One move back"), () => void session.walk("back")),
    step("›", t("One move on"), () => void session.walk("on")),
    step("»", t("To the end"), () => void session.walk("end")),
  );
}

// Scrolls a list to the move that is shown.
export function scrollToCurrent(list: HTMLElement): void {
  const current = list.querySelector<HTMLElement>("[aria-current]");
  list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : 0;
}
