import { type OptionRules, readOptions } from '@art/ground';
import type { RewardContext } from '../reward-context.ts';
import { RewardFunction } from '../reward-function.ts';
import { JudgeModel, type JudgeModelOptions, judgeModelRules } from './judge-model.ts';
import { quoted } from './quoted.ts';
import { aRubric } from './rubric.ts';

export interface PairRewardOptions extends JudgeModelOptions {
  /** The quality to compare by, in words. */
  rubric: string;
}

/** Two answers to the same task. */
export interface AnswerPair {
  task: string;
  responseText: string;
  /** The text that it is compared with. */
  otherText: string;
}

const fields = { reasoning: { type: 'string' }, better: { type: 'string', enum: ['A', 'B', 'tie'] } };
const pointsOfA: ReadonlyMap<unknown, number> = new Map([
  ['A', 1],
  ['B', 0],
  ['tie', 0.5],
]);

const rules = { ...judgeModelRules, rubric: aRubric } satisfies OptionRules<PairRewardOptions>;

/**
 * A model says which of two answers is better, asked in both orders, because judges prefer what comes first: 1 where it is the response
 * both times, 0 where it is the other one, 0.5 where they are alike or the order decided; between them where one of both was a tie.
 */
export class PairReward extends RewardFunction<AnswerPair, number> {
  readonly #model: JudgeModel;
  readonly #system: string;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: PairRewardOptions) {
    super();
    const { rubric, ...model } = readOptions('PairReward', options, rules);
    this.#model = new JudgeModel(model);
    this.#system = `You are a strict and fair judge of two responses, A and B. What makes a response better:\n\n${rubric}\n\nThe order in which they stand says nothing. Say "A", "B" or "tie".`;
  }

  /** @throws ArtError `ART_JUDGE_FAILED` where there is no judgement */
  protected override async evaluate(pair: AnswerPair, context: RewardContext): Promise<number> {
    const { task, responseText, otherText } = pair;
    const [first, second] = await Promise.all([
      this.#points(task, responseText, otherText, context),
      this.#points(task, otherText, responseText, context),
    ]);
    // Points of A: the response stood there the first time, the other one the second time.
    return (first + 1 - second) / 2;
  }

  #points(task: string, a: string, b: string, context: RewardContext): Promise<number> {
    const user = (marker: string): string =>
      [quoted('task', task, marker), quoted('A', a, marker), quoted('B', b, marker)].join('\n\n');
    return this.#model.ask(
      { system: this.#system, user, fields },
      ({ reasoning, better }) => {
        const points = pointsOfA.get(better);
        if (points === undefined) throw new Error(`${JSON.stringify(better)} for A, B or tie`);
        if (typeof reasoning === 'string') context.remark?.(reasoning);
        return points;
      },
      context,
    );
  }
}
