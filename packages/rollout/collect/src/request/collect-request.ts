import { createHash } from 'node:crypto';
import { ArtError, describeValue, isJsonObject, type JsonObject, optional, stringifyJson } from '@art/ground';
import type { AdvantageOptions } from '@art/rollout';
import { aTrainChoice, type TrainChoice } from '@art/trajectories';

/** The shapes that rows can have; `art` is our own, which has everything. */
export const rowFormats = ['art', 'trl', 'verl', 'slime', 'rllm', 'prime-rl', 'tinker', 'sagemaker'] as const;
export type RowFormat = (typeof rowFormats)[number];

function isRowFormat(value: unknown): value is RowFormat {
  return rowFormats.some((format) => format === value);
}

/** Request of a trainer: groups of rollouts, one for each input. Checked; wire names are those of `wireFields`. */
export interface CollectRequest {
  /** Names the request for ever: anyone who sends it again continues with it. */
  requestId: string;
  inputs: readonly JsonObject[];
  rolloutsPerInput: number;
  /** The version of the weights that the engine has now. */
  policyVersion: number | undefined;
  /** Sampling parameters, which the gateway puts into every model call, whatever the agent says. */
  sampling: JsonObject | undefined;
  /** Sampling parameters for what an agent's calls do not say themselves. */
  samplingDefaults: JsonObject | undefined;
  /** For the whole request, from when it was first sent, in milliseconds. */
  deadlineMs: number | undefined;
  /** For each rollout, in milliseconds. */
  rolloutTimeoutMs: number | undefined;
  maxConcurrentSessions: number | undefined;
  /** Groups that may be under way or not acknowledged; no further one begins before. */
  maxUnacknowledgedGroups: number | undefined;
  rowFormat: RowFormat;
  advantages: AdvantageOptions;
  /** True if turns train that were sampled under a grammar; undefined leaves it to the gateway. */
  trainConstrained: boolean | undefined;
  /** Which agents train; undefined leaves it to the gateway options of the service. */
  trains: TrainChoice | undefined;
  /** The reward of a rollout whose handler failed. */
  agentErrorReward: number | undefined;
  /** prime-rl's name of the environment. */
  envName: string;
  /** verl's token for a row in which nothing trains. */
  padTokenId: number;
}

/** The fields of `POST /groups`. */
const wireFields = [
  'request_id',
  'inputs',
  'rollouts_per_input',
  'policy_version',
  'sampling',
  'sampling_defaults',
  'deadline_ms',
  'rollout_timeout_ms',
  'max_concurrent_sessions',
  'max_unacknowledged_groups',
  'row_format',
  'advantages',
  'train_constrained',
  'trains',
  'agent_error_reward',
  'env_name',
  'pad_token_id',
] as const;

type Field = (typeof wireFields)[number];

const requestIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Reads the body of `POST /groups`.
 * @param generateId names a request that has no id of its own
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function parseCollectRequest(body: unknown, generateId: () => string): CollectRequest {
  if (!isJsonObject(body)) refuse('the request', 'a JSON object', body);
  const unknown = Object.keys(body).find((name) => !wireFields.includes(name as Field));
  if (unknown !== undefined) refuse('the request', `to have only ${wireFields.join(', ')}`, unknown);
  const given = { ...body } as { [name in Field]?: unknown };
  for (const [name, value] of Object.entries(given)) if (value === null) delete given[name as Field];
  const rowFormat = rowFormatOf(given.row_format ?? 'art');
  const advantages = advantagesOf(given.advantages, rowFormat);
  return {
    requestId: requestIdOf(given.request_id ?? generateId()),
    inputs: inputsOf(given.inputs),
    rolloutsPerInput: required('rollouts_per_input', count('rollouts_per_input', given.rollouts_per_input)),
    policyVersion: versionOf(given.policy_version),
    sampling: objectOf('sampling', given.sampling),
    samplingDefaults: objectOf('sampling_defaults', given.sampling_defaults),
    deadlineMs: duration('deadline_ms', given.deadline_ms),
    rolloutTimeoutMs: duration('rollout_timeout_ms', given.rollout_timeout_ms),
    maxConcurrentSessions: count('max_concurrent_sessions', given.max_concurrent_sessions),
    maxUnacknowledgedGroups: count('max_unacknowledged_groups', given.max_unacknowledged_groups),
    rowFormat,
    advantages,
    trainConstrained: flagOf('train_constrained', given.train_constrained),
    trains: optional(aTrainChoice)(given.trains, 'trains'),
    agentErrorReward: numberOf('agent_error_reward', given.agent_error_reward),
    envName: textOf('env_name', given.env_name ?? 'art'),
    padTokenId: whole('pad_token_id', given.pad_token_id ?? 0, 0),
  };
}

