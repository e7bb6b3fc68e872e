// The page: its header, its views by the address behind #, and the backend that they share.
import type { Backend, GameDocument, GameQuery } from "./backend/backend";
import { placeText, readPlace, sameGame, type Place } from "./address";
import { AnalyseView } from "./analyse/analyse_view";
import { fill, h, messageOf } from "./dom";
import { httpBackend } from "./backend/http_backend";
import { asKept, keepGame, keptGame, type KeptGame } from "./play/kept_game";
import { loadLanguage, t } from "./language";
import { newSeed, type Setup } from "./play/new_game";
import { pieceSymbols } from "./board/pieces";
import { PlayView } from "./play/play_view";
import { reportView, type Report } from "./train/report_view";
import { Settings } from "./settings";
import { firstStrength } from "./play/strength";
import "./style.css";

interface View {
  element: HTMLElement;
  enter?(): unknown;
  leave(): void;
  walk?(to: Step): void; // Through the game that it shows.
}

// A view whose game the address names.
interface GameView extends View {
  opened: boolean; // It has a game.
  query: GameQuery;
  at: number;
  open(query: GameQuery, at: number): Promise<void>;
  awaits?(query: GameQuery): boolean; // More is known of the game than the address says.
}

type Step = "back" | "on" | "start" | "end";

const STEPS: Record<string, Step> = { ArrowLeft: "back", ArrowRight: "on", Home: "start", End: "end" };
const FIRST_GAME = "makyek";

async function start(): Promise<void> {
  const report = document.getElementById("report"); // A file of its own, without catalogues beside it.
  if (!report) await loadLanguage();
  const place = h("main", { id: "view" }, h("p", { class: "summary" }, t("One moment …")));
  const settings = new Settings();
  const nav = h("nav", { "aria-label": t("Views") });
  const header = h("header", {}, h("h1", {}, "MakZero"), nav, ...(report ? [] : [settings.button, settings.element]));
  document.getElementById("unopened")?.remove();
  document.body.append(pieceSymbols(), header, place);
  if (report) return fill(place, reportView(JSON.parse(report.textContent!) as Report));
  try {
    const backend = await openBackend();
    await run(backend, place, nav);
  } catch (error) {
    fill(place, h("p", { class: "error", role: "alert" }, messageOf(error)));
  }
}

// <html data-backend="local">: this page plays by itself, without a server.
async function openBackend(): Promise<Backend> {
  if (document.documentElement.dataset.backend === "local")
    return (await import("./backend/local_backend")).localBackend();
  return httpBackend();
}

