// What the views ask for, whoever answers: a server (http_backend.ts) or this page itself (local_backend.ts).

import { later, type Message } from "../language";

export type Color = "white" | "black";

export type Wdl = [win: number, draw: number, loss: number];

// A game in play: moves and the words "count" and "stop" since the start.
export interface GameQuery {
  game: string; // A ruleset with its options: "makyek:jump=on".
  start?: string; // A position text; absent: where the game begins.
  moves: string[];
  ended?: string; // Not by the rules: "0-1 resignation".
}

// A move of a game with what is said of it, and the variations that replace it.
export interface LineMove {
  move: string;
  written?: string;
  nags?: number[]; // 2: "?", 4: "??", 6: "?!".
  eval?: { centipawns?: number; mate?: number; depth?: number }; // For White.
  clock?: number; // Seconds that are left to the mover.
  time?: number; // Seconds that the move took.
  comment?: string;
  variations?: LineMove[][];
}

export type Tag = [name: string, value: string];

// Where the rules ended a game although its record goes on.
export interface RulesEnd {
  ply: number; // Moves before it.
  result: Outcome["result"];
  reason: string;
}

// A game with what its file says of it.
export interface GameDocument extends GameQuery {
  tags?: Tag[];
  comment?: string; // Of the start.
  line?: LineMove[]; // The moves with what is said of them.
  rulesEnd?: RulesEnd;
  fault?: string; // Why it was not read to its end.
}

// A game of a text, and how it was read.
export interface ReadGame extends GameDocument {
  result: Outcome["result"];
  dialect?: string; // "PlayOK's letters".
  guess?: string; // Why these rules, where the text does not name them.
  number: number; // Which of its games, from 1.
  of: number;
}

export type Format = "text" | "pgn" | "playok" | "thai" | "json";

// What a review calls a move that loses so much.
export interface Judgement {
  word: string; // "Blunder".
  glyph: string; // "??".
  nag: number;
  loss: number; // Of the mover's expected result in [0, 1], at least.
}

export interface GameOption {
  name: string;
  values?: string[]; // Absent: a number from minimum to maximum.
  minimum?: number;
  maximum?: number;
  value: string; // What the ruleset uses.
  title?: string; // "Custodian capture".
  text?: string; // What else is to say of it as a whole.
  words?: Record<string, string>; // By value.
}

export interface GameInfo {
  game: string;
  of: string; // The game whose ruleset this is, "makyek" of "makyek-line".
  title: string;
  difference: string; // How it differs from that game; empty: it is the game's own.
  start: string; // The text of the first position.
  summary: string;
  family: "chess" | "men";
  width: number; // Squares a side.
  kinds: Record<string, string>; // "M": "man".
  options: GameOption[];
}

export interface Piece {
  square: string;
  color: Color;
  kind: string; // A capital letter.
  promoted?: boolean; // It was a pawn (promoted.ts).
}

export interface LegalMove {
  move: string;
  written: string; // As people write it: "Nd2", "e3-e4xd4".
  from: string | null;
  to: string | null;
  drop?: string; // The kind that is dropped.
  pass?: boolean;
  captures: string[];
}

export interface PlayedMove {
  move: string;
  written: string;
  captures: Piece[];
  position: string; // After it.
  result?: Outcome["result"]; // Where the rules end the game after it, though its record may go on.
}

export interface Outcome {
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  reason: string;
  cause?: string; // The same as a sentence: "Black has no men left".
  causeParts?: Message;
  over: boolean;
}

// A count towards a draw, in moves.
export interface Count {
  name: string; // "Board's honour".
  moves: number;
  moveLimit: number;
  left: number;
  side: Color | null; // Who counts; null: it binds both.
  text: string; // All of it as a sentence.
  textParts: Message;
}

// The rules of a ruleset, for people.
export interface Rules {
  game: string;
  title: string;
  summary: string;
  changes: { title: string; words: string }[]; // By the options that are not the game's own.
  pieces: { kind: string; name: string; moves: string; colors: Color[] }[]; // Colors: of those that have it.
  sections: { heading: string; blocks: RulesBlock[] }[];
}

// A paragraph, a list, or a board with a caption and examples.
export interface RulesBlock {
  text?: string;
  list?: string[];
  position?: string;
  examples?: RulesExample[];
}

