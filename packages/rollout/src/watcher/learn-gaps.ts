import { compareKeys, type ListPage } from '@art/store';
import type { OutstandingKey } from './outstanding-keys.ts';

export interface PageLesson {
  /** The keys of the stretch that the page has, in order. */
  found: string[];
  /** How many keys of the stretch the page answers for; the first one after them is still to be asked for. */
  covered: number;
}

/**
 * Reads one page against the stretch of open keys that it was asked for: which of them are there, how far it reaches, and
 * how much lies between them, which makes the next plan better.
 */
export function learnGaps(stretch: readonly OutstandingKey[], page: ListPage): PageLesson {
  const found: string[] = [];
  const keys = page.keys;
  let at = 0;
  let covered = 0;
  for (const entry of stretch) {
    let between = 0;
    while (at < keys.length && compareKeys(keys[at]!, entry.key) < 0) {
      at += 1;
      between += 1;
    }
    if (at === keys.length && page.truncated) {
      // The page ended before it: at least this much lies in between.
      entry.gap = Math.max(entry.gap, between);
      return { found, covered };
    }
    // Nothing before the first key of a stretch was listed, so nothing is known of it.
    if (covered > 0) entry.gap = between;
    if (keys[at] === entry.key) {
      found.push(entry.key);
      at += 1;
    }
    covered += 1;
  }
  return { found, covered };
}
