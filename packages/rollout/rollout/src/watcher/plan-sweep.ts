import type { OutstandingKey } from './outstanding-keys.ts';

/** Keys on a page of a listing. */
export const pageKeys = 1_000;

/** One request, or one listing that may take several pages. Indexes are into the sorted keys; `end` is exclusive. */
export type SweepTask = { kind: 'list'; start: number; end: number } | { kind: 'head'; start: number };

export interface SweepPlanOptions {
  canList: boolean;
  /** The price of a LIST in HEADs. */
  listCostInHeads: number;
  /** Keys on one page. */
  pageKeys: number;
}

export interface SweepPlan {
  tasks: SweepTask[];
  /** Price of the plan in HEADs. */
  costInHeads: number;
}

/**
 * The cheapest way to look for every key, as far as is known what lies between them: a LIST page where it answers for
 * more keys than it costs HEADs, a HEAD elsewhere. Goes from left to right once; a page starts at an open key, so
 * stretches in which everything is finished are jumped over.
 */
export function planSweep(
  keys: readonly Pick<OutstandingKey, 'gap'>[],
  options: SweepPlanOptions,
): SweepPlan {
  const { canList, listCostInHeads, pageKeys } = options;
  const tasks: SweepTask[] = [];
  let costInHeads = 0;
  let end = 0;
  // Keys of the store on the page that starts at `start` and ends before `end`.
  let listed = 0;
  for (let start = 0; start < keys.length;) {
    if (end <= start) {
      end = start + 1;
      listed = 1;
    }
    while (end < keys.length && listed + keys[end]!.gap + 1 <= pageKeys) {
      listed += keys[end]!.gap + 1;
      end += 1;
    }
    if (canList && end - start > listCostInHeads) {
      tasks.push({ kind: 'list', start, end });
      costInHeads += listCostInHeads;
      start = end;
    } else {
      tasks.push({ kind: 'head', start });
      costInHeads += 1;
      start += 1;
      if (start < end) listed -= keys[start]!.gap + 1;
    }
  }
  return { tasks, costInHeads };
}
