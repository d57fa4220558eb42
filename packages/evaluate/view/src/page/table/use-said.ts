import { useEffect, useState } from 'preact/hooks';
import type { DataSource } from '../data/data-source.ts';

/** State of a search through transcripts. */
export interface SaidState {
  /** Positions by the text that was looked for. */
  found: ReadonlyMap<string, ReadonlySet<number>>;
  /** How many transcripts have been looked at for the text that is being looked for; undefined where nothing is. */
  looked: number | undefined;
}

const nothing: SaidState = { found: new Map(), looked: undefined };
/** While somebody types nothing is looked for. */
const quietMs = 300;

/** Looks for texts in the transcripts of a run, portion by portion. */
export function useSaid(source: DataSource, run: number, texts: readonly string[]): SaidState {
  const [state, setState] = useState<SaidState>(nothing);
  const wanted = JSON.stringify(texts);
  useEffect(() => {
    setState(nothing);
    if (texts.length === 0) return undefined;
    const left = new AbortController();
    const look = async (): Promise<void> => {
      const found = new Map<string, ReadonlySet<number>>();
      for (const text of texts) {
        for (let from: number | null = 0; from !== null;) {
          const said = await source.said(run, text, from, left.signal);
          if (left.signal.aborted) return;
          found.set(text, new Set([...(found.get(text) ?? []), ...said.found]));
          from = said.next;
          setState({ found: new Map(found), looked: from ?? undefined });
        }
      }
    };
    // What cannot be asked is told by the page as a whole.
    const timer = setTimeout(() => void look().catch(() => undefined), quietMs);
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [source, run, wanted]);
  return state;
}
