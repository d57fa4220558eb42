import { join } from 'node:path';
import { DurableLines } from '../files/durable-lines.ts';
import type { StopWhen, TrainSettings } from '../run/train-options.ts';
import type { TrainingStep } from '../run/training-step.ts';

type Tokens = Omit<TrainingStep['spent'], 'money'>;

/** The tokens and money that a run has used so far, in all its processes. */
export class Spending {
  readonly #settings: Pick<TrainSettings, 'policy' | 'evaluation' | 'prices'>;
  /** Before this process, by the last line of `metrics.jsonl`. */
  readonly #earlier: Tokens;
  /** The tokens that the policies had sampled before, for another run of this process. */
  readonly #others: Omit<Tokens, 'trainedTokens'>;
  #trained = 0;

  constructor(directory: string, settings: Pick<TrainSettings, 'policy' | 'evaluation' | 'prices'>) {
    this.#settings = settings;
    const steps = new DurableLines<TrainingStep>(join(directory, 'metrics.jsonl')).all();
    this.#earlier = steps.at(-1)?.spent ?? { promptTokens: 0, sampledTokens: 0, trainedTokens: 0 };
    this.#others = this.#sampled();
  }

  /** All tokens of a pass, prompts among them: that is what services count. */
  addTrained(tokens: number): void {
    this.#trained += tokens;
  }

  get total(): TrainingStep['spent'] {
    const sampled = this.#sampled();
    const promptTokens = this.#earlier.promptTokens + sampled.promptTokens - this.#others.promptTokens;
    const sampledTokens = this.#earlier.sampledTokens + sampled.sampledTokens - this.#others.sampledTokens;
    const trainedTokens = this.#earlier.trainedTokens + this.#trained;
    const { prices } = this.#settings;
    const money =
      prices &&
      (promptTokens * prices.prompt + sampledTokens * prices.sampled + trainedTokens * prices.trained) / 1e6;
    return { promptTokens, sampledTokens, trainedTokens, money };
  }

  /** The limit that was reached, in words; undefined while none is reached. */
  exceeded({ tokens = Infinity, money = Infinity }: StopWhen): string | undefined {
    const { promptTokens, sampledTokens, trainedTokens, money: spent = 0 } = this.total;
    const used = promptTokens + sampledTokens + trainedTokens;
    if (used >= tokens)
      return `${used.toLocaleString('en-US')} of ${tokens.toLocaleString('en-US')} tokens are used.`;
    return spent >= money ? `${spent.toFixed(2)} of ${money} are spent.` : undefined;
  }

  #sampled(): Omit<Tokens, 'trainedTokens'> {
    const { policy, evaluation } = this.#settings;
    const policies = evaluation === undefined ? [policy] : [policy, evaluation.policy];
    return {
      promptTokens: policies.reduce((sum, { tokens }) => sum + tokens.prompt, 0),
      sampledTokens: policies.reduce((sum, { tokens }) => sum + tokens.sampled, 0),
    };
  }
}
