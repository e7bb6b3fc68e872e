// The positions that a network predicts worst, of the games that were held back: odd games and wrong targets.
import type { Distributions, GameQuery, LossRow, Losses } from "../backend/backend";
import { drawArrow, type Arrow } from "../board/arrow";
import { miniBoard } from "../board/mini_board";
import { forWhite, percent, sideName } from "../board/moves";
import { wdlText } from "../analyse/candidates";
import { button, fill, h, svg } from "../dom";
import { number, t, translated } from "../language";
import { moveText, onNotation } from "../notation";

const FILES = "abcdefgh";

export class LossPanel {
  private readonly summary = h("summary");
  private readonly rows = h("ol", { class: "loss-rows" });
  readonly element = h(
    "details",
    { class: "panel losses", hidden: true }, // Until there is a row.
    this.summary,
    h(
      "p",
      { class: "facts" },
      t(
        "Where the network is furthest from what it is to learn: odd games and wrong targets show here. Results are those of the side to move; losses are what the prediction lacks of its target, in nats.",
      ),
    ),
    h(
      "div",
      { class: "legend" },
      h("span", { class: "key series-2" }, t("the target's best move")),
      h("span", { class: "key prior" }, t("the network's best move")),
    ),
    this.rows,
  );
  private shown: Losses | null = null;

  // `analyse` opens a position; absent: there is nobody to ask.
  constructor(private readonly analyse?: (query: GameQuery) => unknown) {
    onNotation(() => this.show(this.shown));
  }

  show(losses: Losses | null): void {
    this.shown = losses;
    this.element.hidden = !losses?.rows.length;
    this.summary.textContent = losses
      ? t("Positions of largest loss, generation {generation}", { generation: losses.generation })
      : "";
    fill(this.rows, ...(losses?.rows ?? []).map((row) => this.card(row)));
  }

  private card(row: LossRow): HTMLElement {
    const place = { game: row.game, ply: row.ply };
    const { ruleset, position } = row;
    const losses = { loss: nats(row.loss), policy: nats(row.policy_loss), value: nats(row.value_loss) };
    return h(
      "li",
      {},
      h("b", {}, t("Loss {loss}: policy {policy}, value {value}", losses)),
      h("small", {}, translated(row.title)),
      h("small", {}, t("Game {game}, ply {ply}, {side} to move", { ...place, side: sideName(row.side) })),
      picture(row),
      h("code", {}, position),
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("td"), ...[t("W/D/L"), t("Likeliest moves")].map(columnHead))),
        h("tbody", {}, distributions(t("Target"), row, row.target), distributions(t("Network"), row, row.predicted)),
      ),
      this.analyse &&
        button(t("Analyse"), () => this.analyse!({ game: ruleset, start: position, moves: [] }), {
          "aria-label": t("Analyse game {game}, ply {ply}", place),
        }),
    );
  }
}

const nats = (loss: number) => number(loss, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const columnHead = (text: string) => h("th", { scope: "col" }, text);

// The board with both best moves.
function picture({ position, kinds, target, predicted }: LossRow): SVGSVGElement {
  const board = miniBoard(position, kinds);
  const ranks = position.split(" ")[0]!.split("/").length;
  const place = (square: string) => ({ x: 100 * FILES.indexOf(square[0]!), y: 100 * (ranks - Number(square[1])) });
  const best = (of: Distributions, kind: Arrow["kind"]) =>
    of.moves.slice(0, 1).map(({ move, share }) => drawArrow({ move, share, kind }, place));
  const arrows = [...best(target, "hint"), ...best(predicted, "prior")].filter((arrow) => arrow !== null);
  board.append(svg("g", {}, ...arrows));
  return board;
}

function distributions(name: string, { side }: LossRow, { win, draw, loss, moves }: Distributions): HTMLElement {
  const part = (kind: string, share: number) => {
    const element = h("span", { class: kind });
    element.style.flexGrow = String(share);
    return element;
  };
  const [white, level, black] = forWhite({ wdl: [win, draw, loss], winrate: win }, side);
  const bar = h(
    "div",
    { class: "wdl-bar", "aria-hidden": "true" },
    part("white", white),
    part("draw", level),
    part("black", black),
  );
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    h("td", {}, wdlText([win, draw, loss]), bar),
    h("td", {}, ...moves.map((one) => h("div", {}, `${moveText(one)} ${percent(one.share)}`))),
  );
}
