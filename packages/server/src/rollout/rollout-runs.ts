import { settleWithin } from '@art/async';
import type { ArtError } from '@art/protocol';
import { type RolloutEnding, rolloutTermination, strayError } from '../document/rollout-ending.ts';
import { infrastructureFailure } from '../infrastructure/infrastructure-failure.ts';
import { watchRequests } from '../infrastructure/seen-requests.ts';
import { getContext, type RequestContext } from '../request/request-context.ts';
import { type RolloutJob, RolloutRun } from './rollout-run.ts';
import { defaultSavingPolicy, type SavingPolicy } from '../saving/store-result.ts';
import type { AsyncTasks } from '../tasks/async-tasks.ts';

/** How the end of the process is divided up; AgentCore kills a stopped container after about ten seconds. */
export interface TerminationBudget {
  /** For handlers to finish after their signal has aborted. */
  graceMs: number;
  /** For the documents of unfinished rollouts, and saves under way. */
  saveMs: number;
}

export interface RolloutRunsOptions extends Partial<SavingPolicy> {
  /** Longest that a handler may take, in ms. @default no limit */
  maxRolloutMs?: number | undefined;
  /** Recognise failures of the model endpoint by what handlers throw. @default true */
  recogniseInfrastructure?: boolean | undefined;
}

// For what is left to be written to the log after the last moment.
const lastWordsMs = 100;

/** All rollouts of this process. Holds every one until it is stored, and keeps the session busy as long. */
export class RolloutRuns {
  readonly #tasks: AsyncTasks;
  readonly #policy: SavingPolicy;
  readonly #maxRolloutMs: number | undefined;
  readonly #recogniseInfrastructure: boolean;
  readonly #unkept = new UnkeptResults();
  readonly #running = new Map<RolloutRun, Promise<void>>();
  /** Why everything is being ended, once it is. */
  #termination: ArtError | undefined;

  constructor(
    tasks: AsyncTasks,
    { maxRolloutMs, recogniseInfrastructure = true, ...policy }: RolloutRunsOptions = {},
  ) {
    this.#tasks = tasks;
    this.#recogniseInfrastructure = recogniseInfrastructure;
    this.#policy = { ...defaultSavingPolicy, ...policy };
    this.#maxRolloutMs = maxRolloutMs;
  }

  /** Takes a rollout on. From here on the session is busy; the handler itself starts in a later turn of the event loop. */
  start(job: RolloutJob, controller: AbortController): void {
    if (this.#recogniseInfrastructure) watchRequests();
    const run = new RolloutRun(job, {
      controller,
      policy: this.#policy,
      maxRolloutMs: this.#maxRolloutMs,
      recogniseInfrastructure: this.#recogniseInfrastructure,
      onUnkept: (context) => this.#unkept.note(context),
    });
    const taskId = this.#tasks.add(job.name, { sessionId: job.context.sessionId });
    // A handler that never awaits would otherwise hold back the answer to its own request.
    const settled = nextTurn()
      .then(() => run.run())
      .catch((error: unknown) => {
        job.context.log.error({ err: error }, 'A rollout ended in a way that @art/server does not expect');
      })
      .finally(() => {
        this.#running.delete(run);
        this.#tasks.complete(taskId);
      });
    this.#running.set(run, settled);
    // Its request was being checked while the process was told to stop: it gets a document like those before it.
    if (this.#termination !== undefined) tellToStop(run, this.#termination);
  }

  /** Ends every rollout and sees to it that each has a document. Resolves within the budget, never rejects. */
  async terminate(budget: TerminationBudget): Promise<void> {
    const reason = (this.#termination = rolloutTermination());
    for (const run of this.#running.keys()) tellToStop(run, reason);
    await settleWithin([...this.#running.values()], budget.graceMs);
    await this.#saveAll(() => ({ kind: 'terminated', reason }), budget.saveMs);
  }

  /**
   * The process goes down because of an error that nobody caught: stores an error document for every rollout that has not
   * finished. Call it in the context of the error, from which its rollout is told. Resolves within `saveMs`, never rejects.
   */
  async crash(error: unknown, saveMs: number): Promise<void> {
    const source = getContext();
    const known = [...this.#running.keys()].some((run) => run.context === source);
    const reason = rolloutTermination();
    const ending = (run: RolloutRun): RolloutEnding => {
      const { context } = run;
      const isOwn = known ? context === source : undefined;
      const recognise = this.#recogniseInfrastructure;
      const failure = isOwn === true ? infrastructureFailure(error, { context, recognise }) : undefined;
      if (failure !== undefined) return { kind: 'infrastructure', error, failure };
      return { kind: 'crashed', error: strayError(error, isOwn) };
    };
    const saved = this.#saveAll(ending, saveMs);
    for (const run of this.#running.keys()) run.abort(reason);
    await saved;
  }

  async #saveAll(ending: (run: RolloutRun) => RolloutEnding, saveMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    for (const run of this.#running.keys()) {
      run.hurry();
      run.decide(ending(run));
    }
    await settleWithin([...this.#running.values()], saveMs);
    if (this.#running.size === 0) return;
    const reason = rolloutTermination();
    for (const run of this.#running.keys()) run.expire(reason);
    await settleWithin([...this.#running.values()], lastWordsMs);
  }
}

function tellToStop(run: RolloutRun, reason: ArtError): void {
  run.hurry();
  run.abort(reason);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

// What the request lacked, for which nobody will ever read the result.
const reasons = {
  plain:
    'the request had no _rollout. Register an invocationHandler to answer such requests, or send _rollout with exp_id, input_id and s3_bucket.',
  untargeted: '_rollout has no exp_id, input_id and s3_bucket, which say where to store it.',
} as const;

/** Says that results were computed and kept nowhere: once for each way of asking for that. */
class UnkeptResults {
  readonly #told = new Set<keyof typeof reasons>();

  note({ rollout, log }: RequestContext): void {
    const reason = rollout === undefined ? 'plain' : 'untargeted';
    if (this.#told.has(reason)) return;
    this.#told.add(reason);
    log.warn(
      `The rollout handler ended, and its result is kept nowhere: ${reasons[reason]} This is logged once.`,
    );
  }
}
