import { type RetryPolicy, type RolloutClient, RunBudget } from '@art/rollout';
import {
  aFunction,
  aNumber,
  unchecked,
  custom,
  isJsonObject,
  type JsonObject,
  optional,
  type OptionRules,
  readMember,
  readOptions,
} from '@art/ground';
import { highestConcurrency } from '../control/highest-concurrency.ts';
import { aPriceTable, type PriceTable } from '@art/protocol';
import type { SampleRecord } from '@art/trajectories';
import type { StatusRecord } from '../records/status-record.ts';
import { isReducer } from '../statistics/reduce-scores.ts';
import type { DataOptions } from '../tasks/open-task-file.ts';
import type { TaskSelection } from '../tasks/task-selection.ts';
import type { Tasks } from '../tasks/task-source.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import type { Judge } from './judge.ts';

/** Options of `evaluate`. */
export interface EvaluateOptions {
  /** Agent that is evaluated. */
  agent: EvaluatedAgent | RolloutClient;
  /** A path (JSON lines, CSV, TSV, Parquet, a folder, a module), a list, or an async iterable. */
  tasks: Tasks;
  /** How the data at a path is read: names of its columns, and the split. @default as it is */
  data?: DataOptions | undefined;
  /** How often each task is tried. @default 1 */
  samples?: number | undefined;
  /** Judges each sample. @default the agent's own `rewards` */
  reward?: Judge | undefined;
  /** Folder of the run. One that has a run in it is gone on with. @default `.art/evals/{time}` */
  folder?: string | undefined;
  /** Name of the run in reports. @default none */
  name?: string | undefined;
  /** Most sessions at once; can be changed while it runs. @default 16 */
  concurrency?: number | undefined;
  /** Longest time of a sample, in milliseconds. @default 900_000 */
  timeoutMs?: number | undefined;
  /** Most tasks that are taken, from the first one on. @default all */
  limit?: number | undefined;
  /** Which tasks are taken. A run that continues needs the same. @default all */
  select?: TaskSelection | undefined;
  /**
   * Texts that replace prompts of the agent, by their names; the agent reads them by `context.prompt`. A run that continues
   * keeps its own. @default those in its code
   */
  prompts?: Readonly<Record<string, string>> | undefined;
  /**
   * Question at whose answer the run ends: `mean >= 0.8`, `pass@1 > 70%`, `difference from FOLDER > 0` or `width < 0.05`. Tasks are asked in an
   * order drawn by `seed`. @default none: all tasks are asked
   */
  until?: string | undefined;
  /** Least and greatest reward that a task can give, for `until`. @default [0, 1] */
  rewardRange?: readonly [number, number] | undefined;
  /** Further attempts by outcome. @default as `runBatch`: failures of the infrastructure only */
  retry?: RetryPolicy | undefined;
  /** How many samples may be excluded before the mean is not to be trusted: a number, or a share below 1. @default 0.1 */
  maxFailures?: number | undefined;
  /** Reward from which a sample counts as passed. @default 1 */
  passReward?: number | undefined;
  /**
   * Name of the rule that makes the score of a task of its samples: `mean`, `median`, `mode` or `at-least:2`, which is 1 where at least two samples pass. pass@k and
   * metrics stay those of samples. A run that continues keeps its own. @default 'mean'
   */
  reduce?: string | undefined;
  /** Score of a failure of the agent itself; null leaves such samples out. @default 0 */
  failureReward?: number | null | undefined;
  /** Seed of the tasks that `select.draw` draws. @default 0 */
  seed?: number | undefined;
  /** Most samples that are judged at once. @default 16 */
  judgeConcurrency?: number | undefined;
  /** Price of a million tokens by model. @default no costs */
  prices?: PriceTable | undefined;
  /**
   * The most that the run may spend on its model, in all of its processes: `200 calls`, `20000 tokens`, `600 seconds`, `5usd`. At most the
   * calls under way go beyond it; then the run ends, and can be gone on with. Needs a gateway. @default no bound
   */
  ceiling?: readonly string[] | undefined;
  /** The same for each sample. One that wants more ends as `ceiling`, and counts `failureReward`. @default no bound */
  sampleCeiling?: readonly string[] | undefined;
  /** In place of both: the budget of several runs together. @default none */
  sharedBudget?: RunBudget | undefined;
  /** Kept in `run.json` as it is. No secrets. */
  notes?: JsonObject | undefined;
  /** Ends the run in order: its sessions are stopped, and it can be gone on with. `evaluate` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** True if `art ctl` can reach the run. @default true */
  control?: boolean | undefined;
  /** Called with the progress, at most every half a second. Must not throw. */
  onStatus?: ((status: StatusRecord) => void) | undefined;
  /** Called with every sample that is written down. Must not throw. */
  onSample?: ((record: SampleRecord) => void) | undefined;
  /** Called with things that a person should see. @default process.emitWarning */
  onNotice?: ((message: string) => void) | undefined;
}

const aCount = (max: number) => optional(aNumber({ min: 1, max, integer: true }));

const rules = {
  agent: custom('a RolloutClient, or { client } as localAgent() makes it', isAgent),
  tasks: unchecked(),
  data: unchecked(),
  samples: aCount(1_000_000),
  reward: optional(custom('a RewardFunction or a function', isJudge)),
  folder: unchecked(),
  name: unchecked(),
  concurrency: aCount(highestConcurrency),
  timeoutMs: unchecked(),
  limit: aCount(Number.MAX_SAFE_INTEGER),
  select: unchecked(),
  prompts: optional(custom('an object of texts', isTexts)),
  until: optional(custom('a text such as "mean >= 0.8"', (value) => typeof value === 'string')),
  rewardRange: optional(custom('the least and the greatest reward', isRange)),
  retry: unchecked(),
  maxFailures: optional(
    custom('a number of samples, or a share below 1', (value) => typeof value === 'number' && value >= 0),
  ),
  passReward: optional(aNumber()),
  reduce: optional(custom('"mean", "median", "mode" or "at-least:2"', isReducer)),
  failureReward: optional(
    custom('a finite number or null', (value) => value === null || Number.isFinite(value)),
  ),
  seed: optional(aNumber()),
  judgeConcurrency: aCount(highestConcurrency),
  prices: optional(aPriceTable),
  ceiling: unchecked(),
  sampleCeiling: unchecked(),
  sharedBudget: optional(custom('a RunBudget of @art/rollout', (value) => value instanceof RunBudget)),
  notes: unchecked(),
  signal: unchecked(),
  control: unchecked(),
  onStatus: optional(aFunction()),
  onSample: optional(aFunction()),
  onNotice: optional(aFunction()),
} satisfies OptionRules<EvaluateOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkEvaluateOptions(options: EvaluateOptions): void {
  readOptions('evaluate', options, rules);
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [least, greatest] = value as unknown[];
  return Number.isFinite(least) && Number.isFinite(greatest) && (least as number) < (greatest as number);
}

function isTexts(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isAgent(value: unknown): boolean {
  return [value, readMember(value, 'client')].some(
    (client) => typeof readMember(client, 'runBatch') === 'function',
  );
}

function isJudge(value: unknown): boolean {
  return typeof value === 'function' || typeof readMember(value, 'compute') === 'function';
}
