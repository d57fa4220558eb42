import { Semaphore, JsonLinesFile } from '@art/ground';
import { type BatchItem, errorRecord, type RunBudget, type RunHandle } from '@art/rollout';
import type { RunGoal } from '../goal/goal-watch.ts';
import { readSamples } from '../records/read-samples.ts';
import { runPath } from '../records/run-folder.ts';
import { type RunRecord, writeRunRecord } from '../records/run-record.ts';
import type { SampleRecord } from '@art/trajectories';
import type { StatusRecord } from '../records/status-record.ts';
import { excludedText } from '../report/excluded-text.ts';
import type { Task } from '../tasks/task.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import type { Judge, JudgedSample } from './judge.ts';
import { isDone, KnownSamples, type MissingSample } from './missing-samples.ts';
import { rejudgeAll } from './rejudge.ts';
import { removeEndedJournals, type SampleJournal } from './sample-journal.ts';
import { dropCapture, settleSample, type SettleDeps } from './settle-sample.ts';
import { StatusReporter } from './status-reporter.ts';
import { type SampleVerdict, verdictBy } from './verdict.ts';

/** Fewest samples of which a share says something. */
const fewestToWarnBy = 10;
/** Most sessions at once, where it is not given. */
export const defaultConcurrency = 16;
const defaultJudgeConcurrency = 16;

interface RunFiles {
  samples: JsonLinesFile;
  transcripts: JsonLinesFile;
}

interface EvaluationInit {
  agent: EvaluatedAgent;
  folder: string;
  run: RunRecord;
  openTasks: () => AsyncGenerator<Task, void, undefined>;
  /** Ends the run early; undefined for a run without a goal. */
  goal: RunGoal | undefined;
  /** Ends the run where it is spent; undefined for a run without ceilings. */
  budget: RunBudget | undefined;
  /** Undefined where the agent's sessions end with this process. */
  journal: SampleJournal | undefined;
  signal: AbortSignal;
  /** Ends the run where it cannot be written down. */
  abort: (reason: unknown) => void;
}

