// The clocks of a game: sudden death, with an increment, or so much for each move. They begin with the second move.
import type { Color } from "../backend/backend";
import { number, t } from "../language";

// In milliseconds.
export interface ClockSetting {
  base: number; // For the game, or for each move.
  increment: number; // Added after every move.
  perMove: boolean;
}

export const CLOCKS: (ClockSetting | null)[] = [
  null,
  ...[
    [1, 0],
    [3, 2],
    [5, 0],
    [10, 5],
    [30, 0],
  ].map(([minutes, seconds]) => ({ base: 60000 * minutes!, increment: 1000 * seconds!, perMove: false })),
  { base: 10000, increment: 0, perMove: true },
  { base: 30000, increment: 0, perMove: true },
];

export function clockText(setting: ClockSetting | null): string {
  if (!setting) return t("none");
  const { base, increment, perMove } = setting;
  if (perMove) return t("{seconds} s a move", { seconds: base / 1000 });
  if (!increment) return t("{minutes} min", { minutes: base / 60000 });
  return t("{minutes} min + {seconds} s a move", { minutes: base / 60000, seconds: increment / 1000 });
}

const TICK_MS = 100;
const LOW_MS = 10000; // From here on tenths are shown.
const MOVES_LEFT = 30; // For which an opponent's time is planned.

export class GameClock {
  flagged: Color | null = null; // Whose time was up.
  private setting: ClockSetting | null = null;
  private left: Record<Color, number> = { white: 0, black: 0 };
  private running: Color | null = null;
  private since = 0; // When it began to run, by performance.now().
  private moves = 0;
  private timer = 0;

  // Called while a clock runs, and when a time is up.
  constructor(
    private readonly ticked: () => void,
    private readonly ended: () => void,
  ) {}

  // For a new game, or one that goes on with what was left.
  set(setting: ClockSetting | null, left?: Record<Color, number> | null): void {
    this.pause();
    this.setting = setting;
    this.flagged = null;
    this.moves = 0;
    this.left = left ? { ...left } : { white: setting?.base ?? 0, black: setting?.base ?? 0 };
  }

  // After so many moves this side is to move; null: the game is over.
  turn(toMove: Color | null, moves: number): void {
    const { setting } = this;
    if (!setting || this.flagged) return;
    const moved = this.running !== null && moves > this.moves && toMove !== this.running ? this.running : null;
    this.pause();
    if (moved) this.left[moved] = setting.perMove ? setting.base : this.left[moved] + setting.increment;
    this.moves = moves;
    if (!toMove || moves === 0) return;
    this.running = toMove;
    this.since = performance.now();
    this.timer = window.setInterval(() => this.tick(), TICK_MS);
  }

  pause(): void {
    clearInterval(this.timer);
    if (this.running) this.left[this.running] -= performance.now() - this.since;
    this.running = null;
  }

  // "4:59", below ten seconds "9.3"; null: there is no clock.
  text(color: Color): string | null {
    if (!this.setting) return null;
    const left = Math.max(0, this.remaining(color));
    if (left < LOW_MS) return number(Math.floor(left / 100) / 10, { minimumFractionDigits: 1 });
    const seconds = Math.ceil(left / 1000);
    return `${number(Math.floor(seconds / 60))}:${number(seconds % 60, { minimumIntegerDigits: 2 })}`;
  }

  // What is left, to be kept.
  get kept(): Record<Color, number> | null {
    return this.setting && { white: this.remaining("white"), black: this.remaining("black") };
  }

  // How long an opponent may think about its next move, in milliseconds; null: as long as it wants.
  allowance(color: Color): number | null {
    if (!this.setting) return null;
    const { increment, perMove } = this.setting;
    const left = this.remaining(color);
    return Math.max(20, Math.round(perMove ? left / 2 : Math.min(left / 2, left / MOVES_LEFT + 0.8 * increment)));
  }

  private remaining(color: Color): number {
    return this.left[color] - (this.running === color ? performance.now() - this.since : 0);
  }

  private tick(): void {
    const { running } = this;
    if (running && this.remaining(running) <= 0) {
      this.pause();
      this.flagged = running;
      this.ended();
    }
    this.ticked();
  }
}
