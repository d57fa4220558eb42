import type { Trace } from '../traces/trace.ts';

/** In which order an agent got its answers. */
export interface CallOrder {
  /** Place of each answer by the arrival of its call, from 0. Undefined for what never reached the agent as a whole. */
  placeOf: (trace: Trace) => number | undefined;
  /** How many answers that is. */
  answered: number;
  /** Answers to calls that were made before the answer to an earlier call was there: which came first says nothing of them. */
  parallel: number;
}

// Arrival is in whole milliseconds of one clock, latency comes from another.
const clockErrorMs = 2;

/** Orders the answers of a session. Every choice of a call with several is an answer, and parallel to the others. */
export function callOrder(traces: readonly Trace[]): CallOrder {
  const answered = traces
    .filter(({ capture }) => capture !== 'partial')
    .toSorted((a, b) => a.timestampMs - b.timestampMs);
  const places = new Map(answered.map((trace, place) => [trace, place]));
  let parallel = 0;
  let lastEndMs = -Infinity;
  for (const { timestampMs, latencyMs, choiceIndex } of answered) {
    if (choiceIndex > 0 || timestampMs + clockErrorMs < lastEndMs) parallel += 1;
    lastEndMs = Math.max(lastEndMs, timestampMs + latencyMs);
  }
  return { placeOf: (trace) => places.get(trace), answered: answered.length, parallel };
}
