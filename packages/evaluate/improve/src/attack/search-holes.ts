import {
  type AnswerVerdict,
  type HoleSearch,
  type Judge,
  judgedAnswer,
  type SearchedHole,
  type Task,
} from '@art/eval';
import { describeThrown, refuseOption, stringifyJson } from '@art/ground';
import { isAtLeast } from '@art/ground/figures';
import type { Reflect } from '../reflect/reflect.ts';
import { type Attack, attackText, readAttack } from './attack-text.ts';

/** Options of `searchHoles`. */
export interface SearchHolesOptions {
  tasks: readonly Task[];
  /** The reward that is attacked. */
  judge: Judge;
  /** Says whether an answer is right: a reward of `passReward` or more. Null is not known. */
  checker: (task: Task, answer: unknown) => Promise<AnswerVerdict> | AnswerVerdict;
  /** The attacking model. */
  reflect: Reflect;
  /** Most calls of the model that succeed. */
  rounds: number;
  /** @default 1 */
  passReward?: number | undefined;
  answerField?: string | undefined;
  /** Why the model may not be called any more; undefined while it may. @default it always may */
  reached?: (() => string | undefined) | undefined;
  signal?: AbortSignal | undefined;
  /** Called after each round. Must not throw. */
  onRound?: ((round: number, found: number) => void) | undefined;
}

const tasksOfRound = 4;
/** Attempts of a task that the model is shown: those that came closest. */
const shownAttempts = 4;

/**
 * Has a model look for answers that a reward pays and a second checker does not, by what was tried before. Each task is attacked until it has a
 * hole. What ends it early, an abort included, leaves what was found.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export async function searchHoles(
  options: SearchHolesOptions,
): Promise<Pick<HoleSearch, 'rounds' | 'answers' | 'undecided' | 'found' | 'end' | 'hasFailed'>> {
  const { tasks, judge, checker, reflect, passReward = 1, answerField, signal, onRound } = options;
  if (tasks.length === 0) refuseOption('tasks', 'tasks to attack', 'none');
  const attempts = new Map<Task, Attack[]>(tasks.map((task) => [task, []]));
  const found: SearchedHole[] = [];
  let [rounds, answers, undecided] = [0, 0, 0];
  let end: string | null = null;
  let hasFailed = false;
  let waiting = [...tasks];
  const tryOne = async (task: Task, answer: unknown): Promise<void> => {
    const { reward, remark } = await judgedAnswer(judge, task, answer, { answerField, signal });
    const isPaid = reward !== null && isAtLeast(reward, passReward);
    // The checker may cost, and what is not paid is no hole.
    const check = isPaid ? await checker(task, answer) : undefined;
    const checked = check?.reward ?? null;
    answers += 1;
    attempts.get(task)!.push({ answer, reward, checked, remark });
    if (!isPaid) return;
    if (checked === null) undecided += 1;
    else if (!isAtLeast(checked, passReward)) {
      found.push({ taskId: task.id, answer, reward, checked, remark: check?.remark ?? null, round: rounds });
      waiting = waiting.filter((other) => other !== task);
    }
  };
  try {
    while (rounds < options.rounds && waiting.length > 0) {
      signal?.throwIfAborted();
      const reached = options.reached?.();
      if (reached !== undefined) {
        end = reached;
        break;
      }
      const batch = waiting.slice(0, tasksOfRound);
      waiting = [...waiting.slice(batch.length), ...batch];
      const closest = (task: Task): Attack[] =>
        attempts
          .get(task)!
          .toSorted((one, other) => closeness(other) - closeness(one))
          .slice(0, shownAttempts);
      const paid = found.slice(-shownAttempts).map(({ answer }) => answer);
      const reply = await reflect(attackText(batch, closest, paid, passReward), signal);
      rounds += 1;
      const given = [...readAttack(reply, batch.length)].filter(
        ([at, answer]) => !attempts.get(batch[at]!)!.some((tried) => isSame(tried.answer, answer)),
      );
      await Promise.all(given.map(([at, answer]) => tryOne(batch[at]!, answer)));
      onRound?.(rounds, found.length);
    }
  } catch (error) {
    const reached = signal?.aborted === true ? 'interrupted' : options.reached?.();
    hasFailed = reached === undefined;
    end = reached ?? describeThrown(error).message;
  }
  return { rounds, answers, undecided, found, end, hasFailed };
}

/** Rewards that the checker refuses, or cannot tell, before those that it grants. */
function closeness({ reward, checked }: Attack): number {
  return (reward ?? -1) - (checked ?? 0) / 2;
}

function isSame(one: unknown, other: unknown): boolean {
  return stringifyJson(one) === stringifyJson(other);
}
