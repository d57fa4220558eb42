import { type Clock, Semaphore, describeThrown } from '@art/ground';
import { type AgentRuntime, type StopOutcome } from '@art/protocol';

export type StopResult = StopOutcome | { kind: 'failed'; error: unknown };

export interface SessionStopsDeps {
  runtime: AgentRuntime;
  clock: Clock;
  /** How long to wait while no stop comes to an end, before those that wait count as failed. */
  stopTimeoutMs: number;
  /** Tells the operator of something that costs money or needs repair and belongs to no caller. */
  warn: (message: string) => void;
}

// Of sessions that nobody waits for.
const mostAtOnce = 32;

/**
 * Stops the sessions of a client. A session that continues costs money, so the runtime tries for as long as it takes; what
 * waits for it does so only until no stop has ended for `stopTimeoutMs`. A long queue that moves is no failure.
 */
export class SessionStops {
  readonly #deps: SessionStopsDeps;
  readonly #givingUp = new AbortController();
  /** The stops under way, each with its session. */
  readonly #open = new Map<Promise<StopResult>, string>();
  #lastEndMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SessionStopsDeps) {
    this.#deps = deps;
  }

  /**
   * Stops a session. Never throws: the outcome of a rollout does not depend on it, so a failure is reported to the operator. What
   * has failed because it took too long is still tried, until `close()`.
   */
  async stop(sessionId: string): Promise<StopResult> {
    const { clock, stopTimeoutMs, warn } = this.#deps;
    const stopping = this.#stop(sessionId);
    this.#open.set(stopping, sessionId);
    void stopping.then(() => {
      this.#open.delete(stopping);
      this.#lastEndMs = clock.nowMs();
    });
    const result = await this.#whileStopsEnd(stopping, clock.nowMs());
    if (result !== undefined) return result;
    const error = new Error(`no stop has ended for ${stopTimeoutMs} ms`);
    warn(
      `Session ${sessionId} is not stopped yet: ${error.message}. It is tried until the client is closed.`,
    );
    return { kind: 'failed', error };
  }

  /** Stops sessions whose rollouts nobody waits for. Never throws. */
  async stopEach<Session extends { sessionId: string }>(
    sessions: readonly Session[],
    onStopped: (session: Session, result: StopResult['kind']) => void,
  ): Promise<void> {
    const limit = new Semaphore(mostAtOnce);
    await Promise.all(
      sessions.map((session) =>
        limit.run(undefined, async () => onStopped(session, (await this.stop(session.sessionId)).kind)),
      ),
    );
  }

  /**
   * Waits for the stops that are under way, then gives up what is left and names it.
   * @param sinceMs when the waiting began
   */
  async close(sinceMs: number): Promise<void> {
    await this.#whileStopsEnd(Promise.all(this.#open.keys()), sinceMs);
    const left = [...this.#open.values()];
    this.#givingUp.abort(new Error('the client was closed'));
    if (left.length > 0)
      this.#deps.warn(
        `Not stopped before the client closed, and may continue until their idle timeout: sessions ${left.join(', ')}`,
      );
  }

  async #stop(sessionId: string): Promise<StopResult> {
    const { runtime, warn } = this.#deps;
    const { signal } = this.#givingUp;
    try {
      return await runtime.stop(sessionId, { signal });
    } catch (error) {
      if (!signal.aborted)
        warn(
          `Session ${sessionId} could not be stopped and may continue until its idle timeout: ${describeThrown(error).message}`,
        );
      return { kind: 'failed', error };
    }
  }

  /** Waits for `work`; undefined when no stop has ended for `stopTimeoutMs`, counted from `sinceMs` at the earliest. */
  async #whileStopsEnd<T>(work: Promise<T>, sinceMs: number): Promise<T | undefined> {
    const { clock, stopTimeoutMs } = this.#deps;
    for (;;) {
      const leftMs = Math.max(sinceMs, this.#lastEndMs) + stopTimeoutMs - clock.nowMs();
      if (leftMs <= 0) return undefined;
      const over = Promise.withResolvers<undefined>();
      const cancel = clock.after(leftMs, () => over.resolve(undefined));
      const result = await Promise.race([work, over.promise]);
      cancel();
      if (result !== undefined) return result;
    }
  }
}