export interface RulesExample {
  start: string;
  move: string;
  legal: boolean;
  captures: string[];
  remark: string;
}

export interface GameState {
  game: string;
  title: string;
  width: number; // Squares a side.
  start: string;
  position: string;
  toMove: Color;
  ply: number;
  pieces: Piece[];
  kinds: Record<string, string>;
  hands: Record<Color, Record<string, number>>;
  legal: LegalMove[];
  claims: ("count" | "stop")[];
  check: boolean;
  marks: string[]; // Squares that the board marks, the crosses of Gala.
  checked: string[]; // The squares of kings in check.
  count: Count | null;
  outcome: Outcome;
  history: PlayedMove[]; // One per entry of the query's moves.
}

export interface Player {
  player: string; // What a search names.
  label: string;
  labelParts: Message;
  details?: string; // What the label leaves out: "network 3c4b2901f45b, generation 12".
  detailsParts?: Message;
  kind: string; // "network", "small", "alphabeta", ...
  levels: Level[]; // Weakest first.
}

// A measured strength.
export interface Level {
  level: number;
  label: string; // "1 - beginner (249 above random play)".
  elo?: number; // Above random play.
  measuredIn?: string; // The title of the game of its matches, where that is another one.
  simulations: number;
  temperature: number; // 0: always the move that it holds for the best.
}

export interface SearchQuery extends GameQuery {
  player?: string;
  maxVisits?: number;
  maxTimeMs?: number;
  lines?: number;
  level?: number;
  seed?: number;
  variedPlies?: number;
  book?: boolean; // A move of the opening book is the answer where it has one.
  includePolicy?: boolean;
  includeTree?: boolean;
  reportDuringSearchEvery?: number; // Seconds.
}

export interface MoveInfo {
  move: string;
  visits: number;
  prior?: number;
  winrate: number;
  wdl?: Wdl; // For the side to move at the root.
  utility?: number;
  movesLeft?: number;
  endInPlies?: number; // A proven win or loss, by at most so many plies.
  order: number;
  centipawns?: number;
  pv: string[];
  written: string[]; // The moves of pv.
}

// Moves of one exact value.
export interface ExactMoves {
  textParts: Message;
  moves: { move: string; written: string }[];
}

export interface SearchResult {
  id: string;
  isDuringSearch: boolean;
  moveInfos: MoveInfo[];
  rootInfo: {
    visits: number;
    winrate: number;
    wdl?: Wdl;
    rawWdl?: Wdl;
    movesLeft?: number;
    depth?: number;
    toMove: Color;
  };
  policy?: { move: string; prior: number }[];
  best: string;
  timeMs: number;
  exactMoves?: ExactMoves[]; // Where the installed endings know the position, best first.
}

// A search that runs. `done` gives the last result, null when there was none; it fails when the search does.
export interface Search {
  stop(): void;
  done: Promise<SearchResult | null>;
}

export interface TreeNode {
  move: string;
  written: string;
  visits: number;
  prior?: number;
  wdl?: Wdl; // For the side that moves there.
  expandable: boolean;
}

export interface Planes {
  names: string[];
  planes: number[][]; // 64 numbers each: 8 * rank + file, seen by the mover.
  mover: Color;
}

export interface Run {
  name: string;
  game: string;
  generation: number;
  running: boolean;
  elo?: number;
}

export type Metrics = Record<string, number | Record<string, number>>;

export interface Rating {
  generation: number;
  elo: number;
  low: number;
  high: number;
}

// An opponent of the ratings.
export interface RatedPlayer {
  player: string; // "alphabeta:3".
  elo: number;
  low: number;
  high: number;
}

// Values and moves of a position, by the target of a training row or by its network: for the side to move, best moves first.
export interface Distributions {
  win: number;
  draw: number;
  loss: number;
  moves: { move: string; written: string; share: number }[];
}

// A position of a game that was held back, and how far the network is from its target, in nats.
export interface LossRow {
  ruleset: string;
  title: string;
  kinds: Record<string, string>;
  position: string;
  side: Color;
  game: number;
  ply: number;
  loss: number;
  policy_loss: number;
  value_loss: number;
  target: Distributions;
  predicted: Distributions;
}

export interface Losses {
  generation: number;
  rows: LossRow[]; // The largest loss first.
}

