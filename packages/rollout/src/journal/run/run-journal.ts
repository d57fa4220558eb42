import type { Clock } from '@art/async';
import type { RolloutRecorder } from '../../lifecycle/rollout-recorder.ts';
import type { StopResult } from '../../lifecycle/session-stops.ts';
import type { JournalRecord, RunRecord } from '../journal-record.ts';
import { encodeRecord } from '../record-codec.ts';
import type { JournalLog } from '../rollout-journal.ts';
import { payloadDigest, type PayloadDigests } from './payload-digests.ts';

/** Which attempt at what a rollout is. */
export interface RolloutPlace {
  /** Position of the item in the source. */
  index: number;
  /** Undefined in a batch. */
  member?: number | undefined;
  attempt: number;
}

export interface RunJournalParts {
  log: JournalLog;
  run: RunRecord;
  digests: PayloadDigests | undefined;
  nextRollout: number;
  clock: Clock;
}

/**
 * The journal of the run that this process works on. Intentions and acknowledgements are waited for; everything else is
 * written soon, in order, for all of it can be found out again.
 */
export class RunJournal {
  readonly run: RunRecord;
  readonly #log: JournalLog;
  readonly #digests: PayloadDigests | undefined;
  readonly #clock: Clock;
  #nextRollout: number;

  constructor(parts: RunJournalParts) {
    this.run = parts.run;
    this.#log = parts.log;
    this.#digests = parts.digests;
    this.#nextRollout = parts.nextRollout;
    this.#clock = parts.clock;
  }

  /** Aborts when nothing more can be written; its reason is an ArtError. */
  get broken(): AbortSignal {
    return this.#log.broken;
  }

  /** A recorder for a rollout that is about to begin. */
  recorder(place: RolloutPlace, payload: unknown): RolloutRecorder {
    const rollout = this.#nextRollout++;
    return {
      ...this.adoptedRecorder(rollout),
      intended: ({ inputId, sessionId, attemptId, bucket, resultKey }) =>
        this.#commit({
          type: 'intended',
          rollout,
          ...place,
          inputId,
          sessionId,
          attemptId,
          bucket,
          resultKey,
          payloadDigest: this.#digests?.at(place.index) ?? payloadDigest(payload),
          atMs: this.#nowMs(),
        }),
    };
  }

  /** A recorder for a rollout that an earlier process began. */
  adoptedRecorder(rollout: number): RolloutRecorder {
    return {
      intended: () => Promise.resolve(),
      accepted: (speaksRip) => this.#append({ type: 'accepted', rollout, atMs: this.#nowMs(), speaksRip }),
      settled: (outcome, hasSession) =>
        this.#append({
          type: 'settled',
          rollout,
          atMs: this.#nowMs(),
          outcome: outcome.kind,
          reward: outcome.kind === 'ok' ? outcome.reward : undefined,
          errorCode: outcome.kind === 'ok' ? undefined : outcome.error.code,
          sessionless: hasSession ? undefined : true,
        }),
      stopped: (result) => this.stopped(rollout, result),
    };
  }

  stopped(rollout: number, result: StopResult['kind']): void {
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
