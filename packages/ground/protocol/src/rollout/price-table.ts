import { custom, isJsonObject, type OptionRule } from '@art/ground';

/** Prices of a million tokens by model id, `*` for every other one. */
export type PriceTable = Record<string, { input: number; output: number }>;

const million = 1_000_000;

/** The price of a model by any of its names; undefined where none has one. A price of 0 is a price. */
export function priceOf(
  prices: PriceTable,
  ...names: readonly (string | undefined)[]
): PriceTable[string] | undefined {
  const name = [...names, '*'].find((one) => one !== undefined && Object.hasOwn(prices, one));
  return name === undefined ? undefined : prices[name];
}

export function costOfTokens(price: PriceTable[string], prompt: number, completion: number): number {
  return (prompt * price.input + completion * price.output) / million;
}

export const aPriceTable: OptionRule<PriceTable> = custom(
  'prices of a million tokens by model, such as {"gpt-x": {"input": 1.5, "output": 6}, "*": {"input": 0, "output": 0}}',
  isPriceTable,
);

export function isPriceTable(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    Object.values(value).every(
      (price) => isJsonObject(price) && isAmount(price['input']) && isAmount(price['output']),
    )
  );
}

export function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
