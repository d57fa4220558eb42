import { aBoolean, aNumber, aText, custom, optional, oneOf, type OptionRules } from '@art/ground';
import { aSessionCeilings } from '@art/protocol';
import { aTrainChoice, trajectoryModes } from '@art/trajectories';
import type { FinishOptions } from '../../sessions/finish-session.ts';
import { isGatewaySessionId, sessionIdRule } from '../../sessions/identify-session.ts';
import type { TrajectoryInit } from '../../sessions/trajectory-init.ts';
import { aJsonObject, type Fields, readFields } from '../request-fields.ts';

const initRules = {
  sessionId: custom(sessionIdRule, isGatewaySessionId),
  rolloutId: optional(aText),
  groupId: optional(aText),
  maxTurns: optional(aNumber({ min: 1, integer: true })),
  ceilings: optional(aSessionCeilings),
  maxContextTokens: optional(aNumber({ min: 1, integer: true })),
  samplingParams: optional(aJsonObject),
  samplingDefaults: optional(aJsonObject),
  mode: optional(oneOf(...trajectoryModes)),
  forkThresholdTokens: optional(aNumber({ min: 0, integer: true })),
  trainConstrained: optional(aBoolean),
  trains: optional(aTrainChoice),
  metadata: optional(aJsonObject),
} satisfies OptionRules<TrajectoryInit>;

/** Reads the body of `POST /trajectories`. @throws InvalidField */
export function readTrajectoryInit(body: Fields): TrajectoryInit {
  return readFields(body, initRules);
}

const finishRules = {
  reward: optional(aNumber(), null),
  base: optional(aJsonObject, {} as Fields),
  extraMetadata: optional(aJsonObject),
  // Longer than any agent works, and within what a timer can wait.
  waitTimeoutS: optional(aNumber({ min: 0, max: 86_400 }), 5),
};

/** Reads the body of `POST /trajectories/{id}/finish`. @throws InvalidField */
export function readFinish(body: Fields): FinishOptions {
  const { reward, base, extraMetadata: metadata, waitTimeoutS } = readFields(body, finishRules);
  const { rolloutId, groupId } = readFields(base, { rolloutId: optional(aText), groupId: optional(aText) });
  return {
    reward,
    rolloutId,
    // Here null says something: no group, whatever the trajectory was created with.
    groupId: base['group_id'] === null ? null : groupId,
    metadata,
    waitTimeoutMs: waitTimeoutS * 1_000,
  };
}
