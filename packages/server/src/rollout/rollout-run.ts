import type { ArtError } from '@art/protocol';
import type { FastifyBaseLogger } from 'fastify';
import { runWithContext } from '../context/context-storage.ts';
import type { RequestContext } from '../context/request-context.ts';
import { type HandlerOutcome, rolloutDocument, terminatedDocument } from './rollout-document.ts';
import { type ResultDestination, storeResult, type StoreOutcome } from './store-result.ts';
import { nextRolloutState, type RolloutState } from './rollout-state.ts';

/** A rollout that was accepted: everything that can be refused has been checked. */
export interface RolloutJob {
  /** The handler's name, for the list of background tasks. */
  name: string;
  context: RequestContext;
  /** Calls the agent's handler. */
  process: () => unknown;
  /** Undefined when the caller asked for no storage. */
  destination: ResultDestination | undefined;
}

/** One rollout from its acceptance until its document is stored. */
export class RolloutRun {
  readonly #job: RolloutJob;
  readonly #controller: AbortController;
  readonly #retryDelaysMs: readonly number[] | undefined;
  #state: RolloutState = { kind: 'accepted' };

  /** @param controller the one whose signal the job's context carries */
  constructor(job: RolloutJob, controller: AbortController, retryDelaysMs?: readonly number[]) {
    this.#job = job;
    this.#controller = controller;
    this.#retryDelaysMs = retryDelaysMs;
  }

  get state(): RolloutState {
    return this.#state;
  }

  /** Runs the handler and stores what became of it. Never rejects. */
  async run(): Promise<void> {
    const { context, destination } = this.#job;
    this.#state = nextRolloutState(this.#state, { kind: 'start' });
    const outcome = await this.#handle();
    if (outcome.kind === 'threw') context.log.error({ err: outcome.error }, 'The rollout handler failed');
    if (this.#state.kind === 'abandoned') {
      context.log.warn(
        'The rollout handler finished after its session had been ended; its result is dropped',
      );
      return;
    }
    this.#state = nextRolloutState(this.#state, { kind: 'finish' });
    const stored = destination === undefined ? undefined : await this.#store(outcome, destination);
    this.#state = nextRolloutState(this.#state, { kind: 'settle', stored });
  }

  /** Tells the handler that its process is being stopped. */
  abort(reason: ArtError): void {
    this.#controller.abort(reason);
  }

  /** Stores a document for a handler that did not finish in time. Does nothing once the handler has. Never rejects. */
  async abandon(reason: ArtError, signal: AbortSignal): Promise<void> {
    if (this.#state.kind !== 'running' && this.#state.kind !== 'accepted') return;
    this.#state = nextRolloutState(this.#state, { kind: 'abandon' });
    const { context, destination } = this.#job;
    if (destination === undefined) return;
    const document = terminatedDocument(reason, destination.documentContext);
    await storeResult(document, destination, { ...this.#storeOptions(context.log), signal });
  }

  async #handle(): Promise<HandlerOutcome> {
    const { context, process } = this.#job;
    try {
      context.signal.throwIfAborted();
      return { kind: 'returned', value: await runWithContext(context, process) };
    } catch (error) {
      return { kind: 'threw', error };
    }
  }

  async #store(outcome: HandlerOutcome, destination: ResultDestination): Promise<StoreOutcome> {
    const { context } = this.#job;
    // A handler that stops because it was told to has not failed on its own account.
    const terminated = outcome.kind === 'threw' && context.signal.aborted;
    const document = terminated
      ? terminatedDocument(context.signal.reason as ArtError, destination.documentContext)
      : rolloutDocument(outcome, destination.documentContext);
    if (outcome.kind === 'returned' && document.error !== undefined) {
      context.log.error(
        { err: document.error },
        'The rollout handler returned something that cannot be stored',
      );
    }
    return storeResult(document, destination, this.#storeOptions(context.log));
  }

  #storeOptions(log: FastifyBaseLogger): { log: FastifyBaseLogger; retryDelaysMs?: readonly number[] } {
    return this.#retryDelaysMs === undefined ? { log } : { log, retryDelaysMs: this.#retryDelaysMs };
  }
}
