// Elements in one expression: h("button", { class: "primary", onclick: play }, "Play").

import { ConnectionLost } from "./backend/backend";
import { spokenReason } from "./reasons";

type Listener = (event: never) => void;
type Attribute = string | number | boolean | null | undefined | Listener;
export type Attributes = Record<string, Attribute>;
export type Child = Node | string | number | null | undefined | false;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return dress(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as unknown as EventListener);
    } else if (value === false || value === null || value === undefined) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

// Replaces the children. A control that has the focus keeps it when it is drawn anew: with its name, else its text.
export function fill(element: Element, ...children: Child[]): void {
  const focused = document.activeElement as HTMLButtonElement;
  const known = element !== focused && element.contains(focused);
  const text = ({ name, textContent }: HTMLButtonElement) => name || textContent;
  const alike = () =>
    [...element.querySelectorAll<HTMLButtonElement>(focused.tagName)].filter((one) => text(one) === text(focused));
  const place = known ? alike().indexOf(focused) : -1;
  element.replaceChildren(...present(children));
  if (known) (element.contains(focused) ? focused : alike()[place])?.focus({ preventScroll: true });
}

// A button with a word on it.
export function button(label: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", ...attributes, onclick }, label);
}

// A control with its name before it.
export function labelled(name: string, control: HTMLElement, hint?: string): HTMLLabelElement {
  return h("label", { class: "field" }, h("span", {}, name), control, hint ? h("small", {}, hint) : null);
}

export function select(
  options: { value: string; label: string; group?: string }[],
  value: string,
  onchange: (value: string) => void,
  attributes: Attributes = {},
): HTMLSelectElement {
  const element = h("select", { ...attributes, onchange: () => onchange(element.value) });
  const groups = new Map<string, HTMLOptGroupElement>();
  for (const option of options) {
    let parent: HTMLElement = element;
    if (option.group) {
      if (!groups.has(option.group)) {
        groups.set(option.group, h("optgroup", { label: option.group }));
        element.append(groups.get(option.group)!);
      }
      parent = groups.get(option.group)!;
    }
    parent.append(h("option", { value: option.value, selected: option.value === value }, option.label));
  }
  return element;
}

export const quietMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function messageOf(error: unknown): string {
  return spokenReason(error instanceof Error ? error.message : String(error));
}

// The same as the end of a sentence: "This cannot be read as a game: {why}". A lost connection is no fault of what was
// asked for.
export function reasonFor(error: unknown, sentence: (why: string) => string): string {
  return error instanceof ConnectionLost ? messageOf(error) : sentence(messageOf(error));
}

// "`a3a5` wins": what stands between the marks is a move or position.
export function marked(text: string): Child[] {
  return text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
}

// Gives a text to the person as a file.
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function dress<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  setAttributes(element, attributes);
  element.append(...present(children));
  return element;
}

function present(children: Child[]): (Node | string)[] {
  return children
    .filter((child): child is Node | string | number => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === "number" ? String(child) : child));
}
