import type { Clock } from '@art/async';
import type { RolloutOutcome } from '@art/protocol';
import { payloadDigest, type PayloadDigests } from '../history/payload-digests.ts';
import type { RunHistory } from '../history/run-history.ts';
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

/** Where a rollout runs and where its result will be. */
export type RolloutIntention = Pick<
  IntendedRecord,
  'inputId' | 'sessionId' | 'attemptId' | 'bucket' | 'resultKey'
>;

/** What a new rollout is an attempt at. */
interface IntendedWork {
  place: RolloutPlace;
  payload: unknown;
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

  constructor(log: RunLog, { run: header, digests, nextRollout }: RunHistory, clock: Clock) {
    this.header = header;
    this.#log = log;
    this.#digests = digests;
    this.#clock = clock;
    this.#nextRollout = nextRollout;
  }

  /** Aborts when nothing more can be written; its reason is an ArtError. */
  get broken(): AbortSignal {
    return this.#log.broken;
  }

  /** A rollout that is about to begin. */
  newRollout(place: RolloutPlace, payload: unknown): RolloutRecord {
    return new RolloutRecord(this.#nextRollout++, this, { place, payload });
  }

  /** A rollout that an earlier process began, by its number. */
  rollout(rollout: number): RolloutRecord {
    return new RolloutRecord(rollout, this);
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  acknowledge(index: number): Promise<void> {
    return this.commit({ type: 'acknowledged', index, atMs: this.nowMs });
  }

  sourceEnded(count: number): void {
    this.append({ type: 'source_ended', count });
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  finished(): Promise<void> {
    return this.commit({ type: 'finished', atMs: this.nowMs });
  }

  /** Lets go of the run. Idempotent. */
  close(): Promise<void> {
    return this.#log.close();
  }

  /** Adds a line soon; none after the record has broken. */
  append(record: JournalRecord): void {
    if (!this.broken.aborted) this.#log.append(encodeRecord(record));
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  commit(record: JournalRecord): Promise<void> {
    return this.#log.commit(encodeRecord(record));
  }

  /** Of the item that a place is of. */
  digestOf(index: number, payload: unknown): string {
    return this.#digests?.at(index) ?? payloadDigest(payload);
  }

  /** For lines: whole milliseconds since 1970. */
  get nowMs(): number {
    return Math.max(0, Math.round(this.#clock.epochMs()));
  }
}

/** The steps of one rollout, each a line of the record of its run. */
export class RolloutRecord {
  readonly #rollout: number;
  readonly #run: RunRecord;
  #work: IntendedWork | undefined;

  /** @param work undefined for a rollout that an earlier process began */
  constructor(rollout: number, run: RunRecord, work?: IntendedWork) {
    this.#rollout = rollout;
    this.#run = run;
    this.#work = work;
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  async intended({ inputId, sessionId, attemptId, bucket, resultKey }: RolloutIntention): Promise<void> {
    if (this.#work === undefined) return;
    const { place, payload } = this.#work;
    // Payloads can be large, and nobody needs it here any more.
    this.#work = undefined;
    await this.#run.commit({
      type: 'intended',
      rollout: this.#rollout,
      ...place,
      inputId,
      sessionId,
      attemptId,
      bucket,
      resultKey,
      payloadDigest: this.#run.digestOf(place.index, payload),
      atMs: this.#run.nowMs,
    });
  }

  /** @param speaksRip whether the agent runs no attempt twice and can be asked for it */
  accepted(speaksRip: boolean): void {
    this.#run.append({ type: 'accepted', rollout: this.#rollout, atMs: this.#run.nowMs, speaksRip });
  }

  /** @param hasSession whether there is a session to be stopped */
  settled(outcome: RolloutOutcome, hasSession: boolean): void {
    this.#run.append({
      type: 'settled',
      rollout: this.#rollout,
      atMs: this.#run.nowMs,
      outcome: outcome.kind,
      reward: outcome.kind === 'ok' ? outcome.reward : undefined,
      errorCode: outcome.kind === 'ok' ? undefined : outcome.error.code,
      sessionless: hasSession ? undefined : true,
    });
  }

  stopped(result: StoppedRecord['result']): void {
    this.#run.append({ type: 'stopped', rollout: this.#rollout, atMs: this.#run.nowMs, result });
  }
}
