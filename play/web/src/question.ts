// A question in a dialog, answered by one of its buttons or by leaving it.
import { button, fill, h } from "./dom";

export class Question {
  readonly element: HTMLDialogElement;

  constructor(private readonly title: string) {
    this.element = h("dialog", { class: "dialog", "aria-label": title });
  }

  // The last answer does nothing but close it.
  ask(answers: { label: string; act: () => void }[], none: string, title = this.title): void {
    const close = () => this.element.close();
    const choices = answers.map(({ label, act }) =>
      button(label, () => {
        close();
        act();
      }),
    );
    fill(this.element, h("h2", {}, title), h("div", { class: "buttons column" }, ...choices, button(none, close)));
    this.element.showModal();
  }
}
