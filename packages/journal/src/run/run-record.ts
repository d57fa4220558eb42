import type { Clock } from '@art/async';
import type { RolloutOutcome } from '@art/protocol';
import { payloadDigest, type PayloadDigests } from '../history/payload-digests.ts';
import type { RunLog } from '../log/rollout-journal.ts';
import type { IntendedRecord, JournalRecord, RunHeader, StoppedRecord } from '../records/journal-record.ts';
import { encodeRecord } from '../records/record-codec.ts';

/** Which attempt at what a rollout is. */
export interface RolloutPlace {
  /** Position of the item in the source. */
  index: number;
  /** Undefined in a batch. */
  member?: number | undefined;
  attempt: number;
}

/** What is written down of a rollout before it is sent, its payload's digest aside. */
export type RolloutIntention = RolloutPlace &
  Pick<IntendedRecord, 'inputId' | 'sessionId' | 'attemptId' | 'bucket' | 'resultKey'>;

export interface RunRecordParts {
  log: RunLog;
  header: RunHeader;
  digests: PayloadDigests | undefined;
  nextRollout: number;
  clock: Clock;
}

/**
 * The record of the run that this process works on, line by line. Intentions and acknowledgements are waited for; everything
 * else is written soon, in order, for all of it can be found out again.
 */
export class RunRecord {
  readonly header: RunHeader;
  readonly #log: RunLog;
  readonly #digests: PayloadDigests | undefined;
  readonly #clock: Clock;
  #nextRollout: number;

  constructor(parts: RunRecordParts) {
    this.header = parts.header;
    this.#log = parts.log;
    this.#digests = parts.digests;
    this.#nextRollout = parts.nextRollout;
    this.#clock = parts.clock;
  }

  /** Aborts when nothing more can be written; its reason is an ArtError. */
  get broken(): AbortSignal {
    return this.#log.broken;
  }

  /** Numbers a rollout that is about to begin; later lines name it so. */
  newRollout(): number {
    return this.#nextRollout++;
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  intended(rollout: number, intention: RolloutIntention, payload: unknown): Promise<void> {
    const digest = this.#digests?.at(intention.index) ?? payloadDigest(payload);
    return this.#commit({
      type: 'intended',
      rollout,
      ...intention,
      payloadDigest: digest,
      atMs: this.#nowMs(),
    });
  }

  /** @param speaksRip whether the agent runs no attempt twice and can be asked for it */
  accepted(rollout: number, speaksRip: boolean): void {
    this.#append({ type: 'accepted', rollout, atMs: this.#nowMs(), speaksRip });
  }

  /** @param hasSession whether there is a session to be stopped */
  settled(rollout: number, outcome: RolloutOutcome, hasSession: boolean): void {
    this.#append({
      type: 'settled',
      rollout,
      atMs: this.#nowMs(),
      outcome: outcome.kind,
      reward: outcome.kind === 'ok' ? outcome.reward : undefined,
      errorCode: outcome.kind === 'ok' ? undefined : outcome.error.code,
      sessionless: hasSession ? undefined : true,
    });
  }

  stopped(rollout: number, result: StoppedRecord['result']): void {
    this.#append({ type: 'stopped', rollout, atMs: this.#nowMs(), result });
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  acknowledge(index: number): Promise<void> {
    return this.#commit({ type: 'acknowledged', index, atMs: this.#nowMs() });
  }

  sourceEnded(count: number): void {
    this.#append({ type: 'source_ended', count });
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  finished(): Promise<void> {
    return this.#commit({ type: 'finished', atMs: this.#nowMs() });
  }

  /** Lets go of the run. Idempotent. */
  close(): Promise<void> {
    return this.#log.close();
  }

  #append(record: JournalRecord): void {
    if (!this.broken.aborted) this.#log.append(encodeRecord(record));
  }

  #commit(record: JournalRecord): Promise<void> {
    return this.#log.commit(encodeRecord(record));
  }

  #nowMs(): number {
    return Math.max(0, Math.round(this.#clock.epochMs()));
  }
}
