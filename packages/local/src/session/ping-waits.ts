import type { PingObservation } from '../process/ping-agent.ts';

/** How long an agent kept its pings waiting. */
export interface PingWait {
  /** Which of the session's waits it is, counted from 1. */
  seq: number;
  waitedMs: number;
  /** Whether it has ended with an answer. */
  over: boolean;
}

// An agent that is not blocked answers within milliseconds; a machine with much to do takes longer.
const worthTellingMs = 1_000;

/** Notices agents that do not get to answer their pings, for example because a handler blocks their event loop. */
export class PingWaits {
  /** The last one; undefined while there was none. */
  last: PingWait | undefined;
  #sinceMs: number | undefined;

  /** Takes a ping into account. One that failed at once says nothing: nobody listens, or it was lost on purpose. */
  pinged(observation: PingObservation, { sentAtMs, nowMs }: { sentAtMs: number; nowMs: number }): void {
    const answered = observation.kind === 'answered';
    if (nowMs - sentAtMs >= worthTellingMs) this.#sinceMs ??= sentAtMs;
    if (this.#sinceMs === undefined) return;
    const { last } = this;
    const seq = last === undefined ? 1 : last.over ? last.seq + 1 : last.seq;
    this.last = { seq, waitedMs: nowMs - this.#sinceMs, over: answered };
    if (answered) this.#sinceMs = undefined;
  }
}
