// What a search draws on the board: where the network would go at first sight, and what the search came to.
import type { Arrow } from "../board/arrow";
import type { SearchResult } from "../backend/backend";
import { squaresOf } from "../board/moves";

const ARROWS = 5; // Of each kind.
const FAINTEST = 0.06;

type Prior = { move: string; prior: number };

function policyOf(result: SearchResult): Prior[] {
  return result.policy ?? result.moveInfos.map(({ move, prior }) => ({ move, prior: prior ?? 0 }));
}

// How warm each square is in [0, 1], by the prior of all moves that go there.
export function heatOf(result: SearchResult): Map<string, number> {
  const heat = new Map<string, number>();
  for (const { move, prior } of policyOf(result)) {
    const squares = squaresOf(move);
    if (squares && prior > 0) heat.set(squares.to, (heat.get(squares.to) ?? 0) + prior);
  }
  const hottest = Math.max(...heat.values());
  for (const [square, share] of heat) heat.set(square, 0.75 * Math.sqrt(share / hottest));
  return heat;
}

// Without visits the order of the candidates stands for them.
export function arrowsOf(result: SearchResult): Arrow[] {
  const likely = policyOf(result)
    .sort((a, b) => b.prior - a.prior)
    .slice(0, ARROWS);
  const mostLikely = likely[0]?.prior || 1;
  const candidates = result.moveInfos.slice(0, ARROWS);
  const mostVisits = Math.max(...candidates.map((info) => info.visits));
  return [
    ...likely.map(({ move, prior }): Arrow => ({ move, share: prior / mostLikely, kind: "prior" })),
    ...candidates.map(({ move, visits, order }): Arrow => {
      const share = mostVisits ? visits / mostVisits : 1 / (order + 1);
      return { move, share, kind: "visits" };
    }),
  ].filter((arrow) => arrow.share > FAINTEST);
}
