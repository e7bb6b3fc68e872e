// The sound of a piece that is set down, made here: no files. Nothing sounds before the person has touched the page, nor
// where the browser asks for less motion and the person has not asked for sound.
import { quietMotion } from "../dom";

const KEY = "makzero.sound";
const SECONDS = 0.09;

let context: AudioContext | null = null;
let touched = false; // By a person, as browsers want it before a page may sound.

for (const gesture of ["pointerdown", "keydown"])
  addEventListener(gesture, () => (touched = true), { capture: true, once: true });

export function soundOn(): boolean {
  try {
    const kept = localStorage.getItem(KEY);
    return kept ? kept === "on" : !quietMotion();
  } catch {
    return !quietMotion();
  }
}

export function setSound(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // It is as the browser wants it at the next visit.
  }
  if (on) knock(240, 0);
}

// A move is one knock, a capture two, the second deeper.
export function soundOfMove(captures: boolean): void {
  if (!touched || !soundOn()) return;
  knock(240, 0);
  if (captures) knock(150, 0.07);
}

// Wood on wood: a short tone that falls, and the noise of the stroke.
function knock(hertz: number, delay: number): void {
  context ??= new AudioContext();
  void context.resume();
  const start = context.currentTime + delay;
  const tone = new OscillatorNode(context, { type: "triangle", frequency: hertz });
  tone.frequency.exponentialRampToValueAtTime(hertz * 0.6, start + SECONDS);
  const stroke = new AudioBufferSourceNode(context, { buffer: noise(context) });
  for (const [source, loudness] of [
    [tone, 0.25],
    [stroke, 0.12],
  ] as const) {
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(loudness, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + SECONDS);
    source.connect(gain).connect(context.destination);
    source.start(start);
    source.stop(start + SECONDS);
  }
}

// Short white noise, the same at every stroke.
function noise({ sampleRate }: AudioContext): AudioBuffer {
  const buffer = new AudioBuffer({ length: Math.ceil(0.02 * sampleRate), sampleRate });
  const samples = buffer.getChannelData(0);
  let state = 1;
  for (let i = 0; i < samples.length; i++) {
    state = (state * 16807) % 2147483647;
    samples[i] = state / 1073741823.5 - 1;
  }
  return buffer;
}
