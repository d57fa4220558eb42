import type { Fault, FaultMatch, FaultPlan, FaultRule } from '@art/local/faults';
import { SeededRandom } from '../seeded-random.ts';

/** Id that results of a run are stored under: only these may be hidden or forgotten; a journal that a store forgets is gone. */
export const chaosExpId = 'chaos';

interface Mood {
  when: FaultMatch;
  fault: Fault;
  /** Chance of a match, least and most. */
  probability: readonly [number, number];
  burst?: number;
}

const invoke: FaultMatch = { operation: 'invoke' };
const stop: FaultMatch = { operation: 'stop' };
const result: FaultMatch = { operation: 's3_put', keyPrefix: `${chaosExpId}/` };
const reads: FaultMatch = { operation: ['s3_get', 's3_head', 's3_list'] };

const sessionMoods: readonly Mood[] = [
  { when: { operation: 'start' }, fault: { kind: 'kill', afterMs: [0, 600] }, probability: [0.05, 0.3] },
  { when: invoke, fault: { kind: 'kill', moment: 'before' }, probability: [0.05, 0.2] },
  { when: invoke, fault: { kind: 'kill', afterMs: [0, 1_500] }, probability: [0.1, 0.6] },
  { when: result, fault: { kind: 'kill', moment: 'before' }, probability: [0.1, 0.4] },
  { when: result, fault: { kind: 'kill', moment: 'after' }, probability: [0.1, 0.4] },
  { when: invoke, fault: { kind: 'drop', moment: 'before' }, probability: [0.01, 0.1] },
  { when: invoke, fault: { kind: 'drop', moment: 'after' }, probability: [0.01, 0.1] },
  { when: invoke, fault: { kind: 'delay', ms: [50, 2_500] }, probability: [0.1, 0.5] },
  { when: invoke, fault: { kind: 'delay', ms: [50, 2_500], moment: 'after' }, probability: [0.1, 0.5] },
  { when: invoke, fault: { kind: 'duplicate', copies: 2 }, probability: [0.2, 0.9] },
  { when: invoke, fault: { kind: 'reset', moment: 'before' }, probability: [0.1, 0.5] },
  { when: invoke, fault: { kind: 'reset', moment: 'after' }, probability: [0.1, 0.5] },
  {
    when: invoke,
    fault: { kind: 'error', status: 429, retryAfterMs: 1_000 },
    probability: [0.05, 0.2],
    burst: 6,
  },
  { when: invoke, fault: { kind: 'error', status: 402 }, probability: [0.05, 0.2], burst: 4 },
  { when: invoke, fault: { kind: 'error', status: 409 }, probability: [0.1, 0.4] },
  { when: invoke, fault: { kind: 'error', status: 424 }, probability: [0.02, 0.1] },
  { when: invoke, fault: { kind: 'error', status: 503 }, probability: [0.1, 0.4], burst: 3 },
  { when: invoke, fault: { kind: 'error', status: 500, moment: 'after' }, probability: [0.1, 0.4] },
  { when: invoke, fault: { kind: 'error', status: 504, moment: 'after' }, probability: [0.1, 0.4] },
  { when: stop, fault: { kind: 'drop', moment: 'before' }, probability: [0.02, 0.1] },
  { when: stop, fault: { kind: 'reset', moment: 'after' }, probability: [0.1, 0.5] },
  { when: stop, fault: { kind: 'error', status: 500 }, probability: [0.1, 0.5] },
  { when: stop, fault: { kind: 'error', status: 429 }, probability: [0.1, 0.5], burst: 3 },
  {
    when: { operation: 'ping' },
    fault: { kind: 'lose_pings', forMs: [1_000, 8_000] },
    probability: [0.02, 0.2],
  },
];

const storeMoods: readonly Mood[] = [
  { when: result, fault: { kind: 'forget' }, probability: [0.05, 0.3] },
  { when: result, fault: { kind: 'forget', afterMs: [100, 3_000] }, probability: [0.05, 0.3] },
  { when: result, fault: { kind: 'hide_from_lists', forMs: [300, 3_000] }, probability: [0.1, 0.7] },
  { when: result, fault: { kind: 'hide_from_reads', forMs: [300, 3_000] }, probability: [0.1, 0.5] },
  { when: result, fault: { kind: 'slow_body', bytesPerSecond: 20_000 }, probability: [0.05, 0.2] },
  {
    when: { operation: 's3_put' },
    fault: { kind: 'error', status: 503 },
    probability: [0.1, 0.5],
    burst: 3,
  },
  {
    when: { operation: 's3_put' },
    fault: { kind: 'error', status: 500, moment: 'after' },
    probability: [0.1, 0.4],
  },
  { when: { operation: 's3_put' }, fault: { kind: 'reset', moment: 'before' }, probability: [0.1, 0.4] },
  { when: { operation: 's3_put' }, fault: { kind: 'reset', moment: 'after' }, probability: [0.1, 0.4] },
  { when: { operation: 's3_put' }, fault: { kind: 'delay', ms: [50, 1_500] }, probability: [0.1, 0.5] },
  { when: result, fault: { kind: 'drop', moment: 'after' }, probability: [0.02, 0.1] },
  { when: reads, fault: { kind: 'error', status: 503 }, probability: [0.1, 0.5], burst: 3 },
  { when: reads, fault: { kind: 'error', status: 500 }, probability: [0.1, 0.4] },
  { when: reads, fault: { kind: 'reset' }, probability: [0.1, 0.4] },
  { when: reads, fault: { kind: 'delay', ms: [50, 1_500] }, probability: [0.1, 0.5] },
  { when: reads, fault: { kind: 'drop' }, probability: [0.01, 0.05] },
  {
    when: { operation: 's3_get', keyPrefix: `${chaosExpId}/` },
    fault: { kind: 'slow_body', bytesPerSecond: 100_000 },
    probability: [0.05, 0.2],
  },
];

/**
 * Plan of faults for one stretch of a round: some kinds of faults at a time, in rules that know only their seed.
 * @param rules how many of each side, sessions and store, least and most
 */
export function chaosFaultPlan(
  seed: number,
  round: number,
  step: number,
  [least, most]: readonly [number, number],
): FaultPlan {
  const random = new SeededRandom(seed, 'faults', round, step);
  const moods = [sessionMoods, storeMoods].flatMap((side) =>
    random.sample(side, random.integer(least, most)),
  );
  return { seed: random.integer(0, 2 ** 31), rules: moods.map((mood) => ruleOf(mood, random)) };
}

function ruleOf({ when, fault, probability: [least, most], burst }: Mood, random: SeededRandom): FaultRule {
  return { when, fault, probability: least + random.next() * (most - least), burst };
}
