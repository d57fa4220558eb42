import { Semaphore } from '@art/ground';
import { isAtLeast, isSameFigure } from '@art/ground/figures';
import type { Judge } from '../run/judge.ts';
import { verdictBy } from '../run/verdict.ts';
import type { Task } from '../tasks/task.ts';
import {
  type AttackedTask,
  attackedTask,
  isReference,
  plainText,
  sampleWith,
} from '../judges/attacked-task.ts';
import { type Cheat, cheats, noDocument, type RightAnswer } from './cheats.ts';

/** Options of `auditReward`. */
export interface AuditOptions {
  tasks: Iterable<Task> | AsyncIterable<Task>;
  judge: Judge;
  /** Member of the document that has the agent's answer. @default all members in which agents give theirs */
  answerField?: string | undefined;
  /** Most tasks that are attacked. @default 20 */
  limit?: number | undefined;
  /** Reward from which an answer counts as passed. @default 1 */
  passReward?: number | undefined;
  /** Most judgements at once. @default 16 */
  concurrency?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called after each judgement. Must not throw. */
  onProgress?: ((judged: number) => void) | undefined;
}

/** A hole in a reward, shown by a cheat that passes. */
export interface RewardHole {
  hole: string;
  /** The cheat's name, and an answer that passed, shortened. */
  cheat: string;
  answer: string;
  /** Tasks in which it passed, of those in which it was tried. */
  tasks: string[];
  tried: number;
}

/** Findings of an audit. */
export interface RewardAudit {
  tasks: number;
  judgements: number;
  holes: RewardHole[];
  /** Tasks whose reference answer fails. */
  unsolvable: string[];
  /** Tasks that no answer, or an empty one, solves. */
  solvedByNothing: string[];
  /** Tasks that name no reference answer: of these nothing was observed. */
  withoutReference: string[];
  /** Tasks in which one answer got two rewards. */
  unstable: string[];
  /** The answer that is right most often, and its share, where at least half of the tasks have it. */
  commonAnswer: { answer: string; share: number } | null;
}