/** One process's work on a run: sends what is missing, and writes down what comes back. */
export class Evaluation {
  /** The rollouts of what is missing. Nothing is sent before `run`. */
  readonly rollouts: RunHandle<BatchItem>;
  readonly #options: EvaluateOptions;
  readonly #init: EvaluationInit;
  readonly #known = new KnownSamples();
  /** Samples under way, by the ids of their items. */
  readonly #samples = new Map<string, MissingSample>();
  /** Samples that are settled and not written down. */
  readonly #pending = new Set<Promise<void>>();
  readonly #reporter: StatusReporter;
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
    const { run, folder } = init;
    this.rollouts = this.#rollouts();
    this.#reporter = new StatusReporter({
      folder,
      runId: run.runId,
      total: run.tasks.count === null ? null : run.tasks.count * run.samples,
      hasPrices: run.prices !== null,
      run: this.rollouts,
      samples: this.#samples,
      onStatus: options.onStatus,
    });
  }

  get status(): StatusRecord {
    return this.#reporter.current;
  }

  get record(): RunRecord {
    return this.#record;
  }

  /** @throws what ends the run before all samples are there; what was settled is written down before */
  async run(): Promise<void> {
    let state: 'finished' | 'interrupted' = 'interrupted';
    const { folder, signal } = this.#init;
    try {
      await using samples = await JsonLinesFile.open(runPath(folder, 'samples'));
      await using transcripts = await JsonLinesFile.open(runPath(folder, 'transcripts'));
      const files = { samples, transcripts };
      await this.#readKnown(samples);
      try {
        await this.#settleAll(files);
      } catch (error) {
        this.#reporter.stopping();
        throw error;
      } finally {
        await Promise.all(this.#pending);
      }
      signal.throwIfAborted();
      const { total, done } = this.status;
      if (this.#init.budget?.reached !== undefined && done !== total) return;
      state = 'finished';
      await removeEndedJournals(folder).catch((error: unknown) =>
        this.#notice(
          `Journals that are not needed any more are left in ${folder}: ${errorRecord(error).message}`,
        ),
      );
    } finally {
      await this.#reporter.end(state);
    }
  }

  /** Looks at what has a line already. What only its judge spoilt is judged again here. */
  async #readKnown(file: JsonLinesFile): Promise<void> {
    const { folder } = this.#init;
    const latest = new Map<string, SampleRecord>();
    for await (const { record } of readSamples(folder)) {
      latest.set(record.id, record);
      this.#known.add(record);
    }
    const unjudged: SampleRecord[] = [];
    const { reward: judge, judgeConcurrency: concurrency = defaultJudgeConcurrency } = this.#options;
    for (const record of latest.values()) {
      if (!isDone(record)) continue;
      if (judge !== undefined && record.outcome === 'ok' && record.judgeError !== null) unjudged.push(record);
      else this.#count(record);
    }
    if (judge === undefined) return;
    this.#reporter.judging = unjudged.length;
    await rejudgeAll(unjudged, judge, {
      folder,
      failureReward: this.#record.failureReward,
      concurrency,
      signal: this.#init.signal,
      onJudged: async (record) => {
        await file.append(record);
        this.#reporter.judging -= 1;
        this.#count(record);
        this.#options.onSample?.(record);
      },
    });
  }

  /** Rollouts of what is missing. Everything begins that no earlier process has begun; the rest is taken up. */
  #rollouts(): RunHandle<BatchItem> {
    const { agent, journal, signal, run, budget } = this.#init;
    const { concurrency = defaultConcurrency, timeoutMs, retry, reward } = this.#options;
    // Of the record: a run that continues without being told them keeps its prompts.
    const { prompts } = run.options;
    // A payload is named as soon as it is read.
    let last = '';
    const payloads = async function* (this: Evaluation) {
      for await (const missing of this.#missing()) {
        if (budget?.reached !== undefined) return;
        last = missing.inputId;
        this.#samples.set(last, missing);
        yield missing.task.payload;
      }
    }.call(this);
    const options = {
      maxConcurrentSessions: concurrency,
      // A judge that is slower than the agent holds the agent up before its samples fill the memory, or its calls go far beyond a ceiling.
      maxUnacknowledged: budget !== undefined && reward !== undefined ? concurrency : 2 * concurrency + 16,
      timeoutMs,
      retry,
      isJudged: reward !== undefined,
      overrides: prompts == null ? undefined : () => ({ prompts }),
      acknowledge: 'explicit',
      inputId: () => last,
      signal,
    } as const;
    return journal?.wasBegun === true
      ? agent.client.resume(journal, payloads, options)
      : agent.client.runBatch(payloads, { ...options, journal });
  }

  async *#missing(): AsyncGenerator<MissingSample, void, undefined> {
    const { count } = this.#record.tasks;
    const { goal, openTasks, signal } = this.#init;
    const areAllDone = count !== null && this.#known.doneCount >= count * this.#record.samples;
    // A goal is answered by the tasks in their order, also where none of them is missing.
    if (areAllDone && goal === undefined) return;
    const tasks = goal === undefined ? openTasks() : goal.ask(openTasks(), signal);
    const seen = yield* this.#known.missing(tasks, this.#record.samples);
    if (count === seen) return;
    this.#record = { ...this.#record, tasks: { ...this.#record.tasks, count: seen } };
    this.#reporter.total = seen * this.#record.samples;
    await writeRunRecord(this.#init.folder, this.#record);
  }

  async #settleAll(files: RunFiles): Promise<void> {
    for await (const item of this.rollouts) {
      const settled = this.#settle(item, files).catch((error: unknown) => this.#init.abort(error));
      const tracked = settled.finally(() => this.#pending.delete(tracked));
      this.#pending.add(tracked);
    }
  }

  async #settle(item: BatchItem, { samples, transcripts }: RunFiles): Promise<void> {
    const { agent, journal, signal } = this.#init;
    const { reward } = this.#options;
    const deps: SettleDeps = {
      run: this.#record,
      agent,
      transcripts,
      judge: reward && ((judged) => this.#judge(reward, judged)),
      onNotice: this.#notice,
    };
    try {
      if (item.outcome.kind === 'cancelled') return this.#init.goal?.cut();
      const record = await settleSample(item, this.#samples.get(item.id)!, deps);
      await samples.append(record);
      // The journal must not know of a line that a power failure could take back.
      if (journal !== undefined) await samples.sync();
      this.#count(record);
      this.#options.onSample?.(record);
      this.#warn();
      // A journal that breaks ends the run by itself, and one that was released learns it when the run continues.
      await Promise.all([item.acknowledge().catch(() => undefined), dropCapture(item, agent)]);
    } catch (error) {
      // A judge that was interrupted: the sample is judged when the run continues.
      if (!signal.aborted || error !== signal.reason) throw error;
    } finally {
      this.#samples.delete(item.id);
    }
  }

  #count(record: SampleRecord): void {
    this.#reporter.add(record);
    this.#init.goal?.add(record);
  }

  /** Once, while something can still be done about it. */
  #warn(): void {
    if (this.#hasWarned) return;
    const { excluded, recorded } = this.#reporter.excluded(this.#record.maxFailures);
    if (recorded < fewestToWarnBy || excluded.isTrusted) return;
    this.#hasWarned = true;
    this.#notice(`So far ${excludedText(excluded, recorded)}`);
  }

  async #judge(judge: Judge, judged: JudgedSample): Promise<SampleVerdict> {
    const { signal, budget } = this.#init;
    this.#reporter.judging += 1;
    try {
      return await this.#judging.run(signal, () =>
        verdictBy(judge, judged, signal, budget && ((usage) => budget.spend(usage))),
      );
    } finally {
      this.#reporter.judging -= 1;
    }
  }
}
