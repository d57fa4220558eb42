import type { AgentRuntime, CallOptions, InvocationAnswer, InvokeRequest, StopOutcome } from '@art/protocol';

const never = <T>(): Promise<T> => new Promise(() => undefined);

/** A runtime as one process sees it: once that process is dead, nothing that it does has an effect, and no answer reaches it. */
export class MortalRuntime implements AgentRuntime {
  readonly #runtime: AgentRuntime;
  isDead = false;

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime;
  }

  async invoke(request: InvokeRequest, options?: CallOptions): Promise<InvocationAnswer> {
    return this.#unlessDead(() => this.#runtime.invoke(request, options));
  }

  async stop(sessionId: string, options?: CallOptions): Promise<StopOutcome> {
    return this.#unlessDead(() => this.#runtime.stop(sessionId, options));
  }

  async #unlessDead<T>(call: () => Promise<T>): Promise<T> {
    if (this.isDead) return never();
    const answer = await call();
    return this.isDead ? never() : answer;
  }
}
