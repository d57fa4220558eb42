import { types } from 'node:util';
import { ArtError, describeValue, isJsonObject } from '@art/ground';
import { isSameFigure } from '@art/ground/figures';
import type { FastifyBaseLogger } from 'fastify';

/** The object that a rollout's handler returned, and its interpretation for readers. */
export interface RolloutOutput {
  result: Record<string, unknown>;
  /**
   * The one number that it is judged by: `reward`, else `rewards`, of a list the last element. Undefined where that is no
   * finite number, or where there is neither; then the trainer has to score it.
   */
  reward: number | undefined;
  /**
   * Problems that would make trainers reject the result, for the log. The result is delivered all the same: a reward
   * that failed is not a failure of the agent.
   */
  problems: string[];
}

/**
 * Reads what a rollout's handler returned.
 * @throws ArtError `ART_INVALID_RESULT` for what is no object
 */
export function rolloutOutput(value: unknown): RolloutOutput {
  const result = resultObject(value);
  const { reward, rewards, metrics } = result;
  const problems = [
    ...(reward === undefined ? [] : unlessFinite('reward', reward)),
    ...(rewards === undefined ? [] : rewardsProblems(rewards)),
    ...(metrics === undefined ? [] : metricsProblems(metrics)),
  ];
  const last: unknown = Array.isArray(rewards) ? rewards.at(-1) : rewards;
  if (isFiniteNumber(reward) && isFiniteNumber(last) && !isSameFigure(reward, last)) {
    problems.push(
      `Expected reward to be the last of rewards where both are returned, got reward ${reward} and rewards that end with ${last}. Trainers over RIP read reward, those of documents rewards.`,
    );
  }
  const read = reward === undefined ? last : reward;
  return { result, reward: isFiniteNumber(read) ? read : undefined, problems };
}

/** Logs the problems of a delivered result that would make trainers reject it. */
export function warnOfProblems(log: FastifyBaseLogger, problems: readonly string[]): void {
  if (problems.length === 0) return;
  log.warn({ problems }, 'The result is delivered as it was returned, but trainers cannot use all of it');
}

/** JSON has no `NaN` and no infinities: they are delivered as null, which no trainer takes for a number. */
export function nonFiniteProblem(value: number, path: string): string {
  return `${path} is ${value}, which JSON has not; it is delivered as null.`;
}

/**
 * The result with the members that its readers look for: `reward` over RIP, `rewards` in documents, and `prompts` where they were asked
 * for. What the handler itself returned under these names stays. Not changed itself.
 */
export function deliveredResult(
  { result, reward }: RolloutOutput,
  name: 'reward' | 'rewards',
  prompts?: Record<string, string>,
): Record<string, unknown> {
  const added = { ...(reward !== undefined && { [name]: reward }), ...(prompts && { prompts }) };
  const missing = Object.entries(added).filter(([member]) => result[member] === undefined);
  return missing.length === 0 ? result : { ...result, ...Object.fromEntries(missing) };
}

function rewardsProblems(rewards: unknown): string[] {
  if (!Array.isArray(rewards)) return unlessFinite('rewards', rewards);
  if (rewards.length === 0)
    return ['Expected a finite number or a list of them at $.rewards, got an empty list.'];
  return rewards.flatMap((value, index) => unlessFinite(`rewards[${index}]`, value));
}

// Readers of documents leave out what is no number; those over RIP refuse the whole result.
function metricsProblems(metrics: unknown): string[] {
  if (!isJsonObject(metrics))
    return [`Expected an object of finite numbers at $.metrics, got ${describeValue(metrics)}.`];
  return Object.entries(metrics).flatMap(([name, value]) =>
    // They take a boolean for 0 or 1.
    typeof value === 'boolean' ? [] : unlessFinite(`metrics.${name}`, value),
  );
}

function unlessFinite(name: string, value: unknown): string[] {
  if (isFiniteNumber(value)) return [];
  return [
    `Expected a finite number at $.${name}, got ${describeValue(value)}. Leave it out where there is none.`,
  ];
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function resultObject(value: unknown): Record<string, unknown> {
  const toJson = isJsonObject(value) ? value['toJSON'] : undefined;
  const plain: unknown = typeof toJson === 'function' ? toJson.call(value, '') : value;
  if (isJsonObject(plain) && !isOpaque(plain)) return plain;
  throw new ArtError({
    code: 'ART_INVALID_RESULT',
    message: `Return value must be an object when the result is stored, got ${describeValue(value)}. Return something like { text: 'the answer', reward: 1 }.`,
  });
}

/** True if an object has no enumerable members that hold its value. JSON would silently make it empty. */
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
