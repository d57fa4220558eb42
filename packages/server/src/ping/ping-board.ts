import type { PingReply, PingStatus } from '@art/protocol';

/**
 * Where the numbers of the board stand in its memory. The thread that answers pings is given this table, so that both
 * sides read the same places.
 */
export const pingBoardPlaces = {
  /** What was last reported and since when: twice the unix seconds, plus 1 while `HealthyBusy`. */
  reported: 0,
  /** 0: tasks decide, 1: the app's own ping handler does, 2: a status is forced. */
  mode: 1,
  /** 1 while background work goes on. */
  busy: 2,
  /** What the ping handler said last, or what is forced; 1 is `HealthyBusy`. */
  said: 3,
} as const;

export const pingModes = { tasks: 0, handler: 1, forced: 2 } as const;

/** What `/ping` is answered from, in memory that the thread of the pings can read while this one is busy. */
export class PingBoard {
  /** For the thread that answers pings. */
  readonly memory = new SharedArrayBuffer(4 * BigUint64Array.BYTES_PER_ELEMENT);
  readonly #words = new BigUint64Array(this.memory);

  set mode(mode: keyof typeof pingModes) {
    Atomics.store(this.#words, pingBoardPlaces.mode, BigInt(pingModes[mode]));
  }

  set busy(busy: boolean) {
    Atomics.store(this.#words, pingBoardPlaces.busy, busy ? 1n : 0n);
  }

  set said(status: PingStatus) {
    Atomics.store(this.#words, pingBoardPlaces.said, status === 'HealthyBusy' ? 1n : 0n);
  }

  /** Notes what is reported. Its time moves only when the status does, whichever thread reports it. */
  report(status: PingStatus, nowMs: number): PingReply {
    const wanted = status === 'HealthyBusy' ? 1n : 0n;
    let word = Atomics.load(this.#words, pingBoardPlaces.reported);
    if (word === 0n || (word & 1n) !== wanted) {
      word = (BigInt(Math.floor(nowMs / 1_000)) << 1n) | wanted;
      Atomics.store(this.#words, pingBoardPlaces.reported, word);
    }
    return { status, time_of_last_update: Number(word >> 1n) };
  }
}
