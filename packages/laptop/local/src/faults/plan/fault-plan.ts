import type { Fault } from './fault.ts';
import type { FaultMatch } from './fault-target.ts';

/**
 * One thing that goes wrong, and when. The requests that match `when`, inside of `betweenMs`, are counted from 1; the number
 * of a request decides with the seed alone, so the same sequence of requests meets the same faults.
 */
export interface FaultRule {
  /** Shown where the rule strikes. @default `rule 1`, by its place in the list from 0 */
  name?: string | undefined;
  when: FaultMatch;
  fault: Fault;
  /** Chance of each matching request. @default 1 */
  probability?: number | undefined;
  /** Only each n-th match: with 3 the third, the sixth ... @default 1 */
  every?: number | undefined;
  /** Only the match of this number, or of these. @default all */
  nth?: number | readonly number[] | undefined;
  /** A match that is chosen takes the matches behind it along, so many in all: a storm. @default 1 */
  burst?: number | undefined;
  /** Most times that the rule strikes. @default no limit */
  count?: number | undefined;
  /** Only while the plan is so old: from, inclusive, to, exclusive. @default always */
  betweenMs?: readonly [number, number] | undefined;
}

/**
 * Faults that a local runtime is to inject; plain data, the same in code and in a JSON file. One request meets at most one:
 * that of the first rule in the list that strikes.
 */
export interface FaultPlan {
  /** Any whole number; another one gives another run. */
  seed: number;
  rules: readonly FaultRule[];
}
