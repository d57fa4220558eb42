import {
  type Ceiling,
  costOfTokens,
  priceOf,
  type PriceTable,
  type ReachedCeiling,
  reachedUnit,
  type SessionCeilings,
  type Spent,
} from '@art/protocol';
import { ApiError } from '../http/api-error.ts';

/** Spending of a session, or of all sessions of a run, and the most that may be. */
export interface SpendingAccount {
  readonly ceiling: Ceiling;
  readonly spent: Spent;
}

/** The spending of a session: its own, and its part in that of its run. */
export class SessionSpending {
  readonly run: SpendingAccount | undefined;
  readonly #sample: SpendingAccount;
  readonly #prices: PriceTable;
  readonly #sinceMs: number;
  readonly #changed: () => void;
  #reached: ReachedCeiling | undefined;

  /**
   * @param run the account that the sessions of its run share
   * @param sinceMs when the session was created, milliseconds since the Unix epoch
   * @param changed called whenever the account of the run has changed, before a request that changed it is sent
   */
  constructor(
    { sample = {}, prices = {} }: SessionCeilings,
    run: SpendingAccount | undefined,
    sinceMs: number,
    changed: () => void,
  ) {
    this.run = run;
    this.#sample = { ceiling: sample, spent: { calls: 0, tokens: 0, usd: 0 } };
    this.#prices = prices;
    this.#sinceMs = sinceMs;
    this.#changed = changed;
  }

  /** The ceiling by which a call was refused first; undefined while none was. */
  get reached(): ReachedCeiling | undefined {
    return this.#reached;
  }

  /** Counts a request that is about to be sent. @throws ApiError 402 where a ceiling is reached, or the model has no price */
  begin(model: string | undefined, nowMs = Date.now()): void {
    const refusal = this.#refusal(model, nowMs);
    if (refusal !== undefined) {
      this.#reached ??= refusal;
      // No client of a model tries 402 again; 429 would be tried for minutes.
      const { message, of } = refusal;
      throw new ApiError({ status: 402, type: 'ceiling_reached', message, code: `${of}_ceiling_reached` });
    }
    this.#add({ calls: 1, tokens: 0, usd: 0 });
  }

  /** Takes a request back. @param wasSent the engine refused it: the session does not pay for that, the run does */
  takeBack(wasSent: boolean): void {
    this.#sample.spent.calls -= 1;
    if (wasSent || this.run === undefined) return;
    this.run.spent.calls -= 1;
    this.#changed();
  }

  /** @param models names of the model, the one that answered before the one that was asked for */
  count(models: readonly (string | undefined)[], prompt: number, completion: number): void {
    const price = priceOf(this.#prices, ...models);
    const usd = price === undefined ? 0 : costOfTokens(price, prompt, completion);
    this.#add({ calls: 0, tokens: prompt + completion, usd });
  }

  /** Takes over what the session spent before this process. */
  restore(spent: Spent): void {
    Object.assign(this.#sample.spent, spent);
  }

  #add({ calls, tokens, usd }: Spent): void {
    for (const account of [this.#sample, this.run]) {
      if (account === undefined) continue;
      account.spent.calls += calls;
      account.spent.tokens += tokens;
      account.spent.usd += usd;
    }
    if (this.run !== undefined) this.#changed();
  }

  #refusal(model: string | undefined, nowMs: number): ReachedCeiling | undefined {
    const accounts = { sample: this.#sample, run: this.run } as const;
    for (const side of ['run', 'sample'] as const) {
      const account = accounts[side];
      if (account === undefined) continue;
      const { ceiling, spent } = account;
      const isOver = ceiling.seconds !== undefined && nowMs - this.#sinceMs >= ceiling.seconds * 1_000;
      const unit = isOver ? 'seconds' : reachedUnit(ceiling, spent);
      if (unit === undefined) continue;
      const whose = side === 'run' ? 'run' : 'session';
      const most = side === 'run' && isOver ? 'seconds' : `${ceiling[unit]} ${unit}`;
      return {
        of: side,
        unit,
        message: `The ceiling of the ${whose} is reached: all of its ${most} are spent.`,
      };
    }
    const isPriced = accounts.sample.ceiling.usd !== undefined || accounts.run?.ceiling.usd !== undefined;
    if (!isPriced || priceOf(this.#prices, model) !== undefined) return undefined;
    const message = `The model ${JSON.stringify(model ?? null)} has no price, so that what it costs cannot be held below a ceiling. Add it to the prices.`;
    return { of: 'run', unit: 'usd', message, isUnpriced: true };
  }
}
