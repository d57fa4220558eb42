import { aBoolean, aNumber, unchecked, ArtError, optional, type OptionRules, readOptions } from '@art/ground';
import { type ResultDocument } from '@art/protocol';
import type { Payload, RolloutOverrides } from '../request/rollout-request.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { ClientDeps } from './client-deps.ts';
import { single } from './call-options.ts';
import { waitForRollout } from './wait-for-rollout.ts';

/** Options of `session.invoke`. */
export interface SessionInvokeOptions {
  /**
   * True if the agent works without the connection, and is asked for its result later. Use it for work that takes
   * longer than the 15 minutes that AgentCore gives a request. @default false
   */
  background?: boolean | undefined;
  /** Fields of `_config`; they win over the client's. */
  overrides?: RolloutOverrides | undefined;
  /** Ends the wait as `ART_ROLLOUT_TIMEOUT`. @default no limit */
  timeoutMs?: number | undefined;
  /** Ends the wait with its reason; the session continues. */
  signal?: AbortSignal | undefined;
}

const rules = {
  background: optional(aBoolean, false),
  overrides: unchecked(),
  timeoutMs: optional(aNumber({ above: 0 })),
  signal: unchecked(),
} satisfies OptionRules<SessionInvokeOptions>;

/**
 * One machine for several invocations that follow each other, or run at once: what the agent keeps in memory or on its disk
 * is there the next time. Made by `RolloutClient.session`; stopped when it is disposed.
 */
export class AgentSession implements AsyncDisposable {
  readonly sessionId: string;
  readonly #deps: ClientDeps;
  readonly #inputId: string;
  readonly #onStopped: (session: AgentSession) => void;
  readonly #live = new Set<Rollout>();
  #wasUsed = false;
  #releaseSignals: (() => void) | undefined;
  #stopped: Promise<void> | undefined;

  constructor(
    sessionId: string,
    inputId: string,
    deps: ClientDeps,
    onStopped: (session: AgentSession) => void,
  ) {
    this.sessionId = sessionId;
    this.#inputId = inputId;
    this.#deps = deps;
    this.#onStopped = onStopped;
  }

  /**
   * Runs the handler once and resolves with what it returned: an object as it is, anything else as `{ result }`.
   * @throws ArtError `ART_AGENT_ERROR` with the handler's error, `ART_ROLLOUT_LOST` when the machine died,
   *   `ART_ROLLOUT_TIMEOUT`, `ART_INVALID_REPLY`, `ART_CLOSED`, `ART_CLIENT_CLOSED`, input errors before anything is sent; RuntimeError;
   *   the signal's reason.
   */
  async invoke(payload: Payload, options: SessionInvokeOptions = {}): Promise<ResultDocument> {
    const { background, overrides, signal, timeoutMs } = readOptions('a session', options, rules);
    signal?.throwIfAborted();
    if (this.#stopped !== undefined) throw sessionStopped(this.sessionId);
    const { clock, active, preflight, signals } = this.#deps;
    this.#releaseSignals ??= signals?.hold();
    await preflight.pass(signal);
    if (this.#stopped !== undefined) throw sessionStopped(this.sessionId);
    const rollout = active.start({
      ...single,
      payload,
      choices: { inputId: this.#inputId, sessionId: this.sessionId, overrides },
      inSession: background ? 'background' : 'foreground',
      keepsSession: true,
    });
    this.#wasUsed = true;
    this.#live.add(rollout);
    try {
      const outcome = await waitForRollout(rollout, rollout.settled, { clock, timeoutMs, signal });
      if (outcome.kind === 'ok') return outcome.document;
      signal?.throwIfAborted();
      throw outcome.error;
    } finally {
      this.#live.delete(rollout);
    }
  }

  /** Gives up what runs and stops the machine. Nothing can be invoked in it any more. Idempotent. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopOnce();
    return this.#stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #stopOnce(): Promise<void> {
    this.#onStopped(this);
    const live = [...this.#live];
    for (const rollout of live) rollout.cancel(new Error('the session was stopped'));
    await Promise.all(live.map((rollout) => rollout.finished));
    if (this.#wasUsed) await this.#deps.stops.stop(this.sessionId);
    this.#releaseSignals?.();
  }
}

function sessionStopped(sessionId: string): ArtError {
  return new ArtError({
    code: 'ART_CLOSED',
    message: `Expected session ${sessionId} to be open, it was stopped. Ask the client for another one.`,
  });
}
