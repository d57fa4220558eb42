import { callWithin, refuseOption } from '@art/ground';
import { judgeFailed } from './judge-failed.ts';
import type { RewardContext } from './reward-context.ts';
import { RewardFunction } from './reward-function.ts';

/** A scorer in the shape of the package `autoevals`: a score between 0 and 1, or null where it does not apply. */
export type AutoevalsScorer<Input> = (input: Input) => AutoevalsScore | Promise<AutoevalsScore>;

export interface AutoevalsScore {
  name: string;
  score: number | null;
  metadata?: Record<string, unknown> | undefined;
}

/** A scorer of `autoevals` as a reward: `new AutoevalsReward(Levenshtein)` over `{ output, expected }`. */
export class AutoevalsReward<Input> extends RewardFunction<Input, number> {
  readonly #scorer: AutoevalsScorer<Input>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(scorer: AutoevalsScorer<Input>) {
    super();
    if (typeof scorer !== 'function') refuseOption('scorer', 'a scorer of autoevals', scorer);
    this.#scorer = scorer;
  }

  /** @throws ArtError `ART_JUDGE_FAILED` where the scorer gives no score; whatever it throws; the signal's reason, which a scorer does not know */
  protected override async evaluate(input: Input, { signal, remark }: RewardContext): Promise<number> {
    const { name, score, metadata } = await callWithin(async () => this.#scorer(input), { signal });
    if (score === null) judgeFailed(`a score of ${name}`, 'null, which means that it does not apply');
    if (typeof metadata?.['rationale'] === 'string') remark?.(`${name}: ${metadata['rationale']}`);
    return score;
  }
}
