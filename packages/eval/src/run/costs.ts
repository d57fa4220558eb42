import { ArtError, describeValue, isJsonObject } from '@art/protocol';
import type { PriceTable } from '../records/run-record.ts';
import type { ModelCallRecord } from '../records/transcript-record.ts';

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

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkPrices(prices: unknown): void {
  if (prices === undefined || prices === null) return;
  const isTable =
    isJsonObject(prices) &&
    Object.values(prices).every(
      (price) => isJsonObject(price) && isPrice(price['input']) && isPrice(price['output']),
    );
  if (isTable) return;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected prices of a million tokens by model, such as {"gpt-x": {"input": 1.5, "output": 6}, "*": {"input": 0, "output": 0}}, got ${describeValue(prices)}.`,
  });
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
