import { Semaphore } from '@art/async';
import type { JournalRun } from '@art/journal';
import type { BatchItem, RolloutEvent } from '@art/rollout';
import { JsonLinesFile } from '../records/json-lines-file.ts';
import { readSamples } from '../records/read-samples.ts';
import { runPath } from '../records/run-folder.ts';
import { type RunRecord, writeRunRecord } from '../records/run-record.ts';
import { sampleId, type SampleRecord } from '../records/sample-record.ts';
import type { StatusRecord } from '../records/status-record.ts';
import { apartText } from '../report/apart-text.ts';
import type { Task } from '../tasks/task.ts';
import { type EvaluateOptions, highestConcurrency } from './evaluate-options.ts';
import { errorRecord } from './error-record.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import type { Gate } from './gate.ts';
import type { Judge, JudgedSample } from './judge.ts';
import { isDone, journalOf, missingSamples, removeEndedRounds, takeLeftRound } from './left-round.ts';
import { rejudgeAll } from './rejudge.ts';
import { SampleLife } from './sample-life.ts';
import { dropCapture, settleSample, type SettleParts } from './settle-sample.ts';
import { StatusTeller } from './status-teller.ts';
import { TaskTape } from './task-tape.ts';
import { type Verdict, verdictBy } from './verdict.ts';

/** Of fewer samples a share says little. */
const fewestToWarnBy = 10;
const defaultJudgeConcurrency = 16;

