import { askPatiently, type Clock } from '@art/async';
import type { CallOptions } from '@art/protocol';
import type { PutOutcome, ResultLocation, ResultStore } from '@art/store';
import type { JournalHolder } from '../holder/journal-holder.ts';
import { decodeRecord } from '../records/record-codec.ts';

// Reading one after the other would cost a round trip each; this many are asked for ahead.
const readAhead = 16;

/** Whose a segment is. */
export interface SegmentOwner {
  holder: JournalHolder;
  /** The segment by which it claimed the run. */
  claim: number;
  /** Whether it let the run go with this segment. */
  isReleased: boolean;
}

export interface RunKeysParts {
  store: ResultStore;
  bucket: string;
  clock: Clock;
}

/** Where the segments and signs of life of one run are in a store. */
export class RunKeys {
  readonly runId: string;
  /** Names the journal in messages. */
  readonly where: string;
  readonly #folder: string;
  readonly #store: ResultStore;
  readonly #bucket: string;
  readonly #clock: Clock;

  constructor(runId: string, prefix: string, { store, bucket, clock }: RunKeysParts) {
    this.#clock = clock;
    this.runId = runId;
    this.where = `bucket ${JSON.stringify(bucket)} under ${prefix}/`;
    this.#folder = `${prefix}/${runId}`;
    this.#store = store;
    this.#bucket = bucket;
  }

  async exists(options: CallOptions): Promise<boolean> {
    const [begun, removed] = await Promise.all([
      this.#exists(this.#segmentAt(1), options),
      this.#exists(this.#at('removed'), options),
    ]);
    return begun && !removed;
  }

  /** The number of the last segment; undefined where there is no run. Numbers have no gaps, so few looks find it. */
  async lastSegment(options: CallOptions): Promise<number | undefined> {
    if (!(await this.exists(options))) return undefined;
    let present = 1;
    let absent = 2;
    while (await this.#exists(this.#segmentAt(absent), options)) {
      present = absent;
      absent *= 2;
    }
    while (absent - present > 1) {
      const middle = Math.floor((present + absent) / 2);
      if (await this.#exists(this.#segmentAt(middle), options)) present = middle;
      else absent = middle;
    }
    return present;
  }

  /** Who wrote a segment, and whether it let the run go with it. */
  async owner(segment: number, options: CallOptions): Promise<SegmentOwner> {
    const text = await this.get(segment, options);
    const lines = (text ?? '').split('\n').slice(0, -1);
    const record = decodeRecord(lines[0] ?? '', 1);
    if (record?.type !== 'owner')
      throw new Error(`segment ${segment} of run ${this.runId} does not begin with its owner`);
    const last = decodeRecord(lines.at(-1) ?? '', lines.length);
    return { holder: record.holder, claim: record.claim ?? segment, isReleased: last?.type === 'released' };
  }

  put(segment: number, text: string, options: CallOptions): Promise<PutOutcome> {
    const at = this.#segmentAt(segment);
    // One that was stored and not answered is found taken by the next try; whose text it is tells the caller.
    return this.#ask((signal) => this.#store.put(at, text, { signal, ifAbsent: true }), options);
  }

  get(segment: number, options: CallOptions): Promise<string | undefined> {
    return this.#get(this.#segmentAt(segment), options);
  }

  /** The texts of all segments in order, up to and with `last`. */
  async *segments(
    options: CallOptions,
    last = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<string, void, undefined> {
    const ahead: Promise<string | undefined>[] = [];
    let next = 1;
    try {
      for (;;) {
        while (ahead.length < readAhead && next <= last) {
          const text = this.get(next++, options);
          // It may fail while an earlier one is being handed out; it is awaited in its turn.
          text.catch(() => undefined);
          ahead.push(text);
        }
        const text = await ahead.shift();
        if (text === undefined) return;
        yield text;
      }
    } finally {
      await Promise.allSettled(ahead);
    }
  }

  /** Shows that the owner by this segment lives. */
  async beat(claimSegment: number, count: number, options: CallOptions): Promise<void> {
    const at = this.#beatAt(claimSegment);
    // A stalled one must not cost the lease.
    await this.#ask((signal) => this.#store.put(at, String(count), { signal }), options);
  }

  /** Changes whenever the owner stores something or shows that it lives. */
  async signOfLife(lastSegment: number, claimSegment: number, options: CallOptions): Promise<string> {
    const [beat, next] = await Promise.all([
      this.#get(this.#beatAt(claimSegment), options),
      this.#exists(this.#segmentAt(lastSegment + 1), options),
    ]);
    return `${beat} ${next}`;
  }

  async markRemoved(options: CallOptions): Promise<void> {
    await this.#store.put(this.#at('removed'), 'removed', options);
  }

  #exists(at: ResultLocation, options: CallOptions): Promise<boolean> {
    return this.#ask((signal) => this.#store.exists(at, { signal }), options);
  }

  #get(at: ResultLocation, options: CallOptions): Promise<string | undefined> {
    return this.#ask((signal) => this.#store.get(at, { signal }), options);
  }

  #ask<T>(ask: (signal: AbortSignal) => Promise<T>, { signal }: CallOptions): Promise<T> {
    return askPatiently(ask, { signal, clock: this.#clock });
  }

  #segmentAt(segment: number): ResultLocation {
    return this.#at(`${String(segment).padStart(8, '0')}.jsonl`);
  }

  #beatAt(claimSegment: number): ResultLocation {
    return this.#at(`beat-${String(claimSegment).padStart(8, '0')}`);
  }

  #at(name: string): ResultLocation {
    return { bucket: this.#bucket, key: `${this.#folder}/${name}` };
  }
}
