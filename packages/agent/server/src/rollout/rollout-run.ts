import { ArtError } from '@art/ground';
import { telemetryReady } from '@art/ground/telemetry';
import type { InvocationNotes } from '@art/protocol';
import { type RolloutDocument, rolloutDocument } from '../document/rollout-document.ts';
import { type RolloutEnding, rolloutTimeout } from '../document/rollout-ending.ts';
import { warnOfProblems } from '../document/rollout-result.ts';
import { drainStream, isHandlerStream } from '../handler/handler-stream.ts';
import { probeEndpoint } from '../infrastructure/endpoint-probe.ts';
import {
  endpointAnswered,
  type InfrastructureFailure,
  infrastructureFailure,
  isCutOff,
  modelEndpoint,
  unansweredFailure,
  unreachableFailure,
} from '../infrastructure/infrastructure-failure.ts';
import { InfrastructureError } from '../infrastructure/infrastructure-error.ts';
import type { RolloutSecrets } from '../logging/redaction.ts';
import { readPromptNames } from '../request/prompt-reader.ts';
import { type RequestContext, runWithContext } from '../request/request-context.ts';
import { type ProcessEnd, type ResultDestination, storeResult } from '../saving/store-result.ts';
import { AgentSpan } from './agent-span.ts';

/** A rollout that can begin: everything that can be refused has been checked. */
export interface RolloutJob {
  /** The handler's name, for the list of background tasks. */
  name: string;
  context: RequestContext;
  /** The one whose signal the context carries. */
  controller: AbortController;
  /** Calls the agent's handler. */
  process: () => unknown;
  /** Undefined when the caller asked for no storage. */
  destination: ResultDestination | undefined;
  /** Released when the rollout has ended; anyone who does not start it releases them. */
  secrets: RolloutSecrets;
  /** Through which it calls its model, where its gateway has no address; closed as the secrets are released. */
  tunnel?: { readonly unanswered: string | undefined; close: () => Promise<void> } | undefined;
  /** Called before the rollout has ended with what its caller should know of its model endpoint and its store. */
  onNote?: ((note: InvocationNotes) => void) | undefined;
  /** Longest that the handler may take, where that is less than the app's limit. */
  maxRolloutMs?: number | undefined;
}

/** The members of a reply that say where the document of a rollout will be. */
export function documentPlace({
  destination,
}: Pick<RolloutJob, 'destination'>): { s3_bucket: string; result_key: string } | undefined {
  return destination && { s3_bucket: destination.at.bucket, result_key: destination.at.key };
}

/** The rules for every rollout of an app; they are its options of the same names. */
export interface RolloutRules {
  maxRolloutMs?: number | undefined;
  recogniseInfrastructure?: boolean | undefined;
  unsavedHoldMs?: number | undefined;
}

/**
 * Reports what the handler came to, once the document is stored where one is asked for. The signal aborts
 * when the process ends.
 */
export type Conclude<T> = (ending: RolloutEnding, signal: AbortSignal) => Promise<T>;

/** One rollout from its acceptance until its document is stored and its caller told. */
export class RolloutRun {
  readonly #job: RolloutJob;
  readonly #rules: RolloutRules;
  readonly #ending = Promise.withResolvers<RolloutEnding>();
  readonly #processEnd: ProcessEnd;
  /** From here on whatever the handler still does is dropped. */
  #isDecided = false;
  #flushed: Promise<void> | undefined;

  constructor(job: RolloutJob, rules: RolloutRules, processEnd: ProcessEnd) {
    this.#job = job;
    this.#rules = rules;
    this.#processEnd = processEnd;
  }

  get context(): RequestContext {
    return this.#job.context;
  }

  /** Resolves when its span was sent. Undefined where it has none, or has not ended. */
  get flushed(): Promise<void> | undefined {
    return this.#flushed;
  }

