import { ArtError, describeValue } from '@art/ground';

/** Figure that a goal is about; `of` tells pass@k from pass^k. */
export type GoalFigure =
  | { name: 'mean' }
  | { name: 'pass'; k: number; of: 'any' | 'all' }
  /** @param baseline folder of the run that this one is compared with, task by task; undefined for one beside this one */
  | { name: 'difference'; baseline: string | undefined };

/** A question that a run answers, and ends once it is answered. */
export type Goal = { text: string; figure: GoalFigure } & (
  | { kind: 'claim'; side: 'above' | 'below'; bound: number }
  /** The interval of 95 % is narrower than this. */
  | { kind: 'width'; width: number }
);

const form =
  /^(mean|width|pass([@^])([1-9]\d{0,5})|difference(?: from (\S(?:.*\S)?))?)\s*(<=|>=|<|>)\s*(-?(?:\d+\.?\d*|\.\d+))(%?)$/;
const examples = '"mean >= 0.8", "pass@1 > 70%", "difference from .art/evals/main > 0" or "width < 0.05"';

/** @throws ArtError `ART_INVALID_OPTION` */
export function readGoal(text: unknown): Goal {
  const [, name, sign, k, baseline, relation, number, percent] =
    (typeof text === 'string' && form.exec(text.trim().replaceAll(/\s+/g, ' '))) || [];
  if (name === undefined || relation === undefined) refuse(`a goal such as ${examples}`, text);
  const bound = Number(number) / (percent === '%' ? 100 : 1);
  const goal = { text: (text as string).trim() };
  if (name === 'width') {
    if (!relation.startsWith('<') || !(bound > 0)) refuse('"width < " and a number above 0', text);
    return { ...goal, figure: { name: 'mean' }, kind: 'width', width: bound };
  }
  const figure: GoalFigure = name.startsWith('difference')
    ? { name: 'difference', baseline }
    : k === undefined
      ? { name: 'mean' }
      : { name: 'pass', k: Number(k), of: sign === '@' ? 'any' : 'all' };
  return { ...goal, figure, kind: 'claim', side: relation.startsWith('>') ? 'above' : 'below', bound };
}

/** True for a question about two agents that are asked side by side. */
export function isGoalOfBoth(text: string): boolean {
  const { figure } = readGoal(text);
  return figure.name === 'difference' && figure.baseline === undefined;
}

function refuse(expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected \`until\` to be ${expected}, got ${describeValue(got)}.`,
  });
}
