import { hostname } from 'node:os';
import { sumOfKnown } from '@art/ground/figures';
import type { RunHandle } from '@art/rollout';
import type { ResultsRecord } from '../records/results-record.ts';
import type { SampleRecord } from '@art/trajectories';
import { type StatusRecord, writeStatus } from '../records/status-record.ts';
import { excludedSamples, exclusionReason } from '../results/excluded-samples.ts';
import type { MissingSample } from './missing-samples.ts';

const everyMs = 500;
const mostLive = 1_000;

/** Members of the run that are reported. */
export type ReportedRun = Pick<RunHandle<unknown>, 'limit' | 'isPaused' | 'progress' | 'activeAttempts'>;

/** Keeps `status.json` up to date, and reports it. */
export class StatusReporter {
  readonly #folder: string;
  readonly #run: ReportedRun;
  readonly #samples: ReadonlyMap<string, MissingSample>;
  readonly #onStatus: ((status: StatusRecord) => void) | undefined;
  readonly #base: Pick<StatusRecord, 'schema' | 'runId' | 'pid' | 'host' | 'startedAtMs'>;
  readonly #timer: NodeJS.Timeout;
  readonly #counts: Pick<
    StatusRecord,
    'done' | 'outcomes' | 'scored' | 'retried' | 'throttled' | 'tokens' | 'cost'
  >;
  readonly #excluded: Record<string, number> = {};
  #scoreSum = 0;
  #writing: Promise<void> | undefined;
  #state: StatusRecord['state'] = 'running';
  /** Samples that are being judged. */
  judging = 0;
  total: number | null;

  constructor(init: {
    folder: string;
    runId: string;
    total: number | null;
    hasPrices: boolean;
    run: ReportedRun;
    /** Under way, by the ids of their items. */
    samples: ReadonlyMap<string, MissingSample>;
    onStatus: ((status: StatusRecord) => void) | undefined;
  }) {
    this.#folder = init.folder;
    this.#run = init.run;
    this.#samples = init.samples;
    this.#onStatus = init.onStatus;
    this.total = init.total;
    const { runId } = init;
    this.#base = {
      schema: 'art.status.v1',
      runId,
      pid: process.pid,
      host: hostname(),
      startedAtMs: Date.now(),
    };
    this.#counts = {
      done: 0,
      outcomes: {},
      scored: 0,
      retried: 0,
      throttled: 0,
      tokens: { prompt: 0, completion: 0 },
      cost: init.hasPrices ? 0 : null,
    };
    this.#timer = setInterval(() => this.#report(), everyMs);
    this.#timer.unref();
    this.#report();
  }

  get current(): StatusRecord {
    const { done, outcomes, scored } = this.#counts;
    return {
      ...this.#base,
      ...this.#counts,
      outcomes: { ...outcomes },
      state: this.#state === 'running' && this.#run.isPaused ? 'paused' : this.#state,
      updatedAtMs: Date.now(),
      total: this.total,
      done,
      meanScore: scored === 0 ? null : this.#scoreSum / scored,
      concurrency: this.#run.limit,
      judging: this.judging,
      ...this.#underWay(),
    };
  }

  /** Samples that could not be judged so far. */
  excluded(limit: number): { excluded: ResultsRecord['excluded']; recorded: number } {
    const { done } = this.#counts;
    return { excluded: excludedSamples(this.#excluded, done, limit), recorded: done };
  }

  /** Counts a line, of this process or of an earlier one. */
  add({ outcome, score, judgeError, attempts, tokens, cost }: SampleRecord): void {
    const counts = this.#counts;
    counts.done += 1;
    counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + 1;
    counts.retried += Math.max(0, attempts.length - 1);
    for (const { throttled } of attempts) counts.throttled += throttled;
    counts.tokens &&= tokens && {
      prompt: counts.tokens.prompt + tokens.prompt,
      completion: counts.tokens.completion + tokens.completion,
    };
    counts.cost = sumOfKnown([counts.cost, cost]);
    if (score === null) {
      const reason = exclusionReason(outcome, judgeError?.code);
      this.#excluded[reason] = (this.#excluded[reason] ?? 0) + 1;
      return;
    }
    counts.scored += 1;
    this.#scoreSum += score;
  }

  stopping(): void {
    this.#state = 'stopping';
    this.#report();
  }

  /** Writes the last one. */
  async end(state: 'finished' | 'interrupted'): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    this.#state = state;
    this.#onStatus?.(this.current);
    await writeStatus(this.#folder, this.current);
  }

  #report(): void {
    const { current } = this;
    this.#onStatus?.(current);
    // A write that is slow must not be overtaken by the next.
    this.#writing ??= writeStatus(this.#folder, current)
      .catch(() => undefined)
      .finally(() => {
        this.#writing = undefined;
      });
  }

  #underWay(): Pick<StatusRecord, 'atWork' | 'live'> {
    const live = this.#run.activeAttempts(mostLive).flatMap(({ id, attempt, sessionId, timings }) => {
      const known = this.#samples.get(id);
      if (known === undefined) return [];
      const { submittedAtMs, acceptedMs = null, noticedMs = null } = timings;
      const { task, sample } = known;
      return [{ taskId: task.id, sample, attempt, sessionId, submittedAtMs, acceptedMs, noticedMs }];
    });
    return { atWork: live.length < mostLive ? live.length : this.#run.progress.active, live };
  }
}
