import { costOfTokens, priceOf, type PriceTable } from '@art/protocol';
import type { ModelCallRecord } from '@art/trajectories';

/** Null where a model has no price, or nobody counted its tokens. @param modelId the model that the agent is given, where the one that answered is called otherwise */
export function costOf(
  calls: readonly ModelCallRecord[],
  prices: PriceTable | null,
  modelId: string | null,
): number | null {
  if (prices === null) return null;
  let cost = 0;
  for (const { model, promptTokens, completionTokens } of calls) {
    const price = priceOf(prices, model, modelId ?? undefined);
    if (price === undefined || promptTokens === null || completionTokens === null) return null;
    cost += costOfTokens(price, promptTokens, completionTokens);
  }
  return cost;
}
