// What the network sees: each of its input planes as a small board.
import type { Backend, GameQuery, Planes } from "../backend/backend";
import { button, fill, h, messageOf, svg } from "../dom";
import { t } from "../language";
import { sideName } from "../board/moves";

export class PlanesPanel {
  readonly element: HTMLDetailsElement;
  private readonly grid = h("div", { class: "planes" });
  private readonly note = h("p", { class: "summary" });
  private all = false; // Also the planes that are empty.
  private planes: Planes | null = null;
  private width = 8;

  constructor(
    private readonly backend: Backend,
    private readonly position: () => { query: GameQuery; player: string; width: number } | null,
  ) {
    this.element = h(
      "details",
      { class: "panel", ontoggle: () => void this.update() },
      h("summary", {}, t("What the network sees")),
      this.note,
      button(t("Show or hide empty planes"), () => {
        this.all = !this.all;
        this.draw();
      }),
      this.grid,
    );
  }

  async update(): Promise<void> {
    const position = this.position();
    if (!this.element.open || !position) return;
    this.width = position.width;
    try {
      this.planes = await this.backend.planes(position.query, position.player);
      this.draw();
    } catch (error) {
      this.planes = null;
      this.note.textContent = messageOf(error);
      fill(this.grid);
    }
  }

  private draw(): void {
    if (!this.planes) return;
    const { names, planes, mover } = this.planes;
    const shown = planes
      .map((plane, i) => ({ plane, name: names[i] ?? String(i) }))
      .filter(({ plane }) => this.all || plane.some((value) => value !== 0));
    const values = { shown: shown.length, count: planes.length, side: sideName(mover) };
    this.note.textContent =
      mover === "black"
        ? t("{shown} of {count} planes, seen by the side to move: {side} is below, so the board is turned.", values)
        : t("{shown} of {count} planes, seen by the side to move: {side} is below.", values);
    fill(
      this.grid,
      ...shown.map(({ plane, name }) => h("figure", {}, this.miniature(plane), h("figcaption", {}, name))),
    );
  }

  private miniature(plane: number[]): SVGSVGElement {
    const size = this.width;
    const picture = svg(
      "svg",
      { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" },
      svg("rect", { class: "surface", width: size, height: size }),
    );
    plane.forEach((value, index) => {
      const [file, rank] = [index % 8, Math.floor(index / 8)];
      if (value === 0 || file >= size || rank >= size) return;
      picture.append(
        svg("rect", {
          class: value < 0 ? "negative" : "positive",
          x: file,
          y: size - 1 - rank,
          width: 1,
          height: 1,
          "fill-opacity": Math.min(1, Math.abs(value)).toFixed(3),
        }),
      );
    });
    return picture;
  }
}
