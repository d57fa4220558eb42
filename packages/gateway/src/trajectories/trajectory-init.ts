import type { TrajectoryMode } from '@art/trajectories';

/** With what a trajectory is created. */
export interface TrajectoryInit {
  sessionId: string;
  /** @default the session's id */
  rolloutId?: string | undefined;
  /** @default null */
  groupId?: string | null | undefined;
  /** Most calls; a further one is refused. @default no bound */
  maxTurns?: number | undefined;
  /** Longest context, prompt and answer together. @default no bound */
  maxContextTokens?: number | undefined;
  /** Sampling parameters for calls that do not say otherwise. @default {} */
  samplingDefaults?: Readonly<Record<string, unknown>> | undefined;
  /** How turns become rows; see `TrajectoryOptions`. @default that of the gateway; 'reference' where `forkThresholdTokens` is given */
  mode?: TrajectoryMode | undefined;
  /** See `TrajectoryOptions`. */
  forkThresholdTokens?: number | undefined;
  /** Goes into the metadata of every row. @default {} */
  metadata?: Readonly<Record<string, unknown>> | undefined;
}
