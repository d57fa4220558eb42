import type { PastPlace, PastRollout, RolloutPlace } from '@art/journal';
import type { RolloutOutcome } from '@art/protocol';
import type { RolloutBeginning } from '../lifecycle/rollout-beginning.ts';
import type { RolloutRecorder } from '../lifecycle/rollout-recorder.ts';

/** What becomes of a rollout that an earlier process left behind. */
export type Adoption =
  /** It goes on, with the ids that it has. */
  | { kind: 'goes_on'; beginning: RolloutBeginning }
  /** It has ended without a document. */
  | { kind: 'over'; outcome: Exclude<RolloutOutcome, { kind: 'ok' | 'agent_error' | 'infra_error' }> }
  /** Nobody can tell how far it came, or it was called off: its session was stopped, and another attempt is due. */
  | { kind: 'recalled'; outcome: Exclude<RolloutOutcome, { kind: 'ok' | 'agent_error' | 'infra_error' }> };

/** What a run writes down of its attempts, and what it finds of an earlier life; a journal, where there is one. */
export interface AttemptRecord {
  /** Aborts when nothing can be written any more; its reason is an ArtError. */
  readonly broken: AbortSignal;
  /** Rollouts of earlier processes, in order. */
  pastOf(place: PastPlace): readonly PastRollout[];
  adopt(past: PastRollout, signal: AbortSignal): Promise<Adoption>;
  recorder(place: RolloutPlace, payload: unknown): RolloutRecorder;
  adoptedRecorder(past: PastRollout): RolloutRecorder;
  /** The consumer is done with an item or a group. */
  acknowledge(index: number): Promise<void>;
  /** The source has ended after so many values. */
  sourceEnded(count: number): void;
}