export interface RunEvents {
  metrics?(row: Metrics): void;
  status?(status: Record<string, unknown>): void;
  ratings?(ratings: Rating[]): void;
  smallRatings?(ratings: Rating[]): void; // Of the small network beside a tower.
  ladder?(players: RatedPlayer[]): void;
  game?(game: GameQuery & { result: string; reason?: string }): void;
  losses?(losses: Losses): void;
}

export interface Checkpoint {
  id: string;
  generation: number;
  file: string;
  bytes?: number;
  best?: boolean; // By its rating matches; at most one.
  elo?: number;
  eloLow?: number;
  eloHigh?: number;
  player?: string;
}

export interface Training {
  runs(): Promise<Run[]>;
  watch(name: string, events: RunEvents): () => void; // Returns what ends it.
  checkpoints(name: string): Promise<Checkpoint[]>;
  exportCheckpoint(name: string, id: string, to: string): Promise<{ name: string; url: string }[]>;
}

// Which games of the library are wanted; what is missing is not asked.
export interface LibraryFilter {
  player?: string; // Part of White's or Black's name.
  game?: string; // A ruleset, with any options.
  result?: string;
  from?: string; // First and last date: "2025.01.31".
  to?: string;
  text?: string; // Part of event, site, players or file.
  position?: GameQuery; // That occurs in the game.
  sort?: LibraryOrder;
  offset?: number;
  limit?: number;
}

export type LibraryOrder = "added" | "date" | "white" | "black" | "result" | "plies";

// Some of the games: those named, or all that a filter gives.
export type LibraryChoice = { ids: number[] } | LibraryFilter;

export interface LibraryGame {
  id: number;
  game: string;
  title: string; // Of its game.
  white: string;
  black: string;
  date: string;
  event: string;
  result: Outcome["result"];
  plies: number;
  file: string;
  reviewed: boolean;
  accuracy?: [white: number, black: number]; // In percent, of a reviewed game.
}

export interface LibraryPage {
  total: number; // Games that the filter gives.
  games: LibraryGame[]; // Of them, from the offset on.
}

export interface ImportFault {
  number: number; // Of the game in its file.
  why: string;
}

export interface ImportResult {
  read: number;
  added: number;
  duplicates: number; // There already.
  skipped: ImportFault[];
  cutShort: ImportFault[]; // Added up to a fault.
}

// A move of a position in the games of the library.
export interface LibraryMove {
  move: string;
  written: string;
  count: number;
  white: number; // Games by result.
  draw: number;
  black: number;
}

// A review of games of the library, in the background.
export interface LibraryReview {
  running: boolean;
  done: number;
  of: number;
  skipped: number;
  now?: string; // Players of the game at work.
  left_s?: number;
}

export interface Library {
  games(filter: LibraryFilter): Promise<LibraryPage>;
  game(id: number): Promise<GameDocument>;
  import(name: string, text: string): Promise<ImportResult>;
  export(choice: LibraryChoice, format: Format): Promise<string>;
  remove(ids: number[]): Promise<number>; // How many were there.
  moves(query: GameQuery): Promise<{ total: number; moves: LibraryMove[] }>; // Most often first.
  review(choice: LibraryChoice): Promise<LibraryReview>; // Begins it.
  reviewState(): Promise<LibraryReview>;
  stopReview(): Promise<LibraryReview>;
}

// What asked has not been answered: the server has gone, or the network between.
export class ConnectionLost extends Error {
  constructor() {
    super(later("The connection to makzero was lost; your game is kept."));
  }
}

// The backend does not have what it was asked for.
export class Missing extends Error {}

// Every promise fails with an Error whose message is meant for people.
export interface Backend {
  games(): Promise<GameInfo[]>;
  rules(game: string): Promise<Rules>;
  state(query: GameQuery): Promise<GameState>;
  read(text: string, game: string, number: number): Promise<ReadGame>; // `game`: of a text that does not name it; empty: unknown.
  write(document: GameDocument, format: Format): Promise<string>;
  players(game: string): Promise<Player[]>;
  search(query: SearchQuery, onResult: (result: SearchResult) => void): Search;
  judgements(): Promise<Judgement[]>; // The worst first.
  tree(searchId: string, path: string[]): Promise<TreeNode[]>;
  planes(query: GameQuery, player: string): Promise<Planes>;
  training?: Training; // Absent: this backend trains nothing.
  library?: Library; // Absent: this backend keeps no games.
}
