import { isJsonObject, optional } from '@art/protocol';
import { InvalidField } from '../request-object.ts';
import type { FinishOptions } from '../../sessions/finish-session.ts';
import type { TrajectoryInit } from '../../sessions/trajectory-init.ts';
import { aTrainChoice, trajectoryModes } from '@art/trajectories';
import { isGatewaySessionId, sessionIdRule } from '../../sessions/identify-session.ts';

type Body = Readonly<Record<string, unknown>>;

// Longer than any agent works, and within what a timer can wait.
const mostWaitMs = 86_400_000;

/** Reads the body of `POST /trajectories`; null counts as absent. @throws InvalidField; ArtError `ART_INVALID_OPTION` */
export function readTrajectoryInit(body: Body): TrajectoryInit {
  const sessionId = body['session_id'];
  if (!isGatewaySessionId(sessionId)) throw new InvalidField('session_id', sessionIdRule, sessionId);
  const mode = body['mode'] ?? undefined;
  const known = trajectoryModes.find((one) => one === mode);
  if (mode !== undefined && known === undefined)
    throw new InvalidField('mode', trajectoryModes.map((one) => JSON.stringify(one)).join(' or '), mode);
  return {
    sessionId,
    rolloutId: name(body, 'rollout_id'),
    groupId: name(body, 'group_id'),
    maxTurns: count(body, 'max_turns', 1),
    maxContextTokens: count(body, 'max_context_tokens', 1),
    samplingParams: object(body, 'sampling_params'),
    samplingDefaults: object(body, 'sampling_defaults'),
    mode: known,
    forkThresholdTokens: count(body, 'fork_threshold_tokens', 0),
    trainConstrained: flag(body, 'train_constrained'),
    trains: optional(aTrainChoice)(body['trains'] ?? undefined, 'trains'),
    metadata: object(body, 'metadata'),
  };
}

/** Reads the body of `POST /trajectories/{id}/finish`; null counts as absent. @throws InvalidField */
export function readFinish(body: Body): FinishOptions {
  const reward = body['reward'] ?? null;
  if (reward !== null && !(typeof reward === 'number' && Number.isFinite(reward)))
    throw new InvalidField('reward', 'a finite number or null', reward);
  const base = object(body, 'base') ?? {};
  const waitS = body['wait_timeout_s'] ?? 5;
  if (!(typeof waitS === 'number' && waitS >= 0 && waitS * 1_000 <= mostWaitMs))
    throw new InvalidField('wait_timeout_s', `a number from 0 to ${mostWaitMs / 1_000}`, waitS);
  return {
    reward,
    rolloutId: name(base, 'rollout_id'),
    // Here null says something: no group, whatever the trajectory was created with.
    groupId: base['group_id'] === null ? null : name(base, 'group_id'),
    metadata: object(body, 'extra_metadata'),
    waitTimeoutMs: waitS * 1_000,
  };
}

function name(body: Body, field: string): string | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw new InvalidField(field, 'a non-empty text', value);
}

function count(body: Body, field: string, least: number): number | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidField(field, `a whole number >= ${least}`, value);
}

function flag(body: Body, field: string): boolean | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  throw new InvalidField(field, 'true or false', value);
}

function object(body: Body, field: string): Record<string, unknown> | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || isJsonObject(value)) return value;
  throw new InvalidField(field, 'an object', value);
}
