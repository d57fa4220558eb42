import type { ServedPolicy } from '../sampling/served-policy.ts';
import type { StopWhen, TokenPrices } from '../run/train-options.ts';
import type { TrainingStep } from '../run/training-step.ts';

/** What a run has used so far. */
export class Spending {
  readonly #policies: readonly ServedPolicy[];
  readonly #prices: TokenPrices | undefined;
  #trained = 0;

  constructor(policies: readonly ServedPolicy[], prices: TokenPrices | undefined) {
    this.#policies = policies;
    this.#prices = prices;
  }

  /** All tokens of a pass, prompts among them: that is what services count. */
  addTrained(tokens: number): void {
    this.#trained += tokens;
  }

  get total(): TrainingStep['spent'] {
    const promptTokens = this.#policies.reduce((sum, { tokens }) => sum + tokens.prompt, 0);
    const sampledTokens = this.#policies.reduce((sum, { tokens }) => sum + tokens.sampled, 0);
    const prices = this.#prices;
    const money =
      prices &&
      (promptTokens * prices.prompt + sampledTokens * prices.sampled + this.#trained * prices.trained) / 1e6;
    return { promptTokens, sampledTokens, trainedTokens: this.#trained, money };
  }

  /** What was used up, in words; undefined while there is some left. */
  exceeded({ tokens = Infinity, money = Infinity }: StopWhen): string | undefined {
    const { promptTokens, sampledTokens, trainedTokens, money: spent = 0 } = this.total;
    const used = promptTokens + sampledTokens + trainedTokens;
    if (used >= tokens)
      return `${used.toLocaleString('en-US')} of ${tokens.toLocaleString('en-US')} tokens are used.`;
    return spent >= money ? `${spent.toFixed(2)} of ${money} are spent.` : undefined;
  }
}
