import { aNumber, optional, type OptionRules, type ReadOptions, readOptions } from '@art/ground';
import type { RewardContext } from '../reward-context.ts';
import { RewardFunction } from '../reward-function.ts';
import { readTextAnswer, type TextAnswer } from '../text-answer.ts';
import { equalMaths, type MathsEqualityOptions } from './equal-maths.ts';
import { extractMathsAnswer } from './extract-maths-answer.ts';

export interface MathsRewardOptions extends MathsEqualityOptions {
  /** Reward of the right answer; anything else gets 0. @default 1 */
  score?: number | undefined;
}

const rules = {
  score: optional(aNumber(), 1),
  tolerance: optional(aNumber({ min: 0 })),
} satisfies OptionRules<MathsRewardOptions>;

/** Reward for an answer in mathematics: is it the same number or expression, however it is written? */
export class MathsReward extends RewardFunction<TextAnswer, number> {
  readonly #options: ReadOptions<typeof rules>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: MathsRewardOptions = {}) {
    super();
    this.#options = readOptions('MathsReward', options, rules);
  }

  /** @throws ArtError `ART_INVALID_OPTION` for an answer without text, or without a ground truth */
  protected override evaluate(answer: TextAnswer, { remark }: RewardContext): number {
    const { responseText, groundTruth } = readTextAnswer(answer);
    const given = extractMathsAnswer(responseText);
    remark?.(given === undefined ? 'No answer was found.' : `The answer was read as ${given}.`);
    if (given === undefined) return 0;
    const expected = extractMathsAnswer(groundTruth) ?? groundTruth;
    return equalMaths(given, expected, this.#options) ? this.#options.score : 0;
  }
}
