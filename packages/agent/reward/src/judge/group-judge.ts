import { isJsonObject, optional, type OptionRules, readOptions, refuseOption } from '@art/ground';
import { createHash } from 'node:crypto';
import type { RewardContext } from '../reward-context.ts';
import { JudgeModel, type JudgeModelOptions, judgeModelRules } from './judge-model.ts';
import { quoted } from './quoted.ts';
import type { JudgeVerdict } from './read-verdict.ts';
import { aRubric } from './rubric.ts';

export interface GroupJudgeOptions extends JudgeModelOptions {
  /** The quality to compare by, in words. @default whether and how well the task was solved */
  rubric?: string | undefined;
}

const fields = {
  scores: {
    type: 'array',
    items: {
      type: 'object',
      properties: { id: { type: 'string' }, explanation: { type: 'string' }, score: { type: 'number' } },
      required: ['id', 'explanation', 'score'],
      additionalProperties: false,
    },
  },
};

const rules = {
  ...judgeModelRules,
  rubric: optional(
    aRubric,
    'A response that solves the task is better than one that does not. Of two that solve it, the more direct one is better; of two that fail, the one that came nearer.',
  ),
} satisfies OptionRules<GroupJudgeOptions>;

/**
 * A model scores all attempts at one task beside each other, from 0 to 1. It is easier to say which of eight is better than how good one is
 * alone, and advantages need no more: this is the idea of RULER.
 */
export class GroupJudge {
  readonly #model: JudgeModel;
  readonly #rubric: string;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: GroupJudgeOptions) {
    const { rubric, ...model } = readOptions('GroupJudge', options, rules);
    this.#rubric = rubric;
    this.#model = new JudgeModel(model);
  }

  /**
   * @param responses two at least: final texts, or whole conversations as text
   * @returns a score for each, in their order
   * @throws ArtError `ART_INVALID_OPTION`; `ART_JUDGE_FAILED` where there is no judgement of all of them
   */
  async scores(task: string, responses: readonly string[], context: RewardContext = {}): Promise<number[]> {
    if (!Array.isArray(responses) || responses.length < 2)
      refuseOption('responses', 'two texts at least', responses);
    // What is said twice is judged once, so that equal responses have equal scores. Their order must not tell which was first.
    const distinct = [...new Set(responses)].toSorted((first, second) =>
      digest(first) < digest(second) ? -1 : 1,
    );
    const system = `You are a strict and fair judge. Below are ${distinct.length} responses to one task. Give each a score from 0 to 1, relative to each other: ${this.#rubric}\n\nThe order in which they stand says nothing. \`scores\` is a list of {"id": "1", "explanation": "...", "score": number}, one for each.`;
    const user = (marker: string): string =>
      [
        quoted('task', task, marker),
        ...distinct.map((text, at) => `Response ${at + 1}:\n${quoted('response', text, marker)}`),
      ].join('\n\n');
    const found = await this.#model.ask(
      { system, user, fields },
      (answer) => readScores(answer, distinct.length, context.remark),
      context,
    );
    return responses.map((text) => found[distinct.indexOf(text)]!);
  }
}

function readScores(
  { scores: list }: JudgeVerdict,
  count: number,
  remark: RewardContext['remark'],
): number[] {
  const scores = new Map<string, number>();
  for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!isJsonObject(item)) continue;
    const { id, score, explanation } = item;
    if (typeof score !== 'number' || !(score >= 0 && score <= 1))
      throw new Error(`a score of ${JSON.stringify(score)}, which is not from 0 to 1`);
    if (scores.has(String(id))) throw new Error(`two scores for response ${String(id)}`);
    scores.set(String(id), score);
    if (typeof explanation === 'string') remark?.(`${String(id)}: ${explanation}`);
  }
  return Array.from({ length: count }, (_, at) => {
    const score = scores.get(String(at + 1));
    if (score === undefined) throw new Error(`no score for response ${at + 1} of ${count}`);
    return score;
  });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
