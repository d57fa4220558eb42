import type { RolloutOutcome } from '@art/protocol';
import type { RolloutBeginning } from '../lifecycle/rollout-beginning.ts';
import type { RolloutRecorder } from '../lifecycle/rollout-recorder.ts';
import type { PastRollout } from '../journal/run/run-history.ts';

/** What becomes of a rollout that an earlier process left behind. */
export type Adoption =
  /** It goes on, with the ids that it has. */
  | { kind: 'goes_on'; beginning: RolloutBeginning }
  /** It has ended without a document. */
  | { kind: 'over'; outcome: Exclude<RolloutOutcome, { kind: 'ok' | 'agent_error' | 'infra_error' }> }
  /** Nobody can tell how far it came, or it was called off: its session was stopped, and another attempt is due. */
  | { kind: 'recalled'; outcome: Exclude<RolloutOutcome, { kind: 'ok' | 'agent_error' | 'infra_error' }> };

/** What a batch writes down about itself, and what it finds of an earlier life; a journal, where there is one. */
export interface BatchRecord {
  /** Aborts when nothing can be written any more; its reason is an ArtError. */
  readonly broken: AbortSignal;
  /** Rollouts of earlier processes for a payload, in order. */
  pastOf(index: number): readonly PastRollout[];
  adopt(past: PastRollout, signal: AbortSignal): Promise<Adoption>;
  /** @param attempt of the payload, from 0. */
  recorder(index: number, attempt: number, payload: unknown): RolloutRecorder;
  adoptedRecorder(past: PastRollout): RolloutRecorder;
  acknowledge(index: number): Promise<void>;
  /** The source has ended after so many payloads. */
  sourceEnded(count: number): void;
}
