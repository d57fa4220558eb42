import type { ArtError } from '@art/ground';
import type { RolloutOutcome } from '@art/protocol';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';
import type { AttemptPlace } from './attempt.ts';
import type { FailureCause, FailureRules } from './failure-policy.ts';

/** The meaning of an outcome for a member of an item. */
export type ItemVerdict =
  | { kind: 'kept'; reward: number | undefined }
  | { kind: 'failed'; cause: FailureCause; error: ArtError };

/** The rules for an item, with every default filled in. An item of a batch has one member. */
export interface ItemRules<Input extends object = never> extends FailureRules {
  /** Members that are started. */
  size: number;
  /** Members that a whole item keeps. */
  targetSize: number;
  /** Members that an item needs to be of use. */
  minSize: number;
  /** Another attempt beside one that runs for longer; undefined for none. */
  hedge: { afterMs: number; attempts: number } | undefined;
  /** Pause before an attempt, by its number and what the one before ended with. */
  retryDelayMs: (attempt: number, outcome: RolloutOutcome) => number;
  /** Session and overrides of an attempt. May throw what the caller's functions throw. */
  choose: (input: Input, place: AttemptPlace) => Omit<RolloutChoices, 'inputId'>;
  judge: (outcome: RolloutOutcome) => ItemVerdict;
  /** By which a gateway keeps or drops what it captured. @default see `defaultReward` */
  rewardOf?: CaptureReward | undefined;
}
