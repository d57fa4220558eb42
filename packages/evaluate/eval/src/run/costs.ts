import { custom, isJsonObject } from '@art/ground';
import type { PriceTable } from '../records/run-record.ts';
import type { ModelCallRecord } from '@art/trajectories';

const million = 1_000_000;

/** Null where a model has no price. */
export function costOf(calls: readonly ModelCallRecord[], prices: PriceTable | null): number | null {
  if (prices === null) return null;
  let cost = 0;
  for (const { model, promptTokens, completionTokens } of calls) {
    const price = Object.hasOwn(prices, model) ? prices[model] : prices['*'];
    if (price === undefined) return null;
    cost += (promptTokens * price.input + completionTokens * price.output) / million;
  }
  return cost;
}

export const aPriceTable = custom<PriceTable>(
  'prices of a million tokens by model, such as {"gpt-x": {"input": 1.5, "output": 6}, "*": {"input": 0, "output": 0}}',
  (prices) =>
    isJsonObject(prices) &&
    Object.values(prices).every(
      (price) => isJsonObject(price) && isPrice(price['input']) && isPrice(price['output']),
    ),
);

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
