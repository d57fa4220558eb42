import type { PastPlace, PastRollout, RolloutPlace, RunSession } from '@art/journal';
import type { Adoption, AttemptRecord } from '../pool/attempt-record.ts';
import type { RolloutRecorder } from '../lifecycle/rollout-recorder.ts';
import { adoptRollout, type AdoptRolloutParts } from './adopt-rollout.ts';
import { JournalRecorder } from './journal-recorder.ts';

export type JournaledAttemptsParts = Omit<AdoptRolloutParts, 'agentSpeaksRip' | 'onStopped'>;

/** The attempts of a run as its journal knows them. */
export class JournaledAttempts implements AttemptRecord {
  readonly #session: RunSession;
  readonly #parts: JournaledAttemptsParts;

  constructor(session: RunSession, parts: JournaledAttemptsParts) {
    this.#session = session;
    this.#parts = parts;
  }

  get broken(): AbortSignal {
    return this.#session.record.broken;
  }

  pastOf(place: PastPlace): readonly PastRollout[] {
    return this.#session.pastOf(place);
  }

  async adopt(past: PastRollout, signal: AbortSignal): Promise<Adoption> {
    const { record, history } = this.#session;
    const parts: AdoptRolloutParts = {
      ...this.#parts,
      agentSpeaksRip: history?.agentSpeaksRip,
      onStopped: ({ rollout }, result) => record.stopped(rollout, result),
    };
    const adoption = await adoptRollout(past, parts, signal);
    // Written down, so that the next process need not find it out again; its session was stopped on the way.
    if (adoption.kind === 'recalled' && past.state.phase === 'intended')
      this.adoptedRecorder(past).settled(adoption.outcome, true);
    return adoption;
  }

  recorder(place: RolloutPlace, payload: unknown): RolloutRecorder {
    const { record } = this.#session;
    return new JournalRecorder(record, record.newRollout(), { place, payload });
  }

  adoptedRecorder(past: PastRollout): RolloutRecorder {
    this.#session.take(past);
    return new JournalRecorder(this.#session.record, past.rollout);
  }

  acknowledge(index: number): Promise<void> {
    return this.#session.acknowledgements.acknowledge(index);
  }

  sourceEnded(count: number): void {
    this.#session.record.sourceEnded(count);
  }
}
