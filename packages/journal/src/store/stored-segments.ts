import type { CallOptions } from '@art/protocol';
import { runTakenOver } from '../log/journal-refusal.ts';
import type { ResultStore } from '@art/store';
import type { RunSegments, SegmentOwner, SegmentSettings, SegmentWriter } from '../log/run-segments.ts';
import { encodeRecord } from '../records/record-codec.ts';

export interface StoreSettings extends SegmentSettings {
  store: ResultStore;
  bucket: string;
  /** How long a write that fails is tried again. */
  giveUpMs: number;
}

/** A run in a store. */
export interface StoredRun extends RunSegments {
  /** Shows that the owner by this claim lives. */
  beat(claim: number, count: number, options: CallOptions): Promise<void>;
}

export const beatsPerLease = 3;

/** The segments that this process stores, one after the other, behind that of its claim. */
export class StoredSegments implements SegmentWriter {
  readonly #run: StoredRun;
  readonly #owner: SegmentOwner;
  readonly #settings: StoreSettings;
  readonly #closing = new AbortController();
  readonly #ownerLine: string;
  #next: number;
  #beats = 0;
  #lastSignMs: number;

  constructor(run: StoredRun, owner: SegmentOwner, settings: StoreSettings) {
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
