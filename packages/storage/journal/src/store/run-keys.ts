import { askPatiently, pause } from '@art/ground';
import type { CallOptions } from '@art/protocol';
import type { ResultLocation, ResultStore } from '@art/store';
import { journalWriteFailed, runTakenOver } from '../log/journal-refusal.ts';
import type { RunSegments, SegmentOwner, SegmentSettings, SegmentWriter } from '../log/run-segments.ts';
import { readLines } from '../records/read-lines.ts';
import { decodeRecord, encodeRecord } from '../records/record-codec.ts';
export interface StoreSettings extends SegmentSettings {
  store: ResultStore;
  bucket: string;
  /** How long a write that fails is tried again. */
  giveUpMs: number;
}

export const beatsPerLease = 3;

// Reading one after the other would cost a round trip each; this many are asked for ahead.
const readAhead = 16;

const firstRetryMs = 250;
const longestRetryMs = 5_000;

/** Where the segments and signs of life of one run are in a store. */
export class RunKeys implements RunSegments {
  readonly runId: string;
  /** Names the journal in messages. */
  readonly where: string;
  readonly #folder: string;
  readonly #settings: StoreSettings;

  constructor(runId: string, prefix: string, settings: StoreSettings) {
    this.runId = runId;
    this.where = `bucket ${JSON.stringify(settings.bucket)} under ${prefix}/`;
    this.#folder = `${prefix}/${runId}`;
    this.#settings = settings;
  }

  async exists(options: CallOptions): Promise<boolean> {
    const [begun, removed] = await Promise.all([
      this.#exists(this.#segmentAt(1), options),
      this.#exists(this.#at('removed'), options),
    ]);
    return begun && !removed;
  }