async function run(backend: Backend, place: HTMLElement, nav: HTMLElement): Promise<void> {
  const games = await backend.games();
  const first = games.find((game) => game.game === FIRST_GAME) ?? games[0]!;
  const setup = {
    game: first.game,
    human: "white" as const,
    player: null,
    clock: null,
    seed: newSeed(),
    ...firstStrength(null),
  };
  let shown: View | null = null;

  // `anew`: the document takes the place of what was kept of its game.
  const analyse = (document: GameDocument, at = document.moves.length, anew = false) => {
    analysis.expect(document, anew);
    location.hash = placeText("analyse", document, at);
  };
  const playOn = (query: GameQuery) => (location.hash = placeText("play", query, query.moves.length));
  const moved = (begun: boolean) => {
    keepGame(play.kept);
    if (shown === play) setAddress("play", play, begun, play.kept);
  };
  const review = (document: GameDocument) => {
    analysis.reviewNext();
    analyse(document);
  };
  const play = new PlayView(backend, games, setup, { analyse, review, moved });
  const analysis = new AnalyseView(backend, games, playOn, (begun) => {
    if (shown === analysis) setAddress("analyse", analysis, begun);
  });
  const open = (document: GameDocument) => analyse(document, document.moves.length, true);
  const position = () => {
    const { query, at } = analysis.opened ? analysis : play;
    return { ...query, moves: query.moves.slice(0, at) };
  };
  const views: Record<string, View> = {
    play,
    analyse: analysis,
  };
  // A page without a server has neither, nor waits for them.
  if (backend.library) {
    const { LibraryView } = await import("./library/library_view");
    views.library = new LibraryView(backend.library, games, { open, position });
  }
  if (backend.training) {
    const { TrainView } = await import("./train/train_view");
    views.train = new TrainView(backend, analyse);
  }

  const show = () => {
    const wanted = readPlace(location.hash);
    const name = wanted.view in views ? wanted.view : "play";
    const view = views[name]!;
    if (view !== shown) {
      shown?.leave();
      shown = view;
      fill(place, view.element);
      drawTabs(nav, Object.keys(views), name);
      view.enter?.();
    }
    if (view === play) void visit(play, wanted, () => play.resume(asKept(history.state)!, wanted.at));
    const fallback = analysis.opened ? null : play.query; // For an address that names the view alone.
    if (view === analysis)
      void visit(analysis, wanted.query ? wanted : { ...wanted, query: fallback, at: play.at }).then(() =>
        analysis.reviewIfAsked(),
      );
  };
  addEventListener("hashchange", show);
  document.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || !shown?.walk || !walksGame(event)) return;
    event.preventDefault();
    shown.walk(step);
  });
  await openFirst(play, setup);
  show();
  if (shown !== play) play.leave();
}

// The game with which the page begins: that of the address, else the one that the browser has kept, else a new one.
async function openFirst(play: PlayView, setup: Setup): Promise<void> {
  const wanted = readPlace(location.hash);
  const query = wanted.view === "analyse" ? null : wanted.query;
  const kept = [asKept(history.state), keptGame()].find((game) => game && (!query || sameGame(game.query, query)));
  if (kept) await play.resume(kept, query ? wanted.at : kept.query.moves.length);
  else if (query) await play.load(query, wanted.at);
  if (!play.opened) await play.begin(setup); // Nothing is named, or it cannot be opened any more.
}

// Brings a view to the game that the address names.
async function visit(view: GameView, { query, at }: Place, resume?: () => Promise<void>): Promise<void> {
  if (!query || (view.opened && !view.awaits?.(query) && sameGame(query, view.query) && at === view.at)) return;
  const kept = asKept(history.state);
  if (resume && kept && sameGame(kept.query, query) && !sameGame(query, view.query)) await resume();
  else await view.open(query, at);
}

// Writes what a view shows into the address; a new game is a step that the browser's "back" undoes.
function setAddress(name: string, view: GameView, begun: boolean, state: KeptGame | null = null): void {
  const text = placeText(name, view.query, view.at);
  const here = readPlace(location.hash);
  if (location.hash && here.view !== name) return; // The browser has gone to another view, which is shown next.
  const another = begun && here.query !== null && here.view === name && !sameGame(here.query, view.query);
  try {
    history[another ? "pushState" : "replaceState"](state, "", text);
  } catch {
    // Too many moves in a short time for this browser: the address follows with a later one.
  }
}

function drawTabs(nav: HTMLElement, names: string[], current: string): void {
  const titles: Record<string, string> = {
    play: t("Play"),
    analyse: t("Analyse"),
    library: t("Library"),
    train: t("Train"),
  };
  const tab = (name: string) =>
    h("a", { href: `#${name}`, "aria-current": name === current ? "page" : null }, titles[name]!);
  fill(nav, ...names.map(tab));
}

// Whether a key is meant for the game and not for what has the focus: a field, a dialog; a board that is led by keys has
// taken it before.
function walksGame(event: KeyboardEvent): boolean {
  const focused = event.target as HTMLElement;
  const elsewhere = focused.closest("input, select, textarea, dialog") || focused.matches("[role=region]");
  return !event.defaultPrevented && !elsewhere && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
}

void start();
