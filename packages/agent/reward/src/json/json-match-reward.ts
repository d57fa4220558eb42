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
import { lastJsonIn } from './last-json-in.ts';

/** The answer, as text or as a value, and the expected value. */
export interface JsonAnswer {
  /** A text may have other words around its JSON; the last value in it counts. */
  response: unknown;
  expected: unknown;
}

export interface JsonMatchRewardOptions {
  /** Share of each field by its path, `address.city` or `items.0.price`. @default all fields of `expected` alike */
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

/** Compares JSON field by field: the weighted share of the fields that are right. */
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

  /** @throws ArtError `ART_INVALID_OPTION` where there is nothing that is expected */
  protected override async evaluate(
    { response, expected }: JsonAnswer,
    { remark }: RewardContext,
  ): Promise<number> {
    const wanted = typeof expected === 'string' ? lastJsonIn(expected) : expected;
    if (wanted === undefined || wanted === null) refuseOption('expected', 'JSON', expected);
    const given = typeof response === 'string' ? lastJsonIn(response) : response;
    if (given === undefined) {
      remark?.('The answer has no JSON in it.');
      return 0;
    }
    const problem = await this.#schemaProblem(given);
    if (problem !== undefined) {
      remark?.(`The answer does not fit the schema: ${problem}`);
      return 0;
    }
    const weights = Object.entries(this.#options.weights ?? evenWeights(wanted));
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
    const wrong = weights.filter(([path]) => !this.#isEqual(memberAt(given, path), memberAt(wanted, path)));
    if (wrong.length > 0) remark?.(`Wrong: ${wrong.map(([path]) => path || 'the value').join(', ')}.`);
    return 1 - wrong.reduce((sum, [, weight]) => sum + weight, 0) / total;
  }

  async #schemaProblem(value: unknown): Promise<string | undefined> {
    const result = await this.#options.schema?.['~standard'].validate(value);
    return result?.issues?.map(({ message }) => message).join('; ');
  }

  #isEqual(given: unknown, wanted: unknown): boolean {
    const { tolerance, ignoreOrder } = this.#options;
    if (typeof given === 'number' && typeof wanted === 'number') return Math.abs(given - wanted) <= tolerance;
    if (Array.isArray(given) && Array.isArray(wanted)) {
      if (given.length !== wanted.length) return false;
      if (!ignoreOrder) return wanted.every((value, at) => this.#isEqual(given[at], value));
      const left: unknown[] = [...given];
      return wanted.every((value) => {
        const at = left.findIndex((candidate) => this.#isEqual(candidate, value));
        if (at !== -1) left.splice(at, 1);
        return at !== -1;
      });
    }
    if (isJsonObject(given) && isJsonObject(wanted)) {
      const names = Object.keys(wanted);
      return (
        names.length === Object.keys(given).length &&
        names.every((name) => Object.hasOwn(given, name) && this.#isEqual(given[name], wanted[name]))
      );
    }
    return given === wanted;
  }
}

function evenWeights(wanted: unknown): Record<string, number> {
  if (!isJsonObject(wanted) || Object.keys(wanted).length === 0) return { '': 1 };
  return Object.fromEntries(Object.keys(wanted).map((name) => [name.replaceAll('.', '\\.'), 1]));
}

/** @param path names separated by dots; a dot in a name is written `\.` */
function memberAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  let found = value;
  for (const part of path.split(/(?<!\\)\./)) {
    const name = part.replaceAll('\\.', '.');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
