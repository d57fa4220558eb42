import { ArtError } from '@art/protocol';
import { type RequestContext, runWithContext } from '../request/request-context.ts';
import { infrastructureFailure, isCutOff } from '../infrastructure/infrastructure-failure.ts';
import { rolloutDocument } from '../document/rollout-document.ts';
import { type RolloutEnding, rolloutTimeout } from '../document/rollout-ending.ts';
import { isUndecided, nextRolloutState, type RolloutEvent, type RolloutState } from './rollout-state.ts';
import { type ResultDestination, type SavingPolicy, storeResult } from '../saving/store-result.ts';

/** A rollout that was accepted: everything that can be refused has been checked. */
export interface RolloutJob {
  /** The handler's name, for the list of background tasks. */
  name: string;
  context: RequestContext;
  /** Calls the agent's handler. */
  process: () => unknown;
  /** Undefined when the caller asked for no storage. */
  destination: ResultDestination | undefined;
  /** Called when the document is stored, or none is asked for, with what the handler came to; the signal aborts when the process ends. */
  conclude?: ((ending: RolloutEnding, signal: AbortSignal) => Promise<void>) | undefined;
  /** Longest that the handler may take, where that is less than the app's limit. */
  maxRolloutMs?: number | undefined;
  /** Told of every new state. */
  onState?: (state: RolloutState) => void;
}

export interface RolloutRunOptions {
  /** The one whose signal the job's context carries. */
  controller: AbortController;
  policy: SavingPolicy;
  /** Longest that the handler may take. */
  maxRolloutMs?: number | undefined;
  /** Whether failures of the model endpoint are recognised by what the handler threw. */
  recogniseInfrastructure: boolean;
  /** Told of a rollout that ended and whose result nobody asked to be kept. */
  onUnkept: (context: RequestContext) => void;
}

/** One rollout from its acceptance until its document is stored. */
export class RolloutRun {
  readonly #job: RolloutJob;
  readonly #options: RolloutRunOptions;
  readonly #ending = Promise.withResolvers<RolloutEnding>();
  readonly #hurry = new AbortController();
  readonly #deadline = new AbortController();
  #state: RolloutState = { kind: 'accepted' };

  constructor(job: RolloutJob, options: RolloutRunOptions) {
    this.#job = job;
    this.#options = options;
  }

  get context(): RequestContext {
    return this.#job.context;
  }

  /** Runs the handler and stores what became of it, or what cut it short. Never rejects. */
  async run(): Promise<void> {
    const { context, destination } = this.#job;
    if (isUndecided(this.#state)) {
      this.#move({ kind: 'start' });
      void this.#handle();
    }
    const ending = await this.#endingInTime();
    const document = destination && rolloutDocument(ending, destination.form);
    // Under way before anything is logged: whatever the log makes of an error, its document is not lost.
    const storing = document && destination && storeResult(document, destination, this.#storeOptions());
    const error = ending.kind === 'returned' ? document?.error : errorOf(ending);
    if (ending.kind !== 'returned' || error !== undefined)
      context.log.error({ err: error }, messages[ending.kind]);
    const { conclude } = this.#job;
    if (destination === undefined && conclude === undefined) this.#options.onUnkept(context);
    const stored = await storing;
    await this.#conclude(ending);
    this.#move({ kind: 'settle', stored });
  }

  /** Tells the handler to come to an end. */
  abort(reason: unknown): void {
    this.#options.controller.abort(reason);
  }

  /** Settles what the rollout came to. Does nothing when that is settled. */
  decide(ending: RolloutEnding): void {
    if (!isUndecided(this.#state)) return;
    this.#move({ kind: 'decide' });
    this.#ending.resolve(ending);
  }

  /** The process is to end: saves without long pauses, and without a hold when nothing can be stored. */
  hurry(): void {
    this.#hurry.abort();
  }

  /** The process ends now: what cannot be stored at once goes into the log. */
  expire(reason: ArtError): void {
    this.#deadline.abort(reason);
  }

  async #conclude(ending: RolloutEnding): Promise<void> {
    try {
      await this.#job.conclude?.(ending, this.#deadline.signal);
    } catch (error) {
      this.#job.context.log.error({ err: error }, 'What became of the invocation could not be recorded');
    }
  }

  async #handle(): Promise<void> {
    const { context, process } = this.#job;
    const outcome = await this.#outcome(process);
    if (isUndecided(this.#state)) {
      if (outcome.kind === 'returned' && context.signal.aborted)
        context.log.warn(
          'The rollout handler returned after it was told to stop, and its result counts. Where that is cut short, let it throw: context.signal.throwIfAborted()',
        );
      this.decide(outcome);
      return;
    }
    context.log.warn(
      'error' in outcome ? { err: outcome.error } : {},
      'The rollout handler finished after its rollout had been ended; what it returned is dropped',
    );
  }

  async #outcome(
    process: () => unknown,
  ): Promise<RolloutEnding & { kind: 'returned' | 'threw' | 'infrastructure' | 'terminated' }> {
    const { context } = this.#job;
    try {
      context.signal.throwIfAborted();
      const value = await runWithContext(context, process);
      if (context.signal.aborted && isCutOff(context)) throw context.signal.reason;
      return { kind: 'returned', value };
    } catch (error) {
      // A handler that stops because it was told to has not failed on its own account.
      const { aborted, reason } = context.signal;
      if (aborted && ArtError.isInstance(reason)) return { kind: 'terminated', reason };
      const recognise = this.#options.recogniseInfrastructure;
      const failure = infrastructureFailure(error, { context, recognise });
      return failure === undefined ? { kind: 'threw', error } : { kind: 'infrastructure', error, failure };
    }
  }

  async #endingInTime(): Promise<RolloutEnding> {
    const limits = [this.#options.maxRolloutMs, this.#job.maxRolloutMs].filter(
      (limit) => limit !== undefined,
    );
    if (limits.length === 0) return this.#ending.promise;
    const maxRolloutMs = Math.min(...limits);
    const timer = setTimeout(() => {
      const reason = rolloutTimeout(maxRolloutMs);
      this.decide({ kind: 'timed_out', reason });
      this.abort(reason);
    }, maxRolloutMs);
    try {
      return await this.#ending.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #storeOptions(): Parameters<typeof storeResult>[2] {
    return {
      log: this.#job.context.log,
      policy: this.#options.policy,
      hurry: this.#hurry.signal,
      deadline: this.#deadline.signal,
      onUnsaved: () => this.#move({ kind: 'hold' }),
    };
  }

  #move(event: RolloutEvent): void {
    this.#state = nextRolloutState(this.#state, event);
    this.#job.onState?.(this.#state);
  }
}

const messages: Record<RolloutEnding['kind'], string> = {
  returned: 'The rollout handler returned something that cannot be stored',
  threw: 'The rollout handler failed',
  infrastructure: 'What the rollout handler stands on failed',
  timed_out: 'The rollout handler took too long',
  terminated: 'The rollout was ended with its process',
  crashed: 'The rollout was ended by an error that nobody caught',
};

function errorOf(ending: Exclude<RolloutEnding, { kind: 'returned' }>): unknown {
  return 'error' in ending ? ending.error : ending.reason;
}