  /**
   * Runs the handler and stores what became of it, or what cut it short.
   * @returns what `conclude` gives, and rejects with what it throws
   */
  async run<T>(conclude: Conclude<T>): Promise<T> {
    const { context, destination, secrets, tunnel } = this.#job;
    const telemetry = telemetryReady();
    if (telemetry !== undefined) await telemetry;
    const span = AgentSpan.begin(context);
    try {
      // A session may be ended between acceptance and the first step of the handler.
      if (!this.#isDecided) void (span === undefined ? this.#handle() : span.run(() => this.#handle()));
      const ending = await this.#endingInTime();
      this.#flushed = span?.end(ending, context.log);
      const document = destination && rolloutDocument(ending, destination);
      // Under way before anything is logged: whatever the log makes of an error, its document is not lost.
      const storing = document && destination && this.#store(document, destination);
      const error = ending.kind === 'returned' ? document?.error : ending.error;
      if (ending.kind !== 'returned' || error !== undefined)
        context.log.error({ err: error }, messages[ending.kind]);
      warnOfProblems(context.log, document?.problems ?? []);
      await storing;
      return await conclude(ending, this.#processEnd.outOfTime);
    } catch (error) {
      context.log.error({ err: error }, 'What became of the invocation could not be recorded');
      throw error;
    } finally {
      secrets.release();
      await tunnel?.close();
    }
  }

  /** Tells the handler to come to an end. */
  abort(reason: unknown): void {
    this.#job.controller.abort(reason);
  }

  /** Settles what the rollout came to. Does nothing when that is settled. */
  decide(ending: RolloutEnding): void {
    this.#isDecided = true;
    this.#ending.resolve(ending);
  }

  /** The infrastructure failure behind an error of this rollout; undefined if the rollout itself failed. */
  infrastructureFailure(error: unknown): InfrastructureFailure | undefined {
    return (
      this.#unanswered({ error }) ??
      infrastructureFailure(error, this.context, { recognise: this.#recognises })
    );
  }

  /** The failure of a rollout whose calls were all refused on their way to the gateway, whatever its handler made of that. */
  #unanswered(thrown?: { error: unknown }): InfrastructureFailure | undefined {
    const reason = this.#recognises ? this.#job.tunnel?.unanswered : undefined;
    return reason === undefined ? undefined : unansweredFailure(reason, thrown);
  }

  get #recognises(): boolean {
    return this.#rules.recogniseInfrastructure ?? true;
  }

  async #handle(): Promise<void> {
    const { context } = this.#job;
    const outcome = await this.#outcome();
    if (this.#isDecided) {
      context.log.warn(
        outcome.kind === 'returned' ? {} : { err: outcome.error },
        'The rollout handler finished after its rollout had been ended; what it returned is dropped',
      );
      return;
    }
    if (outcome.kind === 'returned' && context.signal.aborted)
      context.log.warn(
        'The rollout handler returned after it was asked to stop, and its result counts. Where that is cut short, let it throw: context.signal.throwIfAborted()',
      );
    this.decide(outcome);
  }

  async #outcome(): Promise<RolloutEnding> {
    const { context, process, name } = this.#job;
    const { signal } = context;
    const endpoint = this.#recognises ? modelEndpoint(context) : undefined;
    let probing: Promise<string | undefined> | undefined;
    /** Why the endpoint could not be reached; undefined where it answered the handler. */
    const unreachable = async (): Promise<string | undefined> =>
      endpoint === undefined || endpointAnswered(context, endpoint) === true ? undefined : probing;
    try {
      signal.throwIfAborted();
      const returning = runWithContext(context, async () => process());
      // The handler has begun: nothing of it waits for the probe.
      probing = endpoint && probeEndpoint(endpoint, signal);
      void probing?.then(() => this.#tellUnreachable(endpoint, unreachable));
      const returned = await returning;
      const value = isHandlerStream(returned) ? await drainStream(returned, { name, context }) : returned;
      if (signal.aborted && isCutOff(context)) throw signal.reason;
      return this.#returned(value, endpoint, await unreachable());
    } catch (error) {
      // A handler that stops because it was asked to has not failed on its own account.
      if (signal.aborted && ArtError.isInstance(signal.reason))
        return { kind: 'terminated', error: signal.reason };
      const reason = await unreachable();
      const failure =
        reason === undefined
          ? this.infrastructureFailure(error)
          : unreachableFailure(endpoint!, reason, { error });
      return failure === undefined ? { kind: 'threw', error } : { kind: 'infrastructure', error, failure };
    }
  }

  // Its calls may each wait minutes for the endpoint before the handler ends.
  async #tellUnreachable(
    endpoint: URL | undefined,
    unreachable: () => Promise<string | undefined>,
  ): Promise<void> {
    const reason = await unreachable();
    if (endpoint === undefined || reason === undefined || this.#isDecided) return;
    const { unreachable: told } = unreachableFailure(endpoint, reason);
    if (told !== undefined) this.#job.onNote?.({ unreachable: told });
  }

  /**
   * The ending of a handler that returned. If all its requests to the model failed, its value is no answer of the
   * model.
   */
  #returned(value: unknown, endpoint: URL | undefined, reason: string | undefined): RolloutEnding {
    const returned = { kind: 'returned', value, prompts: readPromptNames(this.context.prompt) } as const;
    const unanswered = this.#unanswered();
    if (unanswered !== undefined)
      return {
        kind: 'infrastructure',
        error: new InfrastructureError(unanswered.message),
        failure: unanswered,
      };
    if (endpoint === undefined || reason === undefined) return returned;
    const failure = unreachableFailure(endpoint, reason);
    return endpointAnswered(this.context, endpoint) === 'unseen'
      ? { ...returned, unreachable: failure.unreachable }
      : { kind: 'infrastructure', error: new InfrastructureError(failure.message), failure };
  }

  #store(document: RolloutDocument, destination: ResultDestination): Promise<unknown> {
    return storeResult(document, destination, {
      log: this.context.log,
      unsavedHoldMs: this.#rules.unsavedHoldMs,
      onUnsaved: (unsaved) => this.#job.onNote?.({ unsaved }),
      ...this.#processEnd,
    });
  }

  async #endingInTime(): Promise<RolloutEnding> {
    const limitMs = Math.min(this.#rules.maxRolloutMs ?? Infinity, this.#job.maxRolloutMs ?? Infinity);
    if (limitMs === Infinity) return this.#ending.promise;
    const timer = setTimeout(() => {
      const error = rolloutTimeout(limitMs);
      this.decide({ kind: 'timed_out', error });
      this.abort(error);
    }, limitMs);
    try {
      return await this.#ending.promise;
    } finally {
      clearTimeout(timer);
    }
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
