import { isDeepStrictEqual } from 'node:util';
import {
  aBoolean,
  aNumber,
  custom,
  isJsonObject,
  optional,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
  stringifyJson,
} from '@art/ground';
import { exactJson } from '../json/equal-json.ts';
import type { RewardContext } from '../reward-context.ts';
import { RewardFunction } from '../reward-function.ts';
import { readToolCalls, type ToolCall, type TrajectoryMessages } from './read-tool-calls.ts';

/**
 * A tool by its name, or also by arguments that its call has to have; others may be there as well. An argument is compared by its value:
 * the order of keys does not count, that of lists does.
 */
export type ExpectedCall =
  | string
  | { name: string; arguments?: Readonly<Record<string, unknown>> | undefined };

export interface TrajectoryRewardOptions {
  /** Each has to be called at least once. */
  called?: readonly ExpectedCall[] | undefined;
  /** Have to be called in this order; other calls may stand between them. */
  order?: readonly ExpectedCall[] | undefined;
  /** None may be called; a single such call makes the reward 0. */
  forbidden?: readonly ExpectedCall[] | undefined;
  /** Most calls in all. */
  maxCalls?: number | undefined;
  /**
   * True if each check that holds gives its share of the reward; false if only all checks together give 1. @default
   * false
   */
  partial?: boolean | undefined;
}

const aListOfCalls = optional(
  custom<readonly ExpectedCall[]>(
    'a list of names of tools, or of { name, arguments }',
    (value) => Array.isArray(value) && value.every(isExpectedCall),
  ),
);

const rules = {
  called: aListOfCalls,
  order: aListOfCalls,
  forbidden: aListOfCalls,
  maxCalls: optional(aNumber({ min: 0, integer: true })),
  partial: optional(aBoolean, false),
} satisfies OptionRules<TrajectoryRewardOptions>;

/** Judges what an agent did, by the tools that it called. */
export class TrajectoryReward extends RewardFunction<TrajectoryMessages, number> {
  readonly #options: ReadOptions<typeof rules>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: TrajectoryRewardOptions) {
    super();
    this.#options = readOptions('TrajectoryReward', options ?? {}, rules);
    const { called, order, forbidden, maxCalls } = this.#options;
    // An empty list checks nothing, and a reward of 1 would say that something was checked.
    if (maxCalls === undefined && [called, order, forbidden].every((calls = []) => calls.length === 0))
      refuseOption('options', 'called, order, forbidden or maxCalls', options);
  }

  /**
   * @throws ArtError `ART_INVALID_OPTION` for an input without messages
   * @throws ArtError `ART_JUDGE_FAILED` where nothing that the model said was captured
   */
  protected override evaluate(input: TrajectoryMessages, { remark }: RewardContext): number {
    const calls = readToolCalls(input);
    const { called = [], order, forbidden = [], maxCalls, partial } = this.#options;
    const offence = forbidden.find((expected) => calls.some((call) => fits(call, expected)));
    if (offence !== undefined) {
      remark?.(`It called ${nameOf(offence)}, which is forbidden.`);
      return 0;
    }
    const checks = called.map((expected): [string, boolean] => [
      `It did not call ${nameOf(expected)}.`,
      calls.some((call) => fits(call, expected)),
    ]);
    if (order !== undefined)
      checks.push([
        `It did not call ${order.map(nameOf).join(', ')} in this order.`,
        isInOrder(calls, order),
      ]);
    if (maxCalls !== undefined)
      checks.push([`It called ${calls.length} tools, ${maxCalls} are allowed.`, calls.length <= maxCalls]);
    for (const [problem, holds] of checks) if (!holds) remark?.(problem);
    const held = checks.filter(([, holds]) => holds).length;
    if (held === checks.length) return 1;
    return partial ? held / checks.length : 0;
  }
}

function isInOrder(calls: readonly ToolCall[], order: readonly ExpectedCall[]): boolean {
  let next = 0;
  for (const call of calls) if (next < order.length && fits(call, order[next]!)) next += 1;
  return next === order.length;
}

function fits(call: ToolCall, expected: ExpectedCall): boolean {
  if (typeof expected === 'string') return call.name === expected;
  if (call.name !== expected.name) return false;
  const given = asJson(call.arguments ?? {});
  return Object.entries(asJson(expected.arguments ?? {})).every(
    ([name, value]) => Object.hasOwn(given, name) && isDeepStrictEqual(given[name], value),
  );
}

/** The value after JSON, with all digits of its whole numbers: `undefined` is dropped, and -0 becomes 0. */
function asJson(value: object): Record<string, unknown> {
  return exactJson(stringifyJson(value)) as Record<string, unknown>;
}

function isExpectedCall(value: unknown): boolean {
  if (!isJsonObject(value)) return typeof value === 'string' && value !== '';
  const { name, arguments: given, ...unknown } = value;
  const isNamed = typeof name === 'string' && name !== '';
  return isNamed && (given === undefined || isJsonObject(given)) && Object.keys(unknown).length === 0;
}

function nameOf(expected: ExpectedCall): string {
  return typeof expected === 'string'
    ? expected
    : `${expected.name}(${stringifyJson(expected.arguments ?? {})})`;
}
