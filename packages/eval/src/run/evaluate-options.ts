import type { RetryPolicy, RolloutClient } from '@art/rollout';
import { ArtError, checkOptionNames, describeValue, type JsonObject, optionNames } from '@art/protocol';
import type { PriceTable } from '../records/run-record.ts';
import type { SampleRecord } from '../records/sample-record.ts';
import type { StatusRecord } from '../records/status-record.ts';
import type { Tasks } from '../tasks/task-source.ts';
import { checkPrices } from './costs.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import type { Judge } from './judge.ts';

/** Options of `evaluate`. */
export interface EvaluateOptions {
  /** What is evaluated. */
  agent: EvaluatedAgent | RolloutClient;
  /** A path (JSON lines, CSV, a folder, a module), a list, or an async iterable. */
  tasks: Tasks;
  /** How often each task is tried. @default 1 */
  samples?: number | undefined;
  /** Judges each sample. @default the agent's own `rewards` */
  reward?: Judge | undefined;
  /** Folder of the run. One that has a run in it is gone on with. @default `.art/evals/{time}` */
  folder?: string | undefined;
  /** What the run is called in reports. @default none */
  name?: string | undefined;
  /** Most sessions at once; can be changed while it runs. @default 16 */
  concurrency?: number | undefined;
  /** Longest time of a sample, in milliseconds. @default 900_000 */
  timeoutMs?: number | undefined;
  /** Most tasks that are taken. @default all */
  limit?: number | undefined;
  /** Further attempts by outcome. @default as `runBatch`: failures of the surroundings only */
  retry?: RetryPolicy | undefined;
  /** How many samples may be counted apart before the mean is not to be trusted: a number, or a share below 1. @default 0.1 */
  maxFailures?: number | undefined;
  /** Reward from which a sample counts as passed. @default 1 */
  passReward?: number | undefined;
  /** What a failure of the agent itself scores; null leaves such samples out. @default 0 */
  failureReward?: number | null | undefined;
  /** Seed of bootstrap and permutations. @default 0 */
  seed?: number | undefined;
  /** Most samples that are judged at once. @default 16 */
  judgeConcurrency?: number | undefined;
  /** Price of a million tokens by model. @default no costs */
  prices?: PriceTable | undefined;
  /** Kept in `run.json` as it is. No secrets. */
  notes?: JsonObject | undefined;
  /** Ends the run in order: its sessions are stopped, and it can be gone on with. `evaluate` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Whether `art ctl` can reach the run. @default true */
  control?: boolean | undefined;
  /** Told how far it is, at most every half a second. Must not throw. */
  onStatus?: ((status: StatusRecord) => void) | undefined;
  /** Told of every sample that is written down. Must not throw. */
  onSample?: ((record: SampleRecord) => void) | undefined;
  /** Told of things that a person should see. @default process.emitWarning */
  onNotice?: ((message: string) => void) | undefined;
}

/** Most sessions at once that a run can be given while it goes on. */
export const highestConcurrency = 10_000;

const names = optionNames<EvaluateOptions>({
  agent: true,
  tasks: true,
  samples: true,
  reward: true,
  folder: true,
  name: true,
  concurrency: true,
  timeoutMs: true,
  limit: true,
  retry: true,
  maxFailures: true,
  passReward: true,
  failureReward: true,
  seed: true,
  judgeConcurrency: true,
  prices: true,
  notes: true,
  signal: true,
  control: true,
  onStatus: true,
  onSample: true,
  onNotice: true,
});

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkEvaluateOptions(options: EvaluateOptions): void {
  checkOptionNames('evaluate', options ?? {}, names);
  const client: unknown = 'client' in options.agent ? options.agent.client : options.agent;
  if (typeof (client as Partial<RolloutClient> | undefined)?.runBatch !== 'function')
    refuse('agent', 'a RolloutClient, or { client } as localAgent() makes it', options.agent);
  checkWhole('samples', options.samples, 1_000_000);
  checkWhole('concurrency', options.concurrency, highestConcurrency);
  checkWhole('judgeConcurrency', options.judgeConcurrency, highestConcurrency);
  checkWhole('limit', options.limit, Number.MAX_SAFE_INTEGER);
  for (const name of ['passReward', 'seed'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && !Number.isFinite(value)) refuse(name, 'a finite number', value);
  }
  const { failureReward, maxFailures, reward } = options;
  if (failureReward !== undefined && failureReward !== null && !Number.isFinite(failureReward))
    refuse('failureReward', 'a finite number or null', failureReward);
  if (maxFailures !== undefined && !(maxFailures >= 0))
    refuse('maxFailures', 'a number of samples, or a share below 1', maxFailures);
  if (reward !== undefined && typeof reward !== 'function' && typeof reward?.compute !== 'function')
    refuse('reward', 'a RewardFunction or a function', reward);
  checkPrices(options.prices);
}

function checkWhole(name: string, value: unknown, most: number): void {
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > most)
    refuse(name, `a whole number from 1 to ${most}`, value);
}

function refuse(name: string, expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${name} to be ${expected}, got ${describeValue(got)}.`,
  });
}
