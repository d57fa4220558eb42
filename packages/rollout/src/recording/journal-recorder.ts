import type { RolloutPlace, RunRecord } from '@art/journal';
import type { RolloutOutcome } from '@art/protocol';
import type { RolloutRecorder } from '../lifecycle/rollout-recorder.ts';
import type { StopResult } from '../lifecycle/session-stops.ts';
import type { RolloutAddress } from '../request/rollout-request.ts';

/** What a new rollout is an attempt at. */
export interface IntendedWork {
  place: RolloutPlace;
  payload: unknown;
}

/** Writes the steps of one rollout into the record of its run. */
export class JournalRecorder implements RolloutRecorder {
  readonly #record: RunRecord;
  readonly #rollout: number;
  #work: IntendedWork | undefined;

  /** @param work undefined for a rollout that an earlier process began */
  constructor(record: RunRecord, rollout: number, work?: IntendedWork) {
    this.#record = record;
    this.#rollout = rollout;
    this.#work = work;
  }

  async intended({ inputId, sessionId, attemptId, bucket, resultKey }: RolloutAddress): Promise<void> {
    if (this.#work === undefined) return;
    const { place, payload } = this.#work;
    // Payloads can be large, and nobody needs it here any more.
    this.#work = undefined;
    const intention = { ...place, inputId, sessionId, attemptId, bucket, resultKey };
    await this.#record.intended(this.#rollout, intention, payload);
  }

  accepted(speaksRip: boolean): void {
    this.#record.accepted(this.#rollout, speaksRip);
  }

  settled(outcome: RolloutOutcome, hasSession: boolean): void {
    this.#record.settled(this.#rollout, outcome, hasSession);
  }

  stopped(result: StopResult['kind']): void {
    this.#record.stopped(this.#rollout, result);
  }
}
