import { isJsonObject, refuseOption } from '@art/protocol';
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

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkTrajectoryInit(init: TrajectoryInit): void {
  if (typeof init.sessionId !== 'string' || init.sessionId === '') {
    refuseOption('sessionId', 'a non-empty string', init.sessionId);
  }
  for (const name of ['maxTurns', 'maxContextTokens'] as const) {
    const value = init[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      refuseOption(name, 'a whole number > 0', value);
    }
  }
  for (const name of ['samplingDefaults', 'metadata'] as const) {
    if (init[name] !== undefined && !isJsonObject(init[name])) refuseOption(name, 'an object', init[name]);
  }
}