interface RunFiles {
  samples: JsonLinesFile;
  transcripts: JsonLinesFile;
}

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
  readonly #notice: (message: string) => void;
  #record: RunRecord;
  #hasWarned = false;

  constructor(options: EvaluateOptions, init: EvaluationInit) {
    this.#options = options;
    this.#init = init;
    this.#record = init.run;
    this.#judging = new Semaphore(options.judgeConcurrency ?? defaultJudgeConcurrency);
    this.#notice = options.onNotice ?? ((message): void => process.emitWarning(message));
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
  async run(openTasks: () => AsyncGenerator<Task, void, undefined>): Promise<void> {
    let state: 'finished' | 'interrupted' = 'interrupted';
    const { folder, signal } = this.#init;
    const tasks = new TaskTape(openTasks());
    try {
      await using samples = await JsonLinesFile.open(runPath(folder, 'samples'));
      await using transcripts = await JsonLinesFile.open(runPath(folder, 'transcripts'));
      const files = { samples, transcripts };
      const done = await this.#readDone(samples);
      try {
        await this.#resume(tasks, done, files);
        await this.#send(tasks, done, files);
      } catch (error) {
        this.#teller.stopping();
        throw error;
      } finally {
        await Promise.all(this.#pending);
      }
      signal.throwIfAborted();
      state = 'finished';
      await removeEndedRounds(folder).catch((error: unknown) =>
        this.#notice(
          `Journals that are not needed any more are left in ${folder}: ${errorRecord(error).message}`,
        ),
      );
    } finally {
      await tasks.close();
      await this.#teller.end(state);
    }
  }

  /** Ids of the samples that are not run again. What only its judge spoilt is judged again here. */
  async #readDone(file: JsonLinesFile): Promise<Set<string>> {
    const { folder } = this.#init;
    const latest = new Map<string, SampleRecord>();
    for await (const { record } of readSamples(folder)) latest.set(record.id, record);
    const done = new Set<string>();
    const unjudged: SampleRecord[] = [];
    const { reward: judge, judgeConcurrency: concurrency = defaultJudgeConcurrency } = this.#options;
    for (const record of latest.values()) {
      if (!isDone(record)) continue;
      done.add(record.id);
      if (judge !== undefined && record.outcome === 'ok' && record.judgeError !== null) unjudged.push(record);
      else this.#teller.add(record);
    }
    if (judge === undefined) return done;
    this.#teller.judging = unjudged.length;
    await rejudgeAll(unjudged, judge, {
      folder,
      failureReward: this.#record.failureReward,
      concurrency,
      signal: this.#init.signal,
      onJudged: async (record) => {
        await file.append(record);
        this.#teller.judging -= 1;
        this.#teller.add(record);
        this.#options.onSample?.(record);
      },
    });
    return done;
  }

  /** Takes up what a process that died left: sessions that go on, and results that nobody has read. */
  async #resume(tasks: TaskTape, done: Set<string>, files: RunFiles): Promise<void> {
    const { agent, folder, gate, signal } = this.#init;
    const { round } = this.#record;
    if (round === null || agent.endsWithProcess === true) return;
    tasks.isKeeping = true;
    const left = await takeLeftRound(folder, round, tasks.play(), signal);
    tasks.isKeeping = false;
    if (left === undefined) return;
    const { places, isOpen } = left;
    for (const [index, { task, sample }] of places.entries()) {
      if (!isOpen(index)) continue;
      // They are under way already, so nothing is to be waited for.
      gate.take();
      this.#lives.set(index, new SampleLife(task, sample));
      done.add(sampleId(task.id, sample));
    }
    const payloads = (async function* () {
      for (const { task } of places) yield task.payload;
    })();
    await this.#settleAll(
      agent.client.resume(journalOf(folder, round), payloads, this.#batchOptions()),
      files,
    );
    await Promise.all(this.#pending);
  }

  async #send(tasks: TaskTape, done: ReadonlySet<string>, files: RunFiles): Promise<void> {
    const { agent, folder } = this.#init;
    const { count } = this.#record.tasks;
    if (count !== null && done.size >= count * this.#record.samples) return;
    let journal: JournalRun | undefined;
    if (agent.endsWithProcess !== true) {
      const { samples, processes } = this.#record;
      const round = { runId: `round-${processes.length}`, samples, samplesBytes: await files.samples.sync() };
      this.#record = { ...this.#record, round };
      await writeRunRecord(folder, this.#record);
      journal = journalOf(folder, round);
    }
    const items = agent.client.runBatch(this.#payloads(tasks, done), { ...this.#batchOptions(), journal });
    await this.#settleAll(items, files);
  }

  #batchOptions() {
    const { timeoutMs, retry } = this.#options;
    return {
      // The gate is what holds samples back, for it can be moved while the run goes on.
      maxConcurrentSessions: highestConcurrency,
      timeoutMs,
      retry,
      acknowledge: 'explicit' as const,
      signal: this.#init.signal,
      onEvent: (event: RolloutEvent) => this.#onEvent(event),
    };
  }

  async #settleAll(items: AsyncIterable<BatchItem>, files: RunFiles): Promise<void> {
    for await (const item of items) {
      const life = this.#lives.get(item.index)!;
      const settled = this.#settle(item, life, files).catch((error: unknown) => this.#init.abort(error));
      const tracked = settled.finally(() => this.#pending.delete(tracked));
      this.#pending.add(tracked);
    }
  }

  async *#payloads(
    tasks: TaskTape,
    done: ReadonlySet<string>,
  ): AsyncGenerator<Record<string, unknown>, void, undefined> {
    let index = 0;
    let count = 0;
    const counted = async function* (): AsyncGenerator<Task, void, undefined> {
      for await (const task of tasks.play()) {
        count += 1;
        yield task;
      }
    };
    for await (const { task, sample } of missingSamples(counted(), this.#record.samples, done)) {
      await this.#init.gate.enter(this.#init.signal);
      this.#lives.set(index, new SampleLife(task, sample));
      index += 1;
      yield task.payload;
    }
    await this.#tasksEnded(count);
  }

  async #tasksEnded(count: number): Promise<void> {
    if (this.#record.tasks.count === count) return;
    this.#record = { ...this.#record, tasks: { ...this.#record.tasks, count } };
    this.#teller.total = count * this.#record.samples;
    await writeRunRecord(this.#init.folder, this.#record);
  }

  async #settle(item: BatchItem, life: SampleLife, { samples, transcripts }: RunFiles): Promise<void> {
    const { gate, agent, signal } = this.#init;
    const { reward } = this.#options;
    const parts: SettleParts = {
      run: this.#record,
      agent,
      transcripts,
      judge: reward && ((judged) => this.#judge(reward, judged)),
      onNotice: this.#notice,
      onSessionEnded: () => gate.sessionEnded(),
    };
    try {
      if (item.outcome.kind === 'cancelled') return;
      const record = await settleSample(item, life, parts);
      await samples.append(record);
      this.#teller.add(record);
      this.#options.onSample?.(record);
      this.#warn();
      // A journal that breaks ends the run by itself, and one that was let go learns it when the run goes on.
      await Promise.all([item.acknowledge().catch(() => undefined), dropCapture(item, agent)]);
    } catch (error) {
      // A judge that was interrupted: the sample is judged when the run goes on.
      if (!signal.aborted || error !== signal.reason) throw error;
    } finally {
      this.#lives.delete(item.index);
      for (const { sessionId } of life.attempts) this.#livesBySession.delete(sessionId ?? '');
      gate.recorded();
    }
  }

  /** Once, while something can still be done about it. */
  #warn(): void {
    if (this.#hasWarned) return;
    const { apart, recorded } = this.#teller.apart(this.#record.maxFailures);
    if (recorded < fewestToWarnBy || apart.isTrusted) return;
    this.#hasWarned = true;
    this.#notice(`So far ${apartText(apart, recorded)}`);
  }

  async #judge(judge: Judge, judged: JudgedSample): Promise<Verdict> {
    const { signal } = this.#init;
    this.#teller.judging += 1;
    try {
      return await this.#judging.run(signal, () => verdictBy(judge, judged, signal));
    } finally {
      this.#teller.judging -= 1;
    }
  }

  #onEvent(event: RolloutEvent): void {
    if ('index' in event) {
      const life = this.#lives.get(event.index);
      const isBeginning = event.type === 'submitted' || event.type === 'adopted';
      if (isBeginning && life !== undefined) this.#livesBySession.set(event.sessionId, life);
      life?.add(event);
      return;
    }
    if (event.type === 'throttled') this.#livesBySession.get(event.sessionId)?.throttled();
    if (event.type === 'retry') this.#livesBySession.get(event.sessionId)?.retried();
  }
}
