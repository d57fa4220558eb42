import type { RolloutOutcome } from '@art/protocol';
import type { IntendedRecord, JournalRecord, StoppedRecord } from '../records/journal-record.ts';

/** Where a rollout runs and where its result will be. */
export type RolloutIntention = Pick<
  IntendedRecord,
  'inputId' | 'sessionId' | 'invocationId' | 'bucket' | 'resultKey'
>;

/** The work that a new rollout is an attempt at. `item` is the id of its item. */
export type IntendedWork = Pick<IntendedRecord, 'index' | 'member' | 'attempt' | 'payloadDigest'> & {
  item: string;
};

/** Receiver of a rollout's lines. */
interface RunLines {
  readonly nowMs: number;
  append(record: JournalRecord): void;
  commit(record: JournalRecord): Promise<void>;
}

/** The steps of one rollout, each a line of the record of its run. */
export class RolloutLog {
  readonly #rollout: number;
  readonly #run: RunLines;
  #work: IntendedWork | undefined;

  /** @param work undefined for a rollout that an earlier process began */
  constructor(rollout: number, run: RunLines, work?: IntendedWork) {
    this.#rollout = rollout;
    this.#run = run;
    this.#work = work;
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  async intended(address: RolloutIntention): Promise<void> {
    if (this.#work === undefined) return;
    const { inputId, sessionId, invocationId, bucket, resultKey } = address;
    const work = this.#work;
    this.#work = undefined;
    await this.#run.commit({
      type: 'intended',
      rollout: this.#rollout,
      ...work,
      inputId,
      sessionId,
      invocationId,
      bucket,
      resultKey,
      atMs: this.#run.nowMs,
    });
  }

  /** @param speaksRip whether the agent runs no invocation twice and can be asked for it */
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
