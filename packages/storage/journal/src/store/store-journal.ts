import {
  backgroundClock,
  type Clock,
  aNumber,
  unchecked,
  aText,
  matching,
  optional,
  type OptionRules,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';
import { type CallOptions } from '@art/protocol';
import type { ResultStore } from '@art/store';
import { claimRun, heldBy } from '../log/claim-run.ts';
import { createRun, openHeldRun } from '../log/held-run.ts';
import { runNotFound } from '../log/journal-refusal.ts';
import type { HeldBy, LineLog, RolloutJournal } from '../log/rollout-journal.ts';
import { checkRunId, isRunId } from '../records/run-id.ts';
import { RunKeys, beatsPerLease, type StoreSettings } from './run-keys.ts';

export interface StoreJournalOptions {
  store: ResultStore;
  bucket: string;
  /**
   * Beginning of its keys; outside every experiment, so that no listing of results meets them. @default '.art/journals'
   */
  prefix?: string | undefined;
  /**
   * How long a record gathers others before they are stored together, in milliseconds: it delays the start of a rollout,
   * and each write is a PUT. @default 250
   */
  commitIntervalMs?: number | undefined;
  /** How long a write that fails is tried again before the run is ended, in milliseconds. @default 60_000 */
  giveUpMs?: number | undefined;
  /**
   * How long a process on another machine must give no sign of life before its run can be claimed, in milliseconds. A
   * third of it is how often a holder that writes nothing gives one. Must be the same for all. @default 30_000
   */
  leaseMs?: number | undefined;
  /** Time, for tests. @default the system's */
  clock?: Clock | undefined;
}

// Lines that nobody awaits are usually flushed with lines that somebody awaits.
const lingerPerCommit = 4;

const rules = {
  store: withMethod('a ResultStore', 'put'),
  bucket: aText,
  prefix: optional(
    matching('letters, digits, ".", "_", "-" and slashes between them', /^[\w.-]+(\/[\w.-]+)*$/),
    '.art/journals',
  ),
  commitIntervalMs: optional(aNumber({ min: 0 }), 250),
  giveUpMs: optional(aNumber({ above: 0 }), 60_000),
  leaseMs: optional(aNumber({ above: 0 }), 30_000),
  clock: optional(unchecked<Clock>(), backgroundClock),
} satisfies OptionRules<StoreJournalOptions>;

/**
 * A journal in a result store, so that another machine can resume. A run is a series of numbered segments, each stored
 * only where its number is free: who stores the next number owns the run, and a former owner that wakes up finds it taken.
 */
export class StoreJournal implements RolloutJournal {
  readonly #prefix: string;
  readonly #settings: StoreSettings;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: StoreJournalOptions) {
    const { prefix, commitIntervalMs, ...settings } = readOptions('StoreJournal', options, rules);
    this.#prefix = prefix;
    this.#settings = {
      ...settings,
      gatherMs: commitIntervalMs,
      lingerMs: commitIntervalMs * lingerPerCommit,
      upkeepMs: settings.leaseMs / beatsPerLease,
    };
  }

  async create(runId: string, lines: readonly string[], options: CallOptions = {}): Promise<LineLog> {
    return createRun(this.#run(runId), lines, this.#settings, options);
  }

  async open(runId: string, options: CallOptions = {}): Promise<LineLog> {
    return openHeldRun(this.#run(runId), this.#settings, options);
  }

  async *read(runId: string, options: CallOptions = {}): AsyncGenerator<readonly string[], void, undefined> {
    const run = this.#run(runId);
    if (!(await run.exists(options))) throw runNotFound(runId, run.where);
    yield* run.read(options);
  }

  async heldBy(runId: string, options: CallOptions = {}): Promise<HeldBy | undefined> {
    return heldBy(this.#run(runId), options);
  }

  /** @throws ArtError `ART_INVALID_OPTION` where the store cannot list. */
  async list(options: CallOptions = {}): Promise<string[]> {
    const { store, bucket } = this.#settings;
    if (store.list === undefined) refuseOption('store', 'one that can list, to find its runs', store);
    const runs: string[] = [];
    let startAfter = `${this.#prefix}/`;
    for (;;) {
      // One key of each run is enough; the next listing begins behind all of them.
      const page = await store.list({ bucket, prefix: `${this.#prefix}/`, startAfter, limit: 1 }, options);
      const [key] = page.keys;
      if (key === undefined) break;
      const runId = key.slice(this.#prefix.length + 1).split('/')[0] ?? '';
      startAfter = `${this.#prefix}/${runId}/~`;
      if (isRunId(runId) && (await this.#run(runId).exists(options))) runs.push(runId);
    }
    return runs.toSorted();
  }

  /**
   * Marks a run as removed; it is no longer found. A result store cannot delete: let a lifecycle rule of the bucket remove
   * what is older than you need under the prefix.
   */
  async remove(runId: string, options: CallOptions = {}): Promise<void> {
    const run = this.#run(runId);
    await claimRun(run, this.#settings, options);
    await run.markRemoved(options);
  }

  #run(runId: string): RunKeys {
    checkRunId(runId);
    return new RunKeys(runId, this.#prefix, this.#settings);
  }
}
