// The page: its header, its three views by the address behind #, and the backend that they share.
import type { Backend, GameQuery } from "./backend";
import { AnalyseView } from "./analyse_view";
import { fill, h, messageOf } from "./dom";
import { httpBackend } from "./http_backend";
import { pieceSymbols } from "./pieces";
import { PlayView } from "./play_view";
import { reportView, type Report } from "./report_view";
import { TrainView } from "./train_view";
import "./style.css";

interface View {
  element: HTMLElement;
  enter?(): unknown;
  leave(): void;
}

const FIRST_GAME = "makyek";

async function start(): Promise<void> {
  const place = h("main", { id: "view" }, h("p", { class: "summary" }, "One moment …"));
  const header = h("header", {}, h("h1", {}, "MakZero"), h("nav", { "aria-label": "Views" }));
  document.body.append(pieceSymbols(), header, place);
  const report = document.getElementById("report");
  if (report) return fill(place, reportView(JSON.parse(report.textContent!) as Report));
  try {
    const backend = await openBackend();
    await run(backend, place, header.querySelector("nav")!);
  } catch (error) {
    fill(place, h("p", { class: "error", role: "alert" }, messageOf(error)));
  }
}

// <html data-backend="local">: this page plays by itself, without a server.
async function openBackend(): Promise<Backend> {
  if (document.documentElement.dataset.backend === "local") return (await import("./local_backend")).localBackend();
  return httpBackend();
}

async function run(backend: Backend, place: HTMLElement, nav: HTMLElement): Promise<void> {
  const games = await backend.games();
  const first = games.find((game) => game.game === FIRST_GAME) ?? games[0]!;
  const players = await backend.players(first.game).catch(() => []);
  const setup = { game: first.game, human: "white" as const, player: players[0] ?? null, visits: 200, level: null };

  const analyse = (query: GameQuery) => {
    void views.analyse.open(query);
    location.hash = "analyse";
  };
  const playOn = (query: GameQuery) => {
    void views.play.load(query);
    location.hash = "play";
  };
  const play = new PlayView(backend, games, setup, analyse);
  const views = {
    play,
    analyse: new AnalyseView(backend, games, playOn),
    ...(backend.training ? { train: new TrainView(backend, analyse) } : {}),
  };
  const names = Object.keys(views) as (keyof typeof views)[];

  let shown: View | null = null;
  const show = () => {
    const name = names.find((one) => one === location.hash.slice(1)) ?? "play";
    const view: View = views[name]!;
    if (view === shown) return;
    shown?.leave();
    shown = view;
    fill(place, view.element);
    fill(
      nav,
      ...names.map((one) =>
        h("a", { href: `#${one}`, "aria-current": one === name ? "page" : null }, one[0]!.toUpperCase() + one.slice(1)),
      ),
    );
    if (view === views.analyse && views.analyse.empty) void views.analyse.open(play.query);
    view.enter?.();
  };
  addEventListener("hashchange", show);
  await play.begin(setup);
  show();
  if (shown !== play) play.leave();
}

void start();
