import { setImmediate as nextTurn } from 'node:timers/promises';
import { settleWithin } from '@art/ground';
import { type RolloutEnding, rolloutTermination, strayError } from '../document/rollout-ending.ts';
import { watchRequests } from '../infrastructure/seen-requests.ts';
import { getContext } from '../request/request-context.ts';
import type { AsyncTasks } from '../ping/async-tasks.ts';
import { type Conclude, type RolloutJob, type RolloutRules, RolloutRun } from './rollout-run.ts';

/** How the end of the process is divided up; AgentCore kills a stopped container after about ten seconds. */
export interface TerminationBudget {
  /** For handlers to finish after their signal has aborted. */
  graceMs: number;
  /** For the documents of unfinished rollouts, and saves under way. */
  saveMs: number;
}

// For what is left to be written to the log after the last moment.
const lastWordsMs = 100;

/** All rollouts of this process. Holds every one until it is stored, and keeps the session busy as long. */
export class RolloutRuns {
  readonly #tasks: AsyncTasks;
  readonly #rules: RolloutRules;
  readonly #running = new Map<RolloutRun, Promise<unknown>>();
  readonly #terminating = new AbortController();
  readonly #outOfTime = new AbortController();

  constructor(tasks: AsyncTasks, rules: RolloutRules = {}) {
    this.#tasks = tasks;
    this.#rules = rules;
  }

  /**
   * Takes a rollout on. From here on the session is busy; the handler itself starts in a later turn of the event loop.
   * @returns what `conclude` gives, and rejects with what it throws; nobody need wait for it
   */
  start<T>(job: RolloutJob, conclude: Conclude<T>): Promise<T> {
    if (this.#rules.recogniseInfrastructure !== false) watchRequests();
    const { signal: terminating } = this.#terminating;
    const run = new RolloutRun(job, this.#rules, { terminating, outOfTime: this.#outOfTime.signal });
    const taskId = this.#tasks.add(job.name, { sessionId: job.context.sessionId }, true);
    // A handler that never awaits would otherwise hold back the answer to its own request.
    const ended = nextTurn().then(() => run.run(conclude));
    const forget = (): void => this.#forget(run, taskId);
    const end = (): Promise<void> | void => (run.flushed === undefined ? forget() : run.flushed.then(forget));
    const settled = ended.then(end, end);
    this.#running.set(run, settled);
    // Its request was being checked while the process was told to stop: it gets a document like those before it.
    if (terminating.aborted) run.abort(terminating.reason);
    return ended;
  }

  /** Ends every rollout and sees to it that each has a document. Resolves within the budget, never rejects. */
  async terminate(budget: TerminationBudget): Promise<void> {
    const error = rolloutTermination();
    this.#terminating.abort(error);
    for (const run of this.#running.keys()) run.abort(error);
    await settleWithin([...this.#running.values()], budget.graceMs);
    await this.#saveAll(() => ({ kind: 'terminated', error }), budget.saveMs);
  }

  /**
   * The process goes down because of an error that nobody caught: stores an error document for every rollout that has not
   * finished. Call it in the context of the error, from which its rollout is told. Resolves within `saveMs`, never rejects.
   */
  async crash(error: unknown, saveMs: number): Promise<void> {
    const source = getContext();
    const known = [...this.#running.keys()].some((run) => run.context === source);
    const reason = rolloutTermination();
    this.#terminating.abort(reason);
    const ending = (run: RolloutRun): RolloutEnding => {
      const isOwn = known ? run.context === source : undefined;
      const failure = isOwn === true ? run.infrastructureFailure(error) : undefined;
      if (failure !== undefined) return { kind: 'infrastructure', error, failure };
      return { kind: 'crashed', error: strayError(error, isOwn) };
    };
    const saved = this.#saveAll(ending, saveMs);
    for (const run of this.#running.keys()) run.abort(reason);
    await saved;
  }

  async #saveAll(ending: (run: RolloutRun) => RolloutEnding, saveMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    for (const run of this.#running.keys()) run.decide(ending(run));
    await settleWithin([...this.#running.values()], saveMs);
    if (this.#running.size === 0) return;
    this.#outOfTime.abort(rolloutTermination());
    await settleWithin([...this.#running.values()], lastWordsMs);
  }

  #forget(run: RolloutRun, taskId: number): void {
    this.#running.delete(run);
    this.#tasks.complete(taskId);
  }
}
