// A small diagram of lines over a common axis, with intervals behind them and a reading where the pointer is.
import { fill, h, svg } from "../dom";
import { number, t, translated } from "../language";

export interface Line {
  name: string;
  legend?: string; // What the legend says instead of the name.
  points: { x: number; y: number; low?: number; high?: number }[];
  style: string; // A class: "series-1", ...; "dashed" beside it.
}

const WIDTH = 360;
const HEIGHT = 184;
const MARGIN = { left: 66, right: 20, top: 8, bottom: 36 }; // Room for the longest numbers and the axes' names.

// What the axes count.
export interface Axes {
  x: string;
  y: string;
}

// REQUIRES: lines, each with a point.
export function chart(
  title: string,
  lines: Line[],
  axes: Axes,
  format: (value: number) => string = plain,
): HTMLElement {
  const legend = h(
    "div",
    { class: "key-line" },
    ...lines.map((line) => h("span", { class: `key ${line.style}` }, line.legend ?? line.name)),
  );
  const reading = h("span", { class: "reading" });
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": describe(title, lines, format),
  });
  const figure = h("figure", { class: "chart" }, h("figcaption", {}, h("b", {}, title), reading), picture, legend);
  const points = lines.flatMap((line) => line.points);
  const x = scale(
    points.map((point) => point.x),
    MARGIN.left,
    WIDTH - MARGIN.right,
    false,
  );
  const y = scale(
    points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
    true,
  );
  const pointer = svg("line", { class: "pointer", y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom, visibility: "hidden" });
  fill(
    picture,
    ...y.ticks.flatMap((tick) => [
      svg("line", { class: "grid", x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y.at(tick), y2: y.at(tick) }),
      svg("text", { class: "tick", x: MARGIN.left - 6, y: y.at(tick) + 4, "text-anchor": "end" }, format(tick)),
    ]),
    ...x.ticks.map((tick) =>
      svg("text", { class: "tick", x: x.at(tick), y: HEIGHT - 22, "text-anchor": "middle" }, plain(tick)),
    ),
    ...axisNames(axes),
    ...lines.flatMap((line) => drawLine(line, x.at, y.at)),
    pointer,
  );
  picture.onpointermove = (event) => {
    const box = picture.getBoundingClientRect();
    const wanted = x.value(((event.clientX - box.left) / box.width) * WIDTH);
    const near = points.reduce((best, point) =>
      Math.abs(point.x - wanted) < Math.abs(best.x - wanted) ? point : best,
    ).x;
    pointer.setAttribute("x1", String(x.at(near)));
    pointer.setAttribute("x2", String(x.at(near)));
    pointer.setAttribute("visibility", "visible");
    const values = lines.flatMap((line) =>
      line.points.filter((point) => point.x === near).map((point) => `${line.name} ${valueText(point, format)}`),
    );
    reading.textContent = `${plain(near)}: ${values.join(", ")}`;
  };
  picture.onpointerleave = () => {
    pointer.setAttribute("visibility", "hidden");
    reading.textContent = "";
  };
  return figure;
}

function axisNames({ x, y }: Axes): SVGElement[] {
  const middle = (MARGIN.top + HEIGHT - MARGIN.bottom) / 2;
  const at = { class: "axis", "text-anchor": "middle" };
  return [
    svg("text", { ...at, x: (MARGIN.left + WIDTH - MARGIN.right) / 2, y: HEIGHT - 6 }, translated(x)),
    svg("text", { ...at, transform: `translate(11 ${middle}) rotate(-90)` }, translated(y)),
  ];
}

// "120", with an interval "120 (80 to 160)".
function valueText(point: Line["points"][number], format: (value: number) => string): string {
  const { y, low, high } = point;
  return low === undefined || high === undefined
    ? format(y)
    : t("{value} ({low} to {high})", { value: format(y), low: format(low), high: format(high) });
}

export function plain(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${trim(value / 1e6)}M`;
  if (size >= 1e4) return `${trim(value / 1e3)}k`;
  return trim(value);
}

function trim(value: number): string {
  return number(value, { maximumSignificantDigits: 3, useGrouping: false });
}

function describe(title: string, lines: Line[], format: (value: number) => string): string {
  return `${title}: ${lines.map((line) => `${line.name} ${format(line.points.at(-1)!.y)}`).join(", ")}`;
}

function drawLine(line: Line, x: (value: number) => number, y: (value: number) => number): SVGElement[] {
  const place = (px: number, py: number) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`;
  const drawn: SVGElement[] = [];
  const banded = line.points.filter((point) => point.low !== undefined && point.high !== undefined);
  if (banded.length > 1) {
    const upper = banded.map((point) => place(point.x, point.high!));
    const lower = banded.map((point) => place(point.x, point.low!)).reverse();
    drawn.push(svg("polygon", { class: `band ${line.style}`, points: [...upper, ...lower].join(" ") }));
  }
  for (const point of banded.length === 1 ? banded : []) {
    drawn.push(
      svg("line", {
        class: `line ${line.style}`,
        x1: x(point.x),
        x2: x(point.x),
        y1: y(point.low!),
        y2: y(point.high!),
      }),
    );
  }
  drawn.push(
    svg("polyline", {
      class: `line ${line.style}`,
      points: line.points.map((point) => place(point.x, point.y)).join(" "),
    }),
  );
  if (line.points.length < 40) {
    drawn.push(
      ...line.points.map((point) =>
        svg("circle", { class: `point ${line.style}`, cx: x(point.x), cy: y(point.y), r: 2.2 }),
      ),
    );
  }
  return drawn;
}

// An axis with round ticks from one end to the other.
function scale(values: number[], from: number, to: number, padded: boolean) {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (low === high)
    [low, high] = padded ? [low - Math.abs(low) * 0.1 - 0.1, high + Math.abs(high) * 0.1 + 0.1] : [low - 1, high + 1];
  const rough = (high - low) / (padded ? 4 : 6);
  const power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!;
  if (!padded) step = Math.max(1, Math.round(step));
  if (padded) [low, high] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step - 1e-6) * step; tick <= high + step * 1e-6; tick += step)
    ticks.push(Number(tick.toPrecision(12)));
  return {
    ticks,
    at: (value: number) => from + ((value - low) / (high - low)) * (to - from),
    value: (place: number) => low + ((place - from) / (to - from)) * (high - low),
  };
}
