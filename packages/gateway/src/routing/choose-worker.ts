import type { StickySessions } from './sticky-sessions.ts';
import type { Worker } from './worker.ts';

/** What a worker is chosen by. */
export interface WorkerChoice {
  /** Those that may be asked. */
  candidates: readonly Worker[];
  sessionId: string | undefined;
  sticky: StickySessions;
}

/**
 * The worker for a call: the one that the session had, else the least loaded for its weight. Among equally loaded ones the
 * one with the fewest sessions, so that sessions which arrive one by one spread as well.
 */
export function chooseWorker({ candidates, sessionId, sticky }: WorkerChoice): Worker | undefined {
  if (sessionId !== undefined) {
    const url = sticky.get(sessionId);
    const known = url === undefined ? undefined : candidates.find((worker) => worker.url === url);
    if (known !== undefined) return known;
  }
  let best: Worker | undefined;
  for (const worker of candidates) {
    if (best === undefined || isLessLoaded(worker, best, sticky)) best = worker;
  }
  if (best !== undefined && sessionId !== undefined) sticky.set(sessionId, best.url);
  return best;
}

function isLessLoaded(one: Worker, other: Worker, sticky: StickySessions): boolean {
  const load = one.activeCalls / one.weight - other.activeCalls / other.weight;
  if (load !== 0) return load < 0;
  return sticky.countOf(one.url) / one.weight < sticky.countOf(other.url) / other.weight;
}
