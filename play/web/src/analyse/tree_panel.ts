// The tree of a search, opened where one looks.
import type { Backend, TreeNode } from "../backend/backend";
import { wdlText } from "./candidates";
import { fill, h, messageOf } from "../dom";
import { plural, t } from "../language";
import { percent } from "../board/moves";
import { moveText } from "../notation";

const SHOWN = 12; // Children of a node that are listed; the rest is counted.

export class TreePanel {
  readonly element: HTMLDetailsElement;
  private readonly root = h("div", { class: "tree" });
  private searchId: string | null = null;

  constructor(private readonly backend: Backend) {
    this.element = h(
      "details",
      { class: "panel", ontoggle: () => void this.reload() },
      h("summary", {}, t("Search tree")),
      this.root,
    );
  }

  // Shows the tree of this search from now on; null: there is none.
  show(searchId: string | null): void {
    this.searchId = searchId;
    void this.reload();
  }

  private async reload(): Promise<void> {
    if (!this.element.open) return;
    if (!this.searchId)
      return fill(
        this.root,
        h("p", { class: "summary" }, t("Search first; its tree can be opened when it has stopped.")),
      );
    await this.list(this.root, []);
  }

  private async list(place: HTMLElement, path: string[]): Promise<void> {
    try {
      const nodes = (await this.backend.tree(this.searchId!, path)).sort((a, b) => b.visits - a.visits);
      const visited = nodes.filter((node) => node.visits > 0).slice(0, SHOWN);
      const rest = nodes.length - visited.length;
      fill(
        place,
        ...visited.map((node) => this.draw(node, path)),
        rest
          ? h(
              "p",
              { class: "summary" },
              plural("{count} more move, hardly or never visited", "{count} more moves, hardly or never visited", rest),
            )
          : null,
      );
    } catch (error) {
      fill(place, h("p", { class: "error" }, messageOf(error)));
    }
  }

  private draw(node: TreeNode, path: string[]): HTMLElement {
    const line = [
      h("b", {}, moveText(node)),
      h("span", {}, plural("{count} visit", "{count} visits", node.visits)),
      h("span", {}, node.prior === undefined ? "" : t("first guess {share}", { share: percent(node.prior) })),
      h("span", {}, node.wdl ? wdlText(node.wdl) : ""),
    ];
    if (!node.expandable) return h("div", { class: "node leaf" }, ...line);
    const children = h("div", { class: "children" });
    const element: HTMLDetailsElement = h(
      "details",
      {
        class: "node",
        ontoggle: () => {
          if (element.open && !children.firstChild) void this.list(children, [...path, node.move]);
        },
      },
      h("summary", {}, ...line),
      children,
    );
    return element;
  }
}
