import { refuseOption } from '@art/protocol';
import { canonicalDecimal } from './canonical-decimal.ts';
import { extractGsm8kAnswer, type Gsm8kExtraction } from './extract-gsm8k-answer.ts';
import { finiteOption } from './finite-option.ts';
import { RewardFunction } from './reward-function.ts';
import { readTextAnswer, type TextAnswer } from './text-answer.ts';

export interface GSM8KRewardOptions {
  /** Where the answer is looked for. @default 'strict' */
  method?: Gsm8kExtraction | undefined;
  /** Reward of the right answer. @default 1 */
  score?: number | undefined;
  /** Reward of a wrong answer that could be read; none at all always gets 0. @default 0 */
  formatScore?: number | undefined;
}

/**
 * Reward for grade-school maths: is the final number of the response the right one?
 *
 * Follows verl's GSM8K reward; see this package's README for the few cases where it is more lenient. The ground truth
 * is the bare number, or the solution text of the data set, which ends in `#### number`.
 */
export class GSM8KReward extends RewardFunction<TextAnswer, number> {
  readonly #method: Gsm8kExtraction;
  readonly #score: number;
  readonly #formatScore: number;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: GSM8KRewardOptions = {}) {
    super();
    this.#method = options.method ?? 'strict';
    if (this.#method !== 'strict' && this.#method !== 'flexible') {
      refuseOption('method', "'strict' or 'flexible'", options.method);
    }
    this.#score = finiteOption('score', options.score ?? 1);
    this.#formatScore = finiteOption('formatScore', options.formatScore ?? 0);
  }

  /** @throws ArtError `ART_INVALID_OPTION` for an answer without text, or a ground truth without a number */
  protected override evaluate(answer: TextAnswer): number {
    const { responseText, groundTruth } = readTextAnswer(answer);
    const expected = groundTruthNumber(groundTruth);
    const given = extractGsm8kAnswer(responseText, this.#method);
    if (given === undefined) return 0;
    return canonicalDecimal(given) === expected ? this.#score : this.#formatScore;
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
