import type { Judge } from '../run/judge.ts';
import { verdictBy } from '../run/verdict.ts';
import type { Task } from '../tasks/task.ts';
import { attackedTask, isReference, plainText, sampleWith } from '../judges/attacked-task.ts';

/** A judge's word on an answer that no agent gave. */
export interface AnswerVerdict {
  /** Null where the judge could not judge. */
  reward: number | null;
  remark: string | null;
}

/** Has an answer judged as if an agent had given it. @throws the signal's reason */
export async function judgedAnswer(
  judge: Judge,
  task: Task,
  answer: unknown,
  { answerField, signal }: { answerField?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<AnswerVerdict> {
  const sample = sampleWith(attackedTask(task), answer, answerField);
  const { reward, remarks, judgeError } = await verdictBy(judge, sample, signal);
  return { reward, remark: remarks[0] ?? judgeError?.message ?? null };
}

/**
 * Holds an answer beside the one that its task expects: 1 where it is that one, 0 where that one stands nowhere in it, null where it does, or
 * where nothing is expected: then it may be right in other words.
 */
export function referenceVerdict(task: Task, answer: unknown): AnswerVerdict {
  const attacked = attackedTask(task);
  const text = plainText(typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? ''));
  const remark = `The task expects ${attacked.references[0] ?? 'nothing that is named'}.`;
  if (isReference(answer, attacked)) return { reward: 1, remark };
  const numbers = text.replaceAll(',', '').match(/-?\d+(?:\.\d+)?/g) ?? [];
  const has = (reference: string): boolean => {
    const right = plainText(reference);
    const isNumber = right !== '' && Number.isFinite(Number(right));
    return isNumber ? numbers.some((one) => Number(one) === Number(right)) : text.includes(right);
  };
  const isOpen = attacked.references.length === 0 || attacked.references.some(has);
  return { reward: isOpen ? null : 0, remark };
}
