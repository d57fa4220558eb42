import { type Clock, backgroundClock, ArtError } from '@art/ground';
import { TinkerFailure } from '../wire/tinker-failure.ts';
import type { TinkerRequests } from '../wire/tinker-requests.ts';

const everyMs = 10_000;
/** From here on the server may end the session. */
const alarmingMs = 120_000;

/** Tells the server every 10 s that the session is wanted. Without it the session ends. */
export class Heartbeats {
  readonly #requests: TinkerRequests;
  readonly #sessionId: string;
  readonly #onNotice: (message: string) => void;
  readonly #onEnd: (error: Error) => void;
  readonly #clock: Clock;
  readonly #stopped = new AbortController();
  #lastAtMs: number;
  #cancel: () => void = () => undefined;

  /** @param onEnd hears that the server has ended the session */
  constructor(
    requests: TinkerRequests,
    sessionId: string,
    {
      onNotice,
      onEnd,
      clock = backgroundClock,
    }: { onNotice: (message: string) => void; onEnd: (error: Error) => void; clock?: Clock },
  ) {
    this.#requests = requests;
    this.#sessionId = sessionId;
    this.#onNotice = onNotice;
    this.#onEnd = onEnd;
    this.#clock = clock;
    this.#lastAtMs = clock.nowMs();
    this.#next();
  }

  stop(): void {
    this.#cancel();
    this.#stopped.abort();
  }

  #next(): void {
    if (this.#stopped.signal.aborted) return;
    this.#cancel = this.#clock.after(everyMs, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    try {
      await this.#requests.send(
        '/session_heartbeat',
        { session_id: this.#sessionId, type: 'session_heartbeat' },
        { signal: this.#stopped.signal, isRetried: false },
      );
      this.#lastAtMs = this.#clock.nowMs();
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      if (error instanceof TinkerFailure && error.status === 410) {
        this.#onEnd(
          new ArtError({
            code: 'ART_TINKER_SESSION_ENDED',
            message: 'The server has ended the session.',
            cause: error,
          }),
        );
        return;
      }
      const silentMs = this.#clock.nowMs() - this.#lastAtMs;
      if (silentMs >= alarmingMs)
        this.#onNotice(
          `The server has heard nothing of the session for ${Math.round(silentMs / 1_000)} s, and may end it.`,
        );
    }
    this.#next();
  }
}
