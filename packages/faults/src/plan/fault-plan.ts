import type { Fault } from './fault.ts';
import type { FaultOperation } from './fault-target.ts';

/** Which requests a rule looks at. What is left out does not matter. */
export interface FaultMatch {
  operation: FaultOperation | readonly FaultOperation[];
  /** Name of the agent. */
  agent?: string | undefined;
  /**
   * The number of the session, in the order in which session ids appeared (0 is the first), or its id, in which `*` stands
   * for any text. An S3 request belongs to the session whose id is in its key.
   */
  session?: number | string | undefined;
  /** Beginning of the object's key; of the prefix that is listed for `s3_list`. S3 operations only. */
  keyPrefix?: string | undefined;
}

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
