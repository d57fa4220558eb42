import { ArtError } from '@art/protocol';
import { settleWithin } from '../lifecycle/settle-within.ts';
import type { AsyncTasks } from '../tasks/async-tasks.ts';
import { type RolloutJob, RolloutRun } from './rollout-run.ts';

/** How the end of the process is divided up; AgentCore kills a stopped container after about ten seconds. */
export interface TerminationBudget {
  /** For handlers to finish after their signal has aborted. */
  graceMs: number;
  /** For the documents of unfinished rollouts, and saves under way. */
  saveMs: number;
}

/** All rollouts of this process. Holds every one until it is stored, and keeps the session busy as long. */
export class RolloutRuns {
  readonly #tasks: AsyncTasks;
  readonly #retryDelaysMs: readonly number[] | undefined;
  readonly #running = new Map<RolloutRun, Promise<void>>();

  constructor(tasks: AsyncTasks, retryDelaysMs?: readonly number[]) {
    this.#tasks = tasks;
    this.#retryDelaysMs = retryDelaysMs;
  }

  /** Takes a rollout on. From here on the session is busy; the handler itself starts in a later turn of the event loop. */
  start(job: RolloutJob, controller: AbortController): void {
    const run = new RolloutRun(job, controller, this.#retryDelaysMs);
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
  }

  /** Ends every rollout and sees to it that each has a document. Resolves within the budget, never rejects. */
  async terminate(budget: TerminationBudget): Promise<void> {
    if (this.#running.size === 0) return;
    const reason = new ArtError({
      code: 'ART_SESSION_TERMINATED',
      message: 'The agent process is being stopped before the rollout has finished.',
    });
    for (const run of this.#running.keys()) run.abort(reason);
    await settleWithin([...this.#running.values()], budget.graceMs);

    const deadline = new AbortController();
    const documents = [...this.#running].map(async ([run, settled]) => {
      if (run.state.kind === 'saving') await settled;
      else await run.abandon(reason, deadline.signal);
    });
    await settleWithin(documents, budget.saveMs);
    deadline.abort(reason);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
