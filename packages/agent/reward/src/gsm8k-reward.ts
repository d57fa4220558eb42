import {
  aNumber,
  oneOf,
  optional,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
} from '@art/ground';
import { canonicalDecimal } from './canonical-decimal.ts';
import { extractGsm8kAnswer, type Gsm8kExtraction } from './extract-gsm8k-answer.ts';
import { minusSigns } from './minus-signs.ts';
import { RewardFunction } from './reward-function.ts';
import { readTextAnswer, type TextAnswer } from './text-answer.ts';
import { withoutThinking } from './without-thinking.ts';

export interface GSM8KRewardOptions {
  /** Where the answer is looked for. @default 'strict' */
  method?: Gsm8kExtraction | undefined;
  /** Reward of the right answer. @default 1 */
  score?: number | undefined;
  /** Reward of a wrong answer that could be read; none at all always gets 0. @default 0 */
  formatScore?: number | undefined;
}

const rules = {
  method: optional(oneOf('strict', 'flexible'), 'strict'),
  score: optional(aNumber(), 1),
  formatScore: optional(aNumber(), 0),
} satisfies OptionRules<GSM8KRewardOptions>;

/**
 * Reward for grade-school maths: is the final number of the response the right one? It follows verl's, and knows every sign of a minus. The ground
 * truth is the bare number, or the solution text of the data set, which ends in `#### number`.
 */
export class GSM8KReward extends RewardFunction<TextAnswer, number> {
  readonly #options: ReadOptions<typeof rules>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: GSM8KRewardOptions = {}) {
    super();
    this.#options = readOptions('GSM8KReward', options, rules);
  }

  /** @throws ArtError `ART_INVALID_OPTION` for an answer without text, or a ground truth without a number */
  protected override evaluate(answer: TextAnswer): number {
    const { responseText, groundTruth } = readTextAnswer(answer);
    const expected = groundTruthNumber(groundTruth);
    const { method, score, formatScore } = this.#options;
    const given = extractGsm8kAnswer(withoutThinking(responseText).replaceAll(minusSigns, '-'), method);
    if (given === undefined) return 0;
    return canonicalDecimal(given) === expected ? score : formatScore;
  }
}

function groundTruthNumber(groundTruth: string): string {
  const answer = groundTruth.includes('####')
    ? groundTruth.slice(groundTruth.lastIndexOf('####') + 4)
    : groundTruth;
  return (
    canonicalDecimal(answer) ??
    refuseOption('groundTruth', "a number such as '18', or a solution that ends in '#### 18'", groundTruth)
  );
}
