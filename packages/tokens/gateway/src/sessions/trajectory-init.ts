import type { SessionCeilings } from '@art/protocol';
import type { TrainChoice, TrajectoryMode, TrajectoryOptions } from '@art/trajectories';
import type { FinishRequest } from './session-state.ts';

/** With what a trajectory is created. */
export interface TrajectoryInit {
  sessionId: string;
  /** @default the session's id */
  rolloutId?: string | undefined;
  /** @default null */
  groupId?: string | null | undefined;
  /** Most calls; a further one is refused. @default no bound */
  maxTurns?: number | undefined;
  /** Most calls, tokens, seconds and money of it, and of all sessions of its run. @default no bound */
  ceilings?: SessionCeilings | undefined;
  /** Longest context, prompt and answer together. @default no bound */
  maxContextTokens?: number | undefined;
  /** Sampling parameters that win over what the agent's calls say. @default {} */
  samplingParams?: Readonly<Record<string, unknown>> | undefined;
  /** Sampling parameters for calls that do not say otherwise. @default {} */
  samplingDefaults?: Readonly<Record<string, unknown>> | undefined;
  /** How turns become rows; see `TrajectoryOptions`. @default that of the gateway; 'reference' where `forkThresholdTokens` is given */
  mode?: TrajectoryMode | undefined;
  /** See `TrajectoryOptions`. */
  forkThresholdTokens?: number | undefined;
  /** See `TrajectoryOptions`. @default false */
  trainConstrained?: boolean | undefined;
  /** See `TrajectoryOptions`. @default all agents */
  trains?: TrainChoice | undefined;
  /** Goes into the metadata of every row. @default {} */
  metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** How the rows of a trajectory are made. */
export function trajectoryOptions(init: TrajectoryInit, request: FinishRequest = {}): TrajectoryOptions {
  const { mode, forkThresholdTokens, maxContextTokens, trainConstrained, trains } = init;
  return {
    mode,
    forkThresholdTokens,
    trainConstrained,
    trains,
    reward: request.reward,
    rolloutId: request.rolloutId ?? init.rolloutId,
    groupId: request.groupId === undefined ? init.groupId : request.groupId,
    metadata: { ...init.metadata, ...request.metadata },
    // Anyone who bounds the context trains no longer rows, also where nobody could count before the engine had answered.
    maxSampleTokens: maxContextTokens,
  };
}
