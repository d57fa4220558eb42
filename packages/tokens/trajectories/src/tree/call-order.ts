import type { Capture } from '../captures/capture.ts';

/** In which order an agent got its answers. */
export interface CallOrder {
  /** Place of each answer by the arrival of its call, from 0. Undefined for what never reached the agent as a whole. */
  placeOf: (capture: Capture) => number | undefined;
  /** How many answers that is. */
  answered: number;
  /** Answers to calls that were made before the answer to an earlier call was there: which came first says nothing of them. */
  parallel: number;
}

// Arrival is in whole milliseconds of one clock, latency comes from another.
const clockErrorMs = 2;

/** Orders the answers of a session. Every choice of a call with several is an answer, and parallel to the others. */
export function callOrder(captures: readonly Capture[]): CallOrder {
  const answered = captures
    .filter(({ status }) => status !== 'partial')
    .toSorted((a, b) => a.timestampMs - b.timestampMs);
  const places = new Map(answered.map((capture, place) => [capture, place]));
  let parallel = 0;
  let lastEndMs = -Infinity;
  for (const { timestampMs, latencyMs, choiceIndex } of answered) {
    if (choiceIndex > 0 || timestampMs + clockErrorMs < lastEndMs) parallel += 1;
    lastEndMs = Math.max(lastEndMs, timestampMs + latencyMs);
  }
  return { placeOf: (capture) => places.get(capture), answered: answered.length, parallel };
}
