// Longest legal part of a game that an address names, and the fault behind it.
import { ConnectionLost, type Backend, type GameQuery } from "../backend/backend";
import { t } from "../language";
import { FAULTY_MOVE, reasonOf, spokenReason } from "../reasons";

export interface SoundPart {
  query: GameQuery | null; // None: the game itself is unknown.
  fault: string; // For people; empty: all of it is sound.
}

export async function soundPart(backend: Pick<Backend, "state">, query: GameQuery): Promise<SoundPart> {
  const why = await refusal(backend, query);
  if (why === null) return { query, fault: "" };
  const move = reasonOf(why);
  if (move?.text === FAULTY_MOVE) {
    const count = Number(move.values.number) - 1;
    const values = { number: count + 1, move: query.moves[count]!, why: spokenReason(String(move.values.why)) };
    const fault = t("Move {number} of the address, {move}, cannot be played: {why}", values);
    return { query: { ...query, moves: query.moves.slice(0, count) }, fault };
  }
  const bare = { game: query.game, moves: [] };
  const unknown = await refusal(backend, bare);
  if (unknown === null)
    return { query: bare, fault: t("The game cannot begin as the address says: {why}", { why: spokenReason(why) }) };
  return { query: null, fault: t("The address names no game: {why}", { why: spokenReason(unknown) }) };
}

// Why a game is refused; null where it is not, or nobody answers.
async function refusal(backend: Pick<Backend, "state">, query: GameQuery): Promise<string | null> {
  try {
    await backend.state(query);
    return null;
  } catch (error) {
    return error instanceof ConnectionLost ? null : (error as Error).message;
  }
}