/** Digest of what two requests of one id must have in common. */
export function requestDigest(request: CollectRequest): string {
  return createHash('sha256').update(stringifyJson(request)).digest('hex');
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function versionOf(value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : whole('policy_version', value, 0);
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function duration(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && value > 0 && value < 2 ** 31) return value;
  refuse(name, 'a number of milliseconds above 0 and below 2^31', value);
}

export function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && requestIdPattern.test(value);
}

function requestIdOf(value: unknown): string {
  if (isRequestId(value)) return value;
  refuse('request_id', '1 to 100 letters, digits, ".", "_" and "-", beginning with a letter or digit', value);
}

function inputsOf(value: unknown): JsonObject[] {
  if (!Array.isArray(value) || value.length === 0) refuse('inputs', 'a list of at least 1 object', value);
  const wrong = value.findIndex((input) => !isJsonObject(input));
  if (wrong !== -1) refuse(`inputs[${wrong}]`, 'an object, the payload of the agent', value[wrong]);
  return value as JsonObject[];
}

function rowFormatOf(value: unknown): RowFormat {
  if (isRowFormat(value)) return value;
  refuse('row_format', `one of ${rowFormats.join(', ')}`, value);
}

const formatsWithTurnCredit: readonly RowFormat[] = ['art', 'prime-rl', 'tinker', 'sagemaker'];

/** The wire names one option in snake_case; the run of groups checks the rest. */
function advantagesOf(value: unknown, rowFormat: RowFormat): AdvantageOptions {
  const { turn_baseline: turnBaseline, ...given } = objectOf('advantages', value) ?? {};
  if (given['credit'] === 'turn' && !formatsWithTurnCredit.includes(rowFormat)) {
    refuse(
      'row_format',
      `one of ${formatsWithTurnCredit.join(', ')} where advantages.credit is "turn", since ${rowFormat} has one advantage or reward for a whole rollout`,
      rowFormat,
    );
  }
  return { ...given, ...(turnBaseline !== undefined && { turnBaseline }) } as AdvantageOptions;
}

function objectOf(name: Field, value: unknown): JsonObject | undefined {
  if (value === undefined || isJsonObject(value)) return value as JsonObject | undefined;
  refuse(name, 'an object', value);
}

function count(name: Field, value: unknown): number | undefined {
  return value === undefined ? undefined : whole(name, value, 1);
}

function whole(name: Field, value: unknown, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  refuse(name, `an integer from ${least}`, value);
}

function numberOf(name: Field, value: unknown): number | undefined {
  if (value === undefined || Number.isFinite(value)) return value as number | undefined;
  refuse(name, 'a finite number', value);
}

function flagOf(name: Field, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  refuse(name, 'true or false', value);
}

function textOf(name: Field, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  refuse(name, 'a non-empty string', value);
}

function required<T>(name: Field, value: T | undefined): T {
  return value ?? refuse(name, 'to be given', undefined);
}

function refuse(name: string, expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${name} to be ${expected}, got ${describeValue(got)}.`.replace('to be to ', 'to '),
  });
}
