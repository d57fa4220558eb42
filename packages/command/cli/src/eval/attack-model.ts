import { ArtError, refuseOption } from '@art/ground';
import { type Reflect, reflectBy } from '@art/improve';
import { costOfTokens, priceOf } from '@art/protocol';
import type { CliContext } from '../cli-context.ts';
import { type CeilingFlags, openRunBudget, readPrices } from '../connection/open-run-budget.ts';

/** The model that attacks a reward, and what it has spent. */
export interface AttackModel {
  id: string;
  reflect: Reflect;
  spent: { calls: number; tokens: number; usd: number };
  /** Why it may not be called any more. */
  reached: () => string | undefined;
}

/** @throws ArtError `ART_INVALID_OPTION` for ceilings that cannot be read or counted */
export function openAttackModel(
  {
    model,
    baseUrl,
    ceiling,
    prices,
  }: CeilingFlags & { model?: string | undefined; baseUrl?: string | undefined },
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
): AttackModel {
  const id = model ?? refuseOption('--model', 'a model beside --search', undefined);
  const budget = openRunBudget({ ceiling, prices, modelId: id }, cwd, true);
  const price = prices === undefined ? undefined : priceOf(readPrices(prices, cwd), id);
  const spent = { calls: 0, tokens: 0, usd: 0 };
  const reached = (): string | undefined => budget?.reached?.message;
  const meter = {
    begin: (): void => {
      const message = reached();
      if (message !== undefined) throw new ArtError({ code: 'ART_RUN_CEILING_REACHED', message });
    },
    count: ({ promptTokens, completionTokens }: { promptTokens: number; completionTokens: number }): void => {
      spent.calls += 1;
      spent.tokens += promptTokens + completionTokens;
      if (price !== undefined) spent.usd += costOfTokens(price, promptTokens, completionTokens);
      budget?.count(spent);
    },
  };
  const reflect = reflectBy(
    {
      baseUrl: baseUrl ?? refuseOption('--base-url', 'the endpoint of --model', undefined),
      model: id,
      apiKey: env['REFLECT_API_KEY'],
    },
    meter,
  );
  return { id, reflect, spent, reached };
}