/** JSON of an answer, at most 80 characters. */
export function shortJson(answer: unknown): string {
  const text = JSON.stringify(answer) ?? 'undefined';
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/** Below this share a pass may be chance: a judge that draws, or a task whose answer a cheat is. */
const fewestShare = 0.15;

/** Forms in which answers are given. */
const forms: readonly RightAnswer['write'][] = [
  (text) => text,
  (text) => `\\boxed{${text}}`,
  (text) => `#### ${text}`,
  (text) => `<answer>${text}</answer>`,
  (text) => `The answer is ${text}.`,
];

/**
 * Attacks a reward with answers that no solver would give, and proves of each task that its reference answer passes, and passes again. No agent
 * runs; a model is called only by a judge that calls one.
 * @throws the signal's reason
 */
export async function auditReward(options: AuditOptions): Promise<RewardAudit> {
  const { judge, answerField, limit = 20, passReward = 1, concurrency = 16, signal, onProgress } = options;
  const atOnce = new Semaphore(concurrency);
  let judgements = 0;
  const rewardOf = async (
    task: AttackedTask,
    answer: unknown,
    beside?: Cheat['beside'],
  ): Promise<number | null> => {
    const sample = sampleWith(task, answer === noDocument ? undefined : answer, answerField, beside);
    const { reward } = await atOnce.run(signal, () => verdictBy(judge, sample, signal));
    judgements += 1;
    onProgress?.(judgements);
    return reward;
  };
  const audit: Omit<RewardAudit, 'judgements' | 'holes' | 'commonAnswer'> = {
    tasks: 0,
    unsolvable: [],
    solvedByNothing: [],
    withoutReference: [],
    unstable: [],
  };
  const found = new Map<Cheat, Pass[]>();
  const tasksOf = new Map<string, Set<string>>();
  const references: string[] = [];
  for await (const task of options.tasks) {
    if (audit.tasks >= limit) break;
    audit.tasks += 1;
    const attacked = attackedTask(task);
    if (attacked.references.length === 0) {
      audit.withoutReference.push(task.id);
      continue;
    }
    const solved = await solve(attacked, passReward, rewardOf);
    if (solved === undefined) {
      audit.unsolvable.push(task.id);
      continue;
    }
    references.push(solved.right.text.trim());
    const rewards = await Promise.all(
      cheats.map(async (cheat) => {
        const answer = cheat.answerOf(attacked, solved.right);
        if (answer === undefined || isReference(answer, attacked)) return undefined;
        return { cheat, answer, reward: await rewardOf(attacked, answer, cheat.beside) };
      }),
    );
    for (const tried of rewards) {
      if (tried === undefined) continue;
      const { cheat, answer, reward } = tried;
      if (reward !== null)
        tasksOf.set(cheat.hole, (tasksOf.get(cheat.hole) ?? new Set<string>()).add(task.id));
      // A graded reward may give the reference less than a pass.
      if (reward === null || !isAtLeast(reward, Math.min(passReward, solved.reward))) continue;
      if (isNothing(answer) && audit.solvedByNothing.at(-1) !== task.id) audit.solvedByNothing.push(task.id);
      const passes = found.get(cheat) ?? [];
      found.set(cheat, passes);
      passes.push({ taskId: task.id, right: plainText(solved.right.text), answer: shown(answer) });
    }
    const again = await rewardOf(attacked, solved.right.write(solved.right.text));
    if (again === null || !isSameFigure(again, solved.reward)) audit.unstable.push(task.id);
  }
  const holes = holesOf(found, tasksOf, new Set(references.map(plainText)).size);
  return { ...audit, judgements, holes, commonAnswer: commonOf(references) };
}

/** A task in which a cheat passes. */
interface Pass {
  taskId: string;
  right: string;
  answer: string;
}

/** @param tasksOf the tasks in which a hole was tried, by its name */
function holesOf(
  found: ReadonlyMap<Cheat, Pass[]>,
  tasksOf: ReadonlyMap<string, ReadonlySet<string>>,
  differentAnswers: number,
): RewardHole[] {
  const real = [...found].filter(
    ([{ isConstant }, passes]) =>
      // One answer that passes only where one answer is right is a guess.
      isConstant !== true || differentAnswers < 2 || new Set(passes.map(({ right }) => right)).size > 1,
  );
  return [...Map.groupBy(real, ([{ hole }]) => hole)]
    .map(([hole, cheatsOfIt]) => {
      const [[cheat, [first]]] = cheatsOfIt as [[Cheat, [Pass]]];
      const tasks = [...new Set(cheatsOfIt.flatMap(([, passes]) => passes.map(({ taskId }) => taskId)))];
      return { hole, cheat: cheat.name, answer: first.answer, tasks, tried: tasksOf.get(hole)!.size };
    })
    .filter(({ tasks, tried }) => tasks.length / tried >= fewestShare)
    .toSorted((first, second) => second.tasks.length - first.tasks.length);
}

/** The first reference that passes, in the forms in which answers are given. */
async function solve(
  task: AttackedTask,
  passReward: number,
  rewardOf: (task: AttackedTask, answer: unknown) => Promise<number | null>,
): Promise<{ right: RightAnswer; reward: number } | undefined> {
  for (const text of task.references)
    for (const write of forms) {
      const reward = await rewardOf(task, write(text));
      if (reward !== null && isAtLeast(reward, passReward)) return { right: { text, write }, reward };
    }
  return undefined;
}

function isNothing(answer: unknown): boolean {
  return answer === noDocument || answer === null || (typeof answer === 'string' && answer.trim() === '');
}

function commonOf(references: readonly string[]): RewardAudit['commonAnswer'] {
  const counts = new Map<string, number>();
  for (const reference of references) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  const [answer, count] = [...counts].toSorted((first, second) => second[1] - first[1])[0] ?? ['', 0];
  const share = count / references.length;
  return references.length >= 4 && share >= 0.5 ? { answer, share } : null;
}

function shown(answer: unknown): string {
  return answer === noDocument ? '(no document)' : shortJson(answer);
}