  /** Numbers have no gaps, so few looks find it. */
  async last(options: CallOptions): Promise<number | undefined> {
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

  async owner(segment: number, options: CallOptions): Promise<SegmentOwner | undefined> {
    const text = await this.#get(this.#segmentAt(segment), options);
    const lines = (text ?? '').split('\n').slice(0, -1);
    const record = decodeRecord(lines[0] ?? '', 1);
    if (record?.type !== 'owner')
      throw new Error(`segment ${segment} of run ${this.runId} does not begin with its owner`);
    const last = decodeRecord(lines.at(-1) ?? '', lines.length);
    return last?.type === 'released' ? undefined : { holder: record.holder, claim: record.claim ?? segment };
  }

  /**
   * A store that fails is tried again for a while; as a write may have succeeded although its answer was lost, a taken number is
   * compared with what was to be stored.
   * @throws ArtError `ART_JOURNAL_WRITE_FAILED`; the signal's reason
   */
  async add(segment: number, text: string, options: CallOptions): Promise<'added' | 'taken'> {
    const { store, clock, giveUpMs } = this.#settings;
    const at = this.#segmentAt(segment);
    const givenUpAtMs = clock.nowMs() + giveUpMs;
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(longestRetryMs, retryMs * 2)) {
      try {
        const put = await this.#ask((signal) => store.put(at, text, { signal, ifAbsent: true }), options);
        return put.kind === 'stored' || (await this.#get(at, options)) === text ? 'added' : 'taken';
      } catch (error) {
        options.signal?.throwIfAborted();
        if (clock.nowMs() + retryMs > givenUpAtMs) throw journalWriteFailed(this.runId, this.where, error);
      }
      await pause(retryMs, { clock, signal: options.signal });
    }
  }

  read(options: CallOptions, last?: number): AsyncIterable<readonly string[]> {
    return readLines(this.#texts(options, last));
  }

  writer(owner: SegmentOwner): Promise<SegmentWriter> {
    return Promise.resolve(new StoredSegments(this, owner, this.#settings));
  }

  async *#texts(
    options: CallOptions,
    last = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<string, void, undefined> {
    const ahead: Promise<string | undefined>[] = [];
    let next = 1;
    try {
      for (;;) {
        while (ahead.length < readAhead && next <= last) {
          const text = this.#get(this.#segmentAt(next++), options);
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

  /** Shows that the owner by this claim lives. */
  async beat(claim: number, count: number, options: CallOptions): Promise<void> {
    const at = this.#beatAt(claim);
    // A stalled one must not cost the lease.
    await this.#ask((signal) => this.#settings.store.put(at, String(count), { signal }), options);
  }

  async signOfLife(last: number, claim: number, options: CallOptions): Promise<string> {
    const [beat, next] = await Promise.all([
      this.#get(this.#beatAt(claim), options),
      this.#exists(this.#segmentAt(last + 1), options),
    ]);
    return `${beat} ${next}`;
  }

  async markRemoved(options: CallOptions): Promise<void> {
    await this.#settings.store.put(this.#at('removed'), 'removed', options);
  }

  #exists(at: ResultLocation, options: CallOptions): Promise<boolean> {
    return this.#ask((signal) => this.#settings.store.exists(at, { signal }), options);
  }

  #get(at: ResultLocation, options: CallOptions): Promise<string | undefined> {
    return this.#ask((signal) => this.#settings.store.get(at, { signal }), options);
  }

  #ask<T>(ask: (signal: AbortSignal) => Promise<T>, { signal }: CallOptions): Promise<T> {
    return askPatiently(ask, { signal, clock: this.#settings.clock });
  }

  #segmentAt(segment: number): ResultLocation {
    return this.#at(`${String(segment).padStart(8, '0')}.jsonl`);
  }

  #beatAt(claim: number): ResultLocation {
    return this.#at(`beat-${String(claim).padStart(8, '0')}`);
  }

  #at(name: string): ResultLocation {
    return { bucket: this.#settings.bucket, key: `${this.#folder}/${name}` };
  }
}

/** The segments that this process stores, one after the other, behind that of its claim. */
class StoredSegments implements SegmentWriter {
  readonly #run: RunKeys;
  readonly #owner: SegmentOwner;
  readonly #settings: StoreSettings;
  readonly #closing = new AbortController();
  readonly #ownerLine: string;
  #next: number;
  #beats = 0;
  #lastSignMs: number;

  constructor(run: RunKeys, owner: SegmentOwner, settings: StoreSettings) {
    this.#run = run;
    this.#owner = owner;
    this.#settings = settings;
    this.#next = owner.claim + 1;
    this.#ownerLine = encodeRecord({ type: 'owner', ...owner });
    this.#lastSignMs = settings.clock.nowMs();
  }

  get lastLine(): string {
    return encodeRecord({ type: 'released', atMs: this.#settings.clock.epochMs() });
  }

  async write(text: string): Promise<void> {
    const nowMs = this.#settings.clock.nowMs();
    const added = await this.#run.add(this.#next, `${this.#ownerLine}\n${text}`, {});
    if (added === 'taken') throw runTakenOver(this.#run.runId);
    this.#next += 1;
    this.#lastSignMs = nowMs;
  }

  async keepUp(): Promise<void> {
    const { clock, leaseMs } = this.#settings;
    const nowMs = clock.nowMs();
    const silentMs = nowMs - this.#lastSignMs;
    if (silentMs < leaseMs / beatsPerLease) return;
    const options = { signal: this.#closing.signal };
    let isTakenOver = false;
    try {
      isTakenOver = silentMs > leaseMs / 2 && (await this.#isTakenOver(options));
      if (!isTakenOver) {
        this.#beats += 1;
        await this.#run.beat(this.#owner.claim, this.#beats, options);
        this.#lastSignMs = nowMs;
      }
    } catch {
      // A store that is out of order keeps everybody from claiming as well; the next beat tries again.
    }
    if (isTakenOver) throw runTakenOver(this.#run.runId);
  }

  stopKeepingUp(): void {
    this.#closing.abort(new Error('the journal is being closed'));
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  // Noticed at the next record in any case; a run that waits for long rollouts may not write one for minutes.
  async #isTakenOver(options: CallOptions): Promise<boolean> {
    const last = await this.#run.last(options);
    if (last === undefined || last < this.#next) return false;
    return (await this.#run.owner(last, options))?.claim !== this.#owner.claim;
  }
}
