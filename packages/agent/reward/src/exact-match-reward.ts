import { aBoolean, aNumber, optional, type OptionRules, type ReadOptions, readOptions } from '@art/ground';
import { RewardFunction } from './reward-function.ts';
import { readTextAnswer, type TextAnswer } from './text-answer.ts';

export interface ExactMatchRewardOptions {
  /** Reward of a match; anything else gets 0. @default 1 */
  score?: number | undefined;
  /** Ignore white space at both ends of both texts. @default true */
  trim?: boolean | undefined;
  /** Compare without regard to case. @default false */
  ignoreCase?: boolean | undefined;
}

const rules = {
  score: optional(aNumber(), 1),
  trim: optional(aBoolean, true),
  ignoreCase: optional(aBoolean, false),
} satisfies OptionRules<ExactMatchRewardOptions>;

/** Full reward where the whole response is the ground truth, 0 otherwise. */
export class ExactMatchReward extends RewardFunction<TextAnswer, number> {
  readonly #options: ReadOptions<typeof rules>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: ExactMatchRewardOptions = {}) {
    super();
    this.#options = readOptions('ExactMatchReward', options, rules);
  }

  /** @throws ArtError `ART_INVALID_OPTION` for an answer without text or ground truth */
  protected override evaluate(answer: TextAnswer): number {
    const { responseText, groundTruth } = readTextAnswer(answer);
    return this.#normalize(responseText) === this.#normalize(groundTruth) ? this.#options.score : 0;
  }

  #normalize(text: string): string {
    // Composed form, so that an accent typed in two ways is one text.
    const composed = text.normalize('NFC');
    const trimmed = this.#options.trim ? composed.trim() : composed;
    return this.#options.ignoreCase ? trimmed.toLowerCase() : trimmed;
  }
}
