import { hostname } from 'node:os';
import type { ResultsRecord } from '../records/results-record.ts';
import type { SampleRecord } from '../records/sample-record.ts';
import { type LiveSample, type StatusRecord, writeStatus } from '../records/status-record.ts';
import { apartOf, apartReason } from '../results/apart.ts';
import type { Gate } from './gate.ts';
import type { SampleLife } from './sample-life.ts';

const everyMs = 500;
const mostLive = 1_000;

/** Keeps `status.json` as it is, and tells it. */
export class StatusTeller {
  readonly #folder: string;
  readonly #gate: Gate;
  readonly #lives: ReadonlyMap<number, SampleLife>;
  readonly #onStatus: ((status: StatusRecord) => void) | undefined;
  readonly #base: Pick<StatusRecord, 'schema' | 'runId' | 'pid' | 'host' | 'startedAtMs'>;
  readonly #timer: NodeJS.Timeout;
  readonly #counts: Pick<
    StatusRecord,
    'done' | 'outcomes' | 'scored' | 'retried' | 'throttled' | 'tokens' | 'cost'
  >;
  readonly #apart: Record<string, number> = {};
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
    gate: Gate;
    lives: ReadonlyMap<number, SampleLife>;
    onStatus: ((status: StatusRecord) => void) | undefined;
  }) {
    this.#folder = init.folder;
    this.#gate = init.gate;
    this.#lives = init.lives;
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
    this.#timer = setInterval(() => this.#tell(), everyMs);
    this.#timer.unref();
    this.#tell();
  }

  get current(): StatusRecord {
    const { done, outcomes, scored } = this.#counts;
    return {
      ...this.#base,
      ...this.#counts,
      outcomes: { ...outcomes },
      state: this.#state === 'running' && this.#gate.isPaused ? 'paused' : this.#state,
      updatedAtMs: Date.now(),
      total: this.total,
      done,
      meanScore: scored === 0 ? null : this.#scoreSum / scored,
      concurrency: this.#gate.limit,
      judging: this.judging,
      ...this.#underWay(),
    };
  }

  /** What could not be judged so far. */
  apart(limit: number): { apart: ResultsRecord['apart']; recorded: number } {
    const { done } = this.#counts;
    return { apart: apartOf(this.#apart, done, limit), recorded: done };
  }

  /** Counts a line, of this process or of an earlier one. */
  add({ outcome, score, judgeError, attempts, tokens, cost }: SampleRecord): void {
    const counts = this.#counts;
    counts.done += 1;
    counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + 1;
    counts.retried += Math.max(0, attempts.length - 1);
    for (const { throttled } of attempts) counts.throttled += throttled;
    counts.tokens.prompt += tokens?.prompt ?? 0;
    counts.tokens.completion += tokens?.completion ?? 0;
    if (counts.cost !== null) counts.cost += cost ?? 0;
    if (score === null) {
      const reason = apartReason(outcome, judgeError?.code);
      this.#apart[reason] = (this.#apart[reason] ?? 0) + 1;
      return;
    }
    counts.scored += 1;
    this.#scoreSum += score;
  }

  stopping(): void {
    this.#state = 'stopping';
    this.#tell();
  }

  /** Writes the last one. */
  async end(state: 'finished' | 'interrupted'): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    this.#state = state;
    this.#onStatus?.(this.current);
    await writeStatus(this.#folder, this.current);
  }

  #tell(): void {
    const { current } = this;
    this.#onStatus?.(current);
    // One that is slow to write must not be overtaken by the next.
    this.#writing ??= writeStatus(this.#folder, current)
      .catch(() => undefined)
      .finally(() => {
        this.#writing = undefined;
      });
  }

  #underWay(): Pick<StatusRecord, 'atWork' | 'live'> {
    const live: LiveSample[] = [];
    let atWork = 0;
    for (const life of this.#lives.values()) {
      if (life.live === undefined) continue;
      atWork += 1;
      if (live.length < mostLive) live.push({ ...life.live });
    }
    return { atWork, live };
  }
}
