import { type Clock, settleWithin } from '@art/ground';
import type {
  AgentRuntime,
  CallOptions,
  InvocationAnswer,
  InvocationOptions,
  InvokeRequest,
  StopOutcome,
} from '@art/protocol';

export interface SessionCallsDeps {
  runtime: AgentRuntime;
  clock: Clock;
  /** True if the runtime is closed together with this. */
  ownsRuntime: boolean;
}

interface FollowedCall<T> {
  mayArrive: () => boolean;
  /** @param cutOff ends it */
  send: (signal: AbortSignal, cutOff: () => void) => Promise<T>;
}

// Most answers come within it, and then one stop is enough.
const promptAnswerMs = 2_000;
// How long a request may be on its way before it counts as one that never arrives.
const lateAnswerMs = 10_000;

/**
 * A runtime whose stops last. A request that reaches a stopped session starts the session again, and a request that nobody
 * waits for any more may still be on its way. Such a request is not cut off, but followed until it is answered. A stop waits
 * for it for a moment, and where it takes longer the session is stopped once more afterwards.
 * Source: https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-sessions.html
 */
export class SessionCalls implements AgentRuntime {
  readonly #deps: SessionCallsDeps;
  /** By session: what resolves once a call can no longer reach it. */
  readonly #open = new Map<string, Set<Promise<void>>>();
  readonly #closing = new AbortController();

  constructor(deps: SessionCallsDeps) {
    this.#deps = deps;
  }

  get tellsLeaving(): boolean {
    return this.#deps.runtime.tellsLeaving === true;
  }

  get isLocal(): boolean {
    return this.#deps.runtime.isLocal === true;
  }

  /** @throws what the runtime throws */
  async check(options?: CallOptions): Promise<void> {
    await this.#deps.runtime.check?.(options);
  }

  /** @throws what the runtime throws; the signal's reason, at once */
  async invoke(request: InvokeRequest, options: InvocationOptions = {}): Promise<InvocationAnswer> {
    const { signal, onLeaving, onRefused } = options;
    let mayArrive = !this.tellsLeaving;
    return this.#toItsEnd(request.sessionId, signal, {
      mayArrive: () => mayArrive,
      send: async (own, cutOff) =>
        this.#deps.runtime.invoke(request, {
          signal: own,
          onLeaving: () => {
            mayArrive = true;
            onLeaving?.();
          },
          onRefused: () => {
            mayArrive = false;
            onRefused?.();
            if (signal?.aborted === true) cutOff();
          },
        }),
    });
  }

  /** As the runtime does. A handshake starts the session as an invocation does, so it is followed in the same way. */
  get openSocket(): AgentRuntime['openSocket'] {
    const { runtime } = this.#deps;
    if (runtime.openSocket === undefined) return undefined;
    return async (sessionId, { signal } = {}) =>
      this.#toItsEnd(sessionId, signal, {
        mayArrive: () => true,
        send: async (own) => {
          const socket = await runtime.openSocket!(sessionId, { signal: own });
          // Nobody has it, so nobody else would close it.
          if (signal?.aborted === true) socket.terminate();
          return socket;
        },
      });
  }

  /** @throws what the runtime throws */
  async stop(sessionId: string, options: CallOptions = {}): Promise<StopOutcome> {
    const { runtime } = this.#deps;
    await this.#whenAnswered(sessionId, promptAnswerMs);
    const isAnswered = !this.#open.has(sessionId);
    const outcome = await runtime.stop(sessionId, options);
    if (isAnswered) return outcome;
    await this.#whenAnswered(sessionId, lateAnswerMs);
    await runtime.stop(sessionId, options);
    return outcome;
  }

  /** Cuts off what is still on its way. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the client was closed'));
    if (this.#deps.ownsRuntime) await this.#deps.runtime.close?.();
  }

  /** Sends something. Where its signal aborts, it rejects at once, and is followed all the same if it may arrive. */
  async #toItsEnd<T>(
    sessionId: string,
    signal: AbortSignal | undefined,
    { mayArrive, send }: FollowedCall<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const call = new AbortController();
    const cutOff = (): void => call.abort(signal?.reason ?? this.#closing.signal.reason);
    let cancelTimer: (() => void) | undefined;
    const { promise: abandoned, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => {
      reject(signal?.reason);
      if (!mayArrive() || this.#closing.signal.aborted) cutOff();
      else cancelTimer = this.#deps.clock.after(lateAnswerMs, cutOff);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#closing.signal.addEventListener('abort', cutOff, { once: true });
    const sent = send(call.signal, cutOff);
    this.#follow(sessionId, sent, call.signal, () => {
      cancelTimer?.();
      signal?.removeEventListener('abort', onAbort);
      this.#closing.signal.removeEventListener('abort', cutOff);
    });
    return Promise.race([sent, abandoned]);
  }

  #follow(sessionId: string, sent: Promise<unknown>, signal: AbortSignal, onEnd: () => void): void {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const calls = this.#open.get(sessionId) ?? new Set();
    this.#open.set(sessionId, calls.add(ended));
    const end = (): void => {
      if (!calls.delete(ended)) return;
      if (calls.size === 0) this.#open.delete(sessionId);
      signal.removeEventListener('abort', end);
      onEnd();
      resolve();
    };
    // A runtime that looks at no signal must not hold a stop up.
    signal.addEventListener('abort', end, { once: true });
    sent.then(end, end);
  }

  async #whenAnswered(sessionId: string, atMostMs: number): Promise<void> {
    const calls = this.#open.get(sessionId);
    if (calls !== undefined) await settleWithin([...calls], atMostMs, this.#deps.clock);
  }
}
