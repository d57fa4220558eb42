import { type EvaluateOptions, isGoalOfBoth, type Tasks } from '@art/eval';
import {
  aFunction,
  aNumber,
  anyObject,
  custom,
  aText,
  type JsonObject,
  optional,
  type OptionRules,
  readOptions,
  type ReadOptions,
  unchecked,
} from '@art/ground';
import type { ChatModelOptions } from '@art/reward/judge';
import type { ImproveStatus } from './improve-status.ts';
import type { IterationRecord } from './iteration-record.ts';

/** Options of `evaluate` that every evaluation of a search has. */
type Evaluating = Pick<
  EvaluateOptions,
  | 'agent'
  | 'reward'
  | 'concurrency'
  | 'judgeConcurrency'
  | 'timeoutMs'
  | 'failureReward'
  | 'prices'
  | 'ceiling'
  | 'sampleCeiling'
  | 'control'
  | 'signal'
  | 'onSample'
  | 'onNotice'
  | 'data'
  | 'rewardRange'
>;

/** Options of `improve`. */
export interface ImproveOptions extends Evaluating {
  /** Tasks that the agent learns from: a path, a list or an async iterable, as for `evaluate`. */
  tasks: Tasks;
  /** Candidates are selected by these. @default half of `tasks`, drawn by the seed; the other half is learnt from */
  validation?: Tasks | undefined;
  /** The best prompts are compared with those in the code on these, at the end. @default no comparison */
  heldOut?: Tasks | undefined;
  /**
   * Question at whose answer the comparison on the held-out tasks ends, both prompts side by side: `difference > 0`. Candidates are measured on all
   * validation tasks: each stays in the search for the tasks on which it is the best one, which nobody knows of a task that was left out.
   * @default all held-out tasks are asked
   */
  until?: string | undefined;
  /** The reflecting model, which rewrites prompts. */
  reflect: ChatModelOptions;
  /** Most rollouts, those on held-out tasks included. A search that continues can have a larger one. */
  budget: number;
  /** Folder of the search. One that has a search in it is gone on with. */
  folder: string;
  /** Tasks by which a child is compared with its parent. @default 3 */
  minibatch?: number | undefined;
  /** Seed of the split of the tasks, the minibatches and the selection. @default 0 */
  seed?: number | undefined;
  /** Reward from which a sample counts as passed; of a minibatch that passed, nothing can be learnt. @default 1 */
  passReward?: number | undefined;
  /** Kept in `improve.json` as it is. No secrets. */
  notes?: JsonObject | undefined;
  /** Called with the progress. Must not throw. */
  onStatus?: ((status: ImproveStatus) => void) | undefined;
  /** Called with every iteration that is written down. Must not throw. */
  onIteration?: ((record: IterationRecord) => void) | undefined;
}

const rules = {
  agent: unchecked<EvaluateOptions['agent']>(),
  reward: unchecked<EvaluateOptions['reward']>(),
  concurrency: unchecked<number | undefined>(),
  judgeConcurrency: unchecked<number | undefined>(),
  timeoutMs: unchecked<number | undefined>(),
  failureReward: unchecked<number | null | undefined>(),
  prices: unchecked<EvaluateOptions['prices']>(),
  ceiling: unchecked<EvaluateOptions['ceiling']>(),
  sampleCeiling: unchecked<EvaluateOptions['sampleCeiling']>(),
  control: unchecked<boolean | undefined>(),
  signal: unchecked<AbortSignal | undefined>(),
  onSample: unchecked<EvaluateOptions['onSample']>(),
  onNotice: unchecked<EvaluateOptions['onNotice']>(),
  tasks: unchecked<Tasks>(),
  data: unchecked<EvaluateOptions['data']>(),
  validation: unchecked<Tasks | undefined>(),
  heldOut: unchecked<Tasks | undefined>(),
  until: optional(custom('a goal of both prompts such as "difference > 0"', isGoal)),
  rewardRange: unchecked<EvaluateOptions['rewardRange']>(),
  reflect: anyObject<ChatModelOptions>(),
  budget: aNumber({ min: 1, integer: true }),
  folder: aText,
  minibatch: optional(aNumber({ min: 1, max: 10_000, integer: true }), 3),
  seed: optional(aNumber({ min: 0, max: 2 ** 32 - 1, integer: true }), 0),
  passReward: optional(aNumber(), 1),
  notes: unchecked<JsonObject | undefined>(),
  onStatus: optional(aFunction<NonNullable<ImproveOptions['onStatus']>>()),
  onIteration: optional(aFunction<NonNullable<ImproveOptions['onIteration']>>()),
} satisfies OptionRules<ImproveOptions>;

/** @throws ArtError `ART_INVALID_OPTION`. What belongs to `evaluate` is checked there, before anything is sent */
export function readImproveOptions(options: ImproveOptions): ReadOptions<typeof rules> {
  return readOptions('improve', options, rules);
}

function isGoal(value: unknown): value is string {
  return typeof value === 'string' && isGoalOfBoth(value);
}
