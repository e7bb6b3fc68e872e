// The rules of the ruleset in play, folded until they are wanted: what its options change, the pieces, the text with its
// boards.
import type { Backend, Rules, RulesBlock } from "../backend/backend";
import { fill, h, marked, messageOf, type Child } from "../dom";
import { ExampleBoard } from "../board/example_board";
import { later, t, translated } from "../language";
import { pieceIcon } from "../board/pieces";

const PIECES = later("The pieces"); // The heading of their section.

export class RulesPanel {
  readonly element: HTMLDetailsElement;
  private readonly summary = h("summary", {}, t("Rules"));
  private readonly text = h("div", { class: "rules" });
  private game = "";
  private drawn = ""; // The ruleset whose rules are shown.

  constructor(
    private readonly backend: Pick<Backend, "rules" | "state">,
    private readonly onOpen: () => void = () => {},
  ) {
    this.element = h(
      "details",
      { class: "panel rules-panel", ontoggle: () => void this.toggled() },
      this.summary,
      this.text,
    );
  }

  // What is played now; read and drawn when the panel is open.
  show(game: string, title: string): void {
    this.game = game;
    this.summary.textContent = t("Rules of {game}", { game: title });
    if (this.element.open) void this.draw();
  }

  // Opens the rules and leads there.
  open(): void {
    this.element.open = true;
    this.summary.focus();
    this.element.scrollIntoView({ block: "start" });
  }

  private async toggled(): Promise<void> {
    if (!this.element.open) return;
    this.onOpen();
    await this.draw();
  }

  private async draw(): Promise<void> {
    const game = this.game;
    if (game === this.drawn) return;
    try {
      const rules = await this.backend.rules(game);
      if (game !== this.game) return; // Another game was chosen meanwhile.
      this.drawn = game;
      const boards: ExampleBoard[] = [];
      fill(this.text, ...this.parts(rules, boards));
      await Promise.all(boards.map((board) => board.open()));
    } catch (error) {
      fill(this.text, h("p", { class: "error", role: "alert" }, messageOf(error)));
    }
  }

  private parts(rules: Rules, boards: ExampleBoard[]): Child[] {
    const [introduction, ...rest] = rules.sections;
    const pieces = rest.find(({ heading }) => heading === PIECES);
    const sections = rest.filter((section) => section !== pieces);
    return [
      ...(introduction?.blocks ?? []).map((block) => this.block(rules, block, boards)),
      rules.changes.length ? changes(rules) : null,
      h("h3", {}, translated(PIECES)),
      pieceLegend(rules),
      ...(pieces?.blocks ?? []).map((block) => this.block(rules, block, boards)),
      ...sections.flatMap(({ heading, blocks }) => [
        h("h3", {}, translated(heading)),
        ...blocks.map((block) => this.block(rules, block, boards)),
      ]),
    ];
  }

  private block(rules: Rules, block: RulesBlock, boards: ExampleBoard[]): HTMLElement {
    if (block.position) {
      const board = new ExampleBoard(this.backend, rules, block);
      boards.push(board);
      return board.element;
    }
    if (block.list) return h("ul", {}, ...block.list.map((fact) => h("li", {}, ...marked(translated(fact)))));
    return h("p", {}, ...marked(translated(block.text ?? "")));
  }
}

function changes(rules: Rules): HTMLElement {
  return h(
    "div",
    { class: "rules-changes" },
    h("p", {}, h("strong", {}, t("{game}, as played here, differs from the text:", { game: translated(rules.title) }))),
    h(
      "ul",
      {},
      ...rules.changes.map(({ title, words }) =>
        h("li", {}, h("b", {}, `${translated(title)}: `), ...marked(translated(words))),
      ),
    ),
  );
}

function pieceLegend(rules: Rules): HTMLElement {
  const kinds = Object.fromEntries(rules.pieces.map((piece) => [piece.kind, piece.name]));
  return h(
    "dl",
    { class: "piece-legend" },
    ...rules.pieces.flatMap(({ kind, name, moves, colors }) => [
      h(
        "dt",
        {},
        ...colors.map((color) => pieceIcon({ kind, color }, kinds)),
        h(
          "span",
          {},
          h("b", {}, translated(name)),
          " ",
          h("small", {}, h("abbr", { title: t("its letter in texts") }, kind)),
        ),
      ),
      h("dd", {}, translated(moves)),
    ]),
  );
}
