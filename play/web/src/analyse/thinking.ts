// The one search that a view runs at a time, and what it is for.
import type { Backend, Search, SearchQuery, SearchResult } from "../backend/backend";

export type Purpose = "move" | "hint" | "judgement";

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class Thinking {
  purpose: Purpose | null = null; // None: nothing is searched.
  private search: Search | null = null;

  constructor(private readonly backend: Pick<Backend, "search">) {}

  // The answer, not before `leastMs`; null when it was stopped or overtaken by another. Fails when the search does, and then nothing is
  // searched any more.
  async ask(
    purpose: Purpose,
    query: SearchQuery,
    onResult: (result: SearchResult) => void,
    leastMs = 0,
  ): Promise<SearchResult | null> {
    this.stop();
    this.purpose = purpose;
    const search = this.backend.search(query, (result) => {
      if (this.search === search) onResult(result);
    });
    this.search = search;
    try {
      const [result] = await Promise.all([search.done, leastMs ? delay(leastMs) : null]);
      return this.search === search ? result : null;
    } catch (error) {
      if (this.search === search) throw error;
      return null;
    } finally {
      if (this.search === search) this.forget();
    }
  }

  // Ends the search early: its answer is what it has found by now.
  finish(): void {
    this.search?.stop();
  }

  stop(): void {
    const search = this.search;
    this.forget();
    search?.stop();
  }

  private forget(): void {
    this.search = null;
    this.purpose = null;
  }
}
