import { custom, optional, type OptionRules, readOptions, refuseOption } from '@art/ground';
import type { RewardContext } from '../reward-context.ts';
import { RewardFunction } from '../reward-function.ts';
import { JudgeModel, type JudgeModelOptions, judgeModelRules } from './judge-model.ts';
import { quoted } from './quoted.ts';
import { aRubric } from './rubric.ts';

export interface RubricRewardOptions extends JudgeModelOptions {
  /** The qualities of a good answer and the score that each is worth, in words. */
  rubric: string;
  /** Lowest and highest score that the judge may give; rewards are spread over 0 to 1. @default [0, 10] */
  scale?: readonly [number, number] | undefined;
}

/** The input of a judge. */
export interface RubricAnswer {
  /** The question or task that was given. */
  task: string;
  responseText: string;
  /** A good answer to compare with. @default none */
  reference?: string | undefined;
}

const fields = { reasoning: { type: 'string' }, score: { type: 'number' } };

const rules = {
  ...judgeModelRules,
  rubric: aRubric,
  scale: optional(custom<readonly [number, number]>('two numbers, the lower one first', isScale), [0, 10]),
} satisfies OptionRules<RubricRewardOptions>;

/** A model judges an answer by a rubric. */
export class RubricReward extends RewardFunction<RubricAnswer, number> {
  readonly #model: JudgeModel;
  readonly #rubric: string;
  readonly #scale: readonly [number, number];

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: RubricRewardOptions) {
    super();
    const { rubric, scale, ...model } = readOptions('RubricReward', options, rules);
    this.#model = new JudgeModel(model);
    this.#rubric = rubric;
    this.#scale = scale;
  }

  /** @throws ArtError `ART_JUDGE_FAILED` where there is no judgement */
  protected override evaluate(answer: RubricAnswer, context: RewardContext): Promise<number> {
    const { task, responseText, reference } = answer ?? {};
    if (typeof responseText !== 'string') refuseOption('responseText', 'a string', responseText);
    const [low, high] = this.#scale;
    const system = `You are a strict and fair judge. Judge the response by this rubric:\n\n${this.#rubric}\n\nThink first, then give a score from ${low} to ${high}.`;
    const user = (marker: string): string =>
      [
        quoted('task', task, marker),
        ...(reference === undefined ? [] : [quoted('reference', reference, marker)]),
        quoted('response', responseText, marker),
      ].join('\n\n');
    return this.#model.ask(
      { system, user, fields },
      ({ reasoning, score }) => {
        if (typeof score !== 'number' || !(score >= low && score <= high))
          throw new Error(`a score of ${JSON.stringify(score)}, which is not from ${low} to ${high}`);
        if (typeof reasoning === 'string') context.remark?.(reasoning);
        return (score - low) / (high - low);
      },
      context,
    );
  }
}

function isScale(value: unknown): boolean {
  return Array.isArray(value) && value.every((end) => Number.isFinite(end)) && value[0] < value[1];
}
