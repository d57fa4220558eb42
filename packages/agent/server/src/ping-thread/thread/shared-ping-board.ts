import type { PingReply, PingStatus } from '@art/protocol';
import type { PingBoard, PingState } from '../../ping/ping-thread.ts';

const places = { reported: 0, mode: 1, busy: 2, said: 3 } as const;
const modes = ['tasks', 'handler', 'forced'] as const;

/** A ping board in memory that the thread of the pings reads while the main thread is busy. */
export class SharedPingBoard implements PingBoard {
  /** For the other thread. */
  readonly memory: SharedArrayBuffer;
  readonly #words: BigUint64Array;

  /** @param memory that of the board to share. @default memory of its own */
  constructor(memory = new SharedArrayBuffer(Object.keys(places).length * BigUint64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new BigUint64Array(memory);
  }

  publish({ mode, busy, said }: PingState): void {
    this.#store('busy', isBusy(busy));
    if (said !== undefined) this.#store('said', isBusy(said === 'HealthyBusy'));
    this.#store('mode', BigInt(modes.indexOf(mode)));
  }

  /** The state that was published last. */
  read(): Required<PingState> {
    return {
      mode: modes[Number(this.#load('mode'))]!,
      busy: this.#load('busy') === 1n,
      said: this.#load('said') === 1n ? 'HealthyBusy' : 'Healthy',
    };
  }

  forgetTime(): void {
    this.#store('reported', 0n);
  }

  // One word, so that both threads see a status with its own time: twice the unix seconds, plus 1 while `HealthyBusy`.
  report(status: PingStatus, nowMs: number): PingReply {
    const wanted = isBusy(status === 'HealthyBusy');
    let word = this.#load('reported');
    if (word === 0n || (word & 1n) !== wanted) {
      word = (BigInt(Math.floor(nowMs / 1_000)) << 1n) | wanted;
      this.#store('reported', word);
    }
    return { status, time_of_last_update: Number(word >> 1n) };
  }

  #load(place: keyof typeof places): bigint {
    return Atomics.load(this.#words, places[place]);
  }

  #store(place: keyof typeof places, value: bigint): void {
    Atomics.store(this.#words, places[place], value);
  }
}

function isBusy(busy: boolean): bigint {
  return busy ? 1n : 0n;
}
