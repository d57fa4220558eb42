import {
  aBoolean,
  aNumber,
  anyObject,
  unchecked,
  isJsonObject,
  optional,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
} from '@art/ground';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { RewardContext } from '../reward-context.ts';
import { RewardFunction } from '../reward-function.ts';
import { sumOfDecimals } from '../sum-of-decimals.ts';
import { equalJson, exactJson } from './equal-json.ts';
import { jsonInText } from './json-in-text.ts';

/** The answer, as text or as a value, and the expected value. */
export interface JsonAnswer {
  /** A text may have other words around its JSON; the last whole value in it counts. */
  response: unknown;
  expected: unknown;
}

export interface JsonMatchRewardOptions {
  /**
   * Share of each field by its path, `address.city` or `items.0.price`; `expected` must have each of them. @default all fields of `expected` alike
   */
  weights?: Readonly<Record<string, number>> | undefined;
  /** Any Standard Schema (Zod, Valibot, ArkType ...); an answer that does not fit gets 0. @default none */
  schema?: StandardSchemaV1 | undefined;
  /** How far numbers may be apart. @default 0 */
  tolerance?: number | undefined;
  /** True if the elements of a list may be in another order. @default false */
  ignoreOrder?: boolean | undefined;
}

const rules = {
  weights: optional(anyObject()),
  schema: unchecked(),
  tolerance: optional(aNumber({ min: 0, max: Infinity }), 0),
  ignoreOrder: optional(aBoolean, false),
} satisfies OptionRules<JsonMatchRewardOptions>;

const aWeight = aNumber({ min: 0 });

/**
 * Compares JSON field by field: the weighted share of the fields that are right. Fields that are not expected do not count, however deep they are:
 * a schema can refuse them. Whole numbers are compared exactly, past 2^53 too.
 */
export class JsonMatchReward extends RewardFunction<JsonAnswer, number> {
  readonly #options: ReadOptions<typeof rules>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: JsonMatchRewardOptions = {}) {
    super();
    this.#options = readOptions('JsonMatchReward', options, rules);
    const { weights } = this.#options;
    for (const [path, weight] of Object.entries(weights ?? {})) aWeight(weight, `weights.${path}`);
    if (weights !== undefined && !Object.values(weights).some((weight) => weight > 0))
      refuseOption('weights', 'one weight above 0 at least', weights);
  }

  /** @throws ArtError `ART_INVALID_OPTION` where nothing is expected, or a path of `weights` is not in it */
  protected override async evaluate(
    { response, expected }: JsonAnswer,
    { remark }: RewardContext,
  ): Promise<number> {
    const wanted = typeof expected === 'string' ? exactJson(jsonInText(expected)?.source) : expected;
    if (wanted === undefined || wanted === null) refuseOption('expected', 'JSON', expected);
    const weights = Object.entries(this.#options.weights ?? evenWeights(wanted));
    for (const [path] of weights)
      if (memberAt(wanted, path) === undefined)
        refuseOption('weights', `a path in what is expected, not ${path}`, expected);
    const found = typeof response === 'string' ? jsonInText(response) : undefined;
    if (typeof response === 'string' && found === undefined) {
      remark?.('The answer has no JSON in it.');
      return 0;
    }
    const problem = await this.#schemaProblem(found === undefined ? response : found.value);
    if (problem !== undefined) {
      remark?.(`The answer does not fit the schema: ${problem}`);
      return 0;
    }
    const given = found === undefined ? response : exactJson(found.source);
    const isRight = ([path]: [string, number]): boolean => {
      const field = memberAt(given, path);
      return field !== undefined && equalJson(field.value, memberAt(wanted, path)!.value, this.#options);
    };
    const right = weights.filter(isRight);
    const wrong = weights.filter((field) => !right.includes(field));
    if (wrong.length > 0) remark?.(`Wrong: ${wrong.map(([path]) => path || 'the value').join(', ')}.`);
    return sumOfDecimals(right.map(weightOf)) / sumOfDecimals(weights.map(weightOf));
  }

  async #schemaProblem(value: unknown): Promise<string | undefined> {
    const result = await this.#options.schema?.['~standard'].validate(value);
    return result?.issues?.map(({ message }) => message).join('; ');
  }
}

const weightOf = ([, weight]: [string, number]): number => weight;

function evenWeights(wanted: unknown): Record<string, number> {
  if (!isJsonObject(wanted) || Object.keys(wanted).length === 0) return { '': 1 };
  return Object.fromEntries(Object.keys(wanted).map((name) => [name.replaceAll('.', '\\.'), 1]));
}

/**
 * Undefined where there is none; own members only.
 * @param path names separated by dots; a dot in a name is written `\.`
 */
function memberAt(value: unknown, path: string): { value: unknown } | undefined {
  if (path === '') return { value };
  let found = value;
  for (const part of path.split(/(?<!\\)\./)) {
    const name = part.replaceAll('\\.', '.');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return { value: found };
}
