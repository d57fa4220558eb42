import type { PastRollout } from '@art/journal';
import type { RolloutBeginning } from '../lifecycle/rollout-beginning.ts';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { RolloutRecorder } from '../lifecycle/rollout-recorder.ts';
import type { RolloutListener } from '../lifecycle/rollout.ts';
import type { RolloutChoices } from '../request/rollout-choices.ts';

/** What starts one rollout. */
export interface RolloutStart {
  payload: unknown;
  index: number;
  choices: RolloutChoices;
  /**
   * Its result comes from the session, whatever those of the client come from: on the connection where it runs in the
   * foreground. @default as the client's
   */
  inSession?: 'foreground' | 'background' | undefined;
  /** The session is somebody else's to stop. @default false */
  keepsSession?: boolean | undefined;
  /** The rollout of an earlier process that goes on. */
  past?: PastRollout | undefined;
  beginning?: RolloutBeginning | undefined;
  recorder?: RolloutRecorder | undefined;
  onEvent: RolloutListener;
  onLeaving?: (() => void) | undefined;
  /** By which a gateway keeps or drops what it captured. @default see `defaultReward` */
  rewardOf?: CaptureReward | undefined;
}
