import { sumOfKnown } from '@art/ground/figures';
import { costOfTokens, priceOf, type PriceTable } from '@art/protocol';
import type { ModelCallRecord } from '@art/trajectories';

/** Null where a model has no price, or nobody counted its tokens. @param modelId the model that the agent is given, where the one that answered is called otherwise */
export function costOf(
  calls: readonly ModelCallRecord[],
  prices: PriceTable | null,
  modelId: string | null,
): number | null {
  if (prices === null) return null;
  const costs = calls.map(({ model, promptTokens: prompt, completionTokens: completion }) => {
    const price = priceOf(prices, model, modelId ?? undefined);
    return price && prompt !== null && completion !== null ? costOfTokens(price, prompt, completion) : null;
  });
  return sumOfKnown(costs);
}
