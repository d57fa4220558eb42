import {
  classifyRuntimeFailure,
  type AgentRuntime,
  type CallOptions,
  type InvocationAnswer,
  type InvokeRequest,
  type RuntimeError,
  type StopOutcome,
} from '@art/protocol';

/** A call as it reached the fake. */
export interface FakeCall {
  operation: 'invoke' | 'stop';
  sessionId: string;
  /** `performance.now()`. */
  atMs: number;
}

/** The fake's answer to a call: an error, a wait, or (undefined) acceptance. */
export type FakeAnswer = RuntimeError | Promise<unknown> | undefined;

/** A runtime that notes when it is called and answers as it is told. */
export class FakeRuntime implements AgentRuntime {
  readonly calls: FakeCall[] = [];
  readonly #answer: (call: FakeCall) => FakeAnswer;

  constructor(answer: (call: FakeCall) => FakeAnswer = () => undefined) {
    this.#answer = answer;
  }

  async invoke(request: InvokeRequest, options?: CallOptions): Promise<InvocationAnswer> {
    await this.#take('invoke', request.sessionId, options?.signal);
    return { body: '{"status":"processing"}', sessionId: request.sessionId };
  }

  async stop(sessionId: string, options?: CallOptions): Promise<StopOutcome> {
    await this.#take('stop', sessionId, options?.signal);
    return { kind: 'stopped' };
  }

  async #take(
    operation: 'invoke' | 'stop',
    sessionId: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    signal?.throwIfAborted();
    const call: FakeCall = { operation, sessionId, atMs: performance.now() };
    this.calls.push(call);
    const answer = this.#answer(call);
    if (answer instanceof Promise) {
      await new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        answer.then(resolve, reject);
      });
    } else if (answer !== undefined) throw answer;
  }
}

/** The failure that a runtime reports for an HTTP status; none for a broken connection. */
export function failure(httpStatus?: number, retryAfterMs?: number): RuntimeError {
  return classifyRuntimeFailure({ operation: 'InvokeAgentRuntime', httpStatus, retryAfterMs });
}

/** The most calls that any window of `windowMs` holds. */
export function mostInWindow(timesMs: readonly number[], windowMs: number): number {
  let most = 0;
  let first = 0;
  for (const [index, time] of timesMs.entries()) {
    while (time - timesMs[first]! >= windowMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
