import { Semaphore } from '@art/async';
import type { RolloutEvent } from '@art/rollout';
import { type RunRecord, writeRunRecord } from '../records/run-record.ts';
import { sampleId, type SampleRecord } from '../records/sample-record.ts';
import { readSamples, SamplesFile } from '../records/samples-file.ts';
import type { StatusRecord } from '../records/status-record.ts';
import type { Task } from '../tasks/task.ts';
import { type EvaluateOptions, highestConcurrency } from './evaluate-options.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import type { Gate } from './gate.ts';
import { isAgentFailure } from './score.ts';
import { rejudge } from './rejudge.ts';
import { SampleLife } from './sample-life.ts';
import { settleSample, type SettleParts } from './settle-sample.ts';
import { StatusTeller } from './status-teller.ts';

interface EvaluationInit {
  agent: EvaluatedAgent;
  folder: string;
  run: RunRecord;
  gate: Gate;
  signal: AbortSignal;
  /** Ends the run where it cannot be written down. */
  abort: (reason: unknown) => void;
}

/** One process's work on a run: sends what is missing, and writes down what comes back. */
export class Evaluation {
  readonly #options: EvaluateOptions;
  readonly #init: EvaluationInit;
  readonly #lives = new Map<number, SampleLife>();
  readonly #livesBySession = new Map<string, SampleLife>();
  /** Samples that are settled and not written down. */
  readonly #pending = new Set<Promise<void>>();
  readonly #teller: StatusTeller;
  readonly #judging: Semaphore;
  #record: RunRecord;

  constructor(options: EvaluateOptions, init: EvaluationInit) {
    this.#options = options;
    this.#init = init;
    this.#record = init.run;
    this.#judging = new Semaphore(options.judgeConcurrency ?? 16);
    const { run, gate, folder } = init;
    this.#teller = new StatusTeller({
      folder,
      runId: run.runId,
      total: run.tasks.count === null ? null : run.tasks.count * run.samples,
      hasPrices: run.prices !== null,
      gate,
      lives: this.#lives,
      onStatus: options.onStatus,
    });
  }

  get status(): StatusRecord {
    return this.#teller.current;
  }

  get record(): RunRecord {
    return this.#record;
  }

  /** @throws what ends the run before all samples are there; what was settled is written down before */
  async run(openTasks: () => AsyncIterable<Task>): Promise<void> {
    let state: 'finished' | 'interrupted' = 'interrupted';
    try {
      await using file = await SamplesFile.open(this.#init.folder);
      const done = await this.#readDone(file);
      try {
        await this.#send(openTasks, done, file);
      } catch (error) {
        this.#teller.stopping();
        throw error;
      } finally {
        await Promise.all(this.#pending);
      }
      this.#init.signal.throwIfAborted();
      state = 'finished';
    } finally {
      await this.#teller.end(state);
    }
  }

  /** Ids of the samples that are not run again. What only its judge spoilt is judged again here. */
  async #readDone(file: SamplesFile): Promise<Set<string>> {
    const { folder } = this.#init;
    const latest = new Map<string, SampleRecord>();
    for await (const { record } of readSamples(folder)) latest.set(record.id, record);
    const done = new Set<string>();
    for (const known of latest.values()) {
      let record = known;
      const { reward: judge } = this.#options;
      if (known.outcome === 'ok' && known.judgeError !== null && judge !== undefined) {
        const { failureReward } = this.#record;
        record = await rejudge(known, judge, { folder, failureReward, signal: this.#init.signal });
        await file.append(record);
      }
      // What the surroundings spoilt says nothing of the agent, so running it now repeats nothing.
      if (record.outcome !== 'ok' && !isAgentFailure(record.outcome)) continue;
      done.add(known.id);
      this.#teller.add(record);
    }
    return done;
  }

  async #send(
    openTasks: () => AsyncIterable<Task>,
    done: ReadonlySet<string>,
    file: SamplesFile,
  ): Promise<void> {
    const { agent, signal } = this.#init;
    const { timeoutMs, retry } = this.#options;
    const items = agent.client.runBatch(this.#payloads(openTasks, done), {
      // The gate is what holds samples back, for it can be moved while the run goes on.
      maxConcurrentSessions: highestConcurrency,
      timeoutMs,
      retry,
      signal,
      onEvent: (event) => this.#onEvent(event),
    });
    for await (const item of items) {
      const life = this.#lives.get(item.index)!;
      const settled = this.#settle(item, life, file).catch((error: unknown) => this.#init.abort(error));
      const tracked = settled.finally(() => this.#pending.delete(tracked));
      this.#pending.add(tracked);
    }
  }

  async *#payloads(
    openTasks: () => AsyncIterable<Task>,
    done: ReadonlySet<string>,
  ): AsyncGenerator<Record<string, unknown>, void, undefined> {
    let index = 0;
    let count = 0;
    for await (const task of openTasks()) {
      count += 1;
      for (let sample = 0; sample < this.#record.samples; sample += 1) {
        if (done.has(sampleId(task.id, sample))) continue;
        await this.#init.gate.enter(this.#init.signal);
        this.#lives.set(index, new SampleLife(task, sample));
        index += 1;
        yield task.payload;
      }
    }
    await this.#tasksEnded(count);
  }

  async #tasksEnded(count: number): Promise<void> {
    if (this.#record.tasks.count === count) return;
    this.#record = { ...this.#record, tasks: { ...this.#record.tasks, count } };
    this.#teller.total = count * this.#record.samples;
    await writeRunRecord(this.#init.folder, this.#record);
  }

  async #settle(
    item: Parameters<typeof settleSample>[0],
    life: SampleLife,
    file: SamplesFile,
  ): Promise<void> {
    const { gate, folder, agent, signal } = this.#init;
    const parts: SettleParts = {
      folder,
      run: this.#record,
      agent,
      judge: this.#options.reward,
      signal,
      judging: (judge) => this.#judge(judge),
      onNotice: this.#options.onNotice ?? ((message) => process.emitWarning(message)),
      onSessionEnded: () => gate.sessionEnded(),
    };
    try {
      if (item.outcome.kind === 'cancelled') return;
      const record = await settleSample(item, life, parts);
      await file.append(record);
      this.#teller.add(record);
      this.#options.onSample?.(record);
    } catch (error) {
      // A judge that was interrupted: the sample is run again when the run goes on.
      if (!signal.aborted || error !== signal.reason) throw error;
    } finally {
      this.#lives.delete(item.index);
      for (const { sessionId } of life.attempts) this.#livesBySession.delete(sessionId ?? '');
      gate.recorded();
    }
  }

  async #judge<Value>(judge: () => Promise<Value>): Promise<Value> {
    this.#teller.judging += 1;
    try {
      return await this.#judging.run(this.#init.signal, judge);
    } finally {
      this.#teller.judging -= 1;
    }
  }

  #onEvent(event: RolloutEvent): void {
    if ('index' in event) {
      const life = this.#lives.get(event.index);
      if (event.type === 'submitted' && life !== undefined) this.#livesBySession.set(event.sessionId, life);
      life?.add(event);
      return;
    }
    if (event.type === 'throttled') this.#livesBySession.get(event.sessionId)?.throttled();
    if (event.type === 'retry') this.#livesBySession.get(event.sessionId)?.retried();
  }
}
