import { types } from 'node:util';
import { ArtError, describeValue, isJsonObject } from '@art/protocol';

/** What the handler of a rollout returned, checked as its readers read it. */
export interface RolloutOutput {
  result: Record<string, unknown>;
  /**
   * The one number that it is judged by: `reward`, else `rewards`, of a list the last element. Undefined where there is
   * neither; then the trainer has to score it.
   */
  reward: number | undefined;
}

/**
 * Checks what a rollout's handler returned. A reward that a trainer would refuse, or take for none, is an error here, where
 * its reason can be told.
 * @throws ArtError `ART_INVALID_RESULT` for what is no object; `ART_REWARD_INVALID`
 */
export function rolloutOutput(value: unknown): RolloutOutput {
  const result = resultObject(value);
  const { reward, rewards } = result;
  const scalar = reward === undefined ? undefined : finite('reward', reward);
  const last = rewards === undefined ? undefined : lastReward(rewards);
  if (scalar !== undefined && last !== undefined && scalar !== last) {
    invalid(
      `Expected reward to be the last of rewards where both are returned, got reward ${scalar} and rewards that end with ${last}.`,
    );
  }
  return { result, reward: scalar ?? last };
}

/** The result with the member that its readers look for: `reward` over RIP, `rewards` in documents. Not changed itself. */
export function withReward(
  { result, reward }: RolloutOutput,
  name: 'reward' | 'rewards',
): Record<string, unknown> {
  return reward === undefined || result[name] !== undefined ? result : { ...result, [name]: reward };
}

function lastReward(rewards: unknown): number | undefined {
  if (!Array.isArray(rewards)) return finite('rewards', rewards);
  if (rewards.length === 0) {
    invalid('Expected a finite number or a list of them at $.rewards, got an empty list.');
  }
  return rewards.map((value, index) => finite(`rewards[${index}]`, value)).at(-1);
}

/**
 * Checks `metrics` of a result that is read over RIP. Readers of documents drop what is no number; those over RIP refuse the
 * whole result.
 * @throws ArtError `ART_REWARD_INVALID`
 */
export function requireMetrics({ result: { metrics } }: RolloutOutput): void {
  if (metrics === undefined) return;
  if (!isJsonObject(metrics)) {
    invalid(`Expected an object of finite numbers at $.metrics, got ${describeValue(metrics)}.`);
  }
  for (const [name, value] of Object.entries(metrics)) {
    // They take a boolean for 0 or 1.
    if (typeof value !== 'boolean') finite(`metrics.${name}`, value);
  }
}

function finite(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return invalid(
    `Expected a finite number at $.${name}, got ${describeValue(value)}. Leave it out where there is none.`,
  );
}

function invalid(message: string): never {
  throw new ArtError({ code: 'ART_REWARD_INVALID', message });
}

function resultObject(value: unknown): Record<string, unknown> {
  const toJson = isJsonObject(value) ? value['toJSON'] : undefined;
  const plain: unknown = typeof toJson === 'function' ? toJson.call(value, '') : value;
  if (isJsonObject(plain) && !isOpaque(plain)) return plain;
  throw new ArtError({
    code: 'ART_INVALID_RESULT',
    message: `Return value must be an object when the result is stored, got ${describeValue(value)}. Return something like { rewards: 1 }.`,
  });
}

/** Whether an object has no enumerable members of its own that say what it is: JSON would silently make it nothing. */
export function isOpaque(value: object): boolean {
  return (
    Symbol.iterator in value ||
    Symbol.asyncIterator in value ||
    value instanceof Error ||
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isPromise(value) ||
    types.isAnyArrayBuffer(value) ||
    types.isArrayBufferView(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value) ||
    types.isBoxedPrimitive(value)
  );
}
