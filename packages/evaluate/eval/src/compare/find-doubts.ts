import { isDeepStrictEqual } from 'node:util';
import { RecordedTasks } from '../records/recorded-tasks.ts';
import { excludedText } from '../report/excluded-text.ts';
import { excludedOf } from '../results/excluded-samples.ts';
import type { RunScores } from '../results/task-scores.ts';
import type { Doubt, JudgedRun } from '../statistics/pair-doubts.ts';

/** A run as it is looked at. */
export interface DoubtedRun extends JudgedRun {
  folder: string;
  scores: RunScores;
}

/** Doubts about a run that is not complete, or of which too few samples were judged. */
export function doubtsOfRun({ name, record, scores }: DoubtedRun): Doubt[] {
  const samples = [...scores.tasks.values()].flatMap((task) => [...task.samples.values()]);
  const doubts: Doubt[] = [];
  const { count } = record.tasks;
  const wanted = count === null ? null : count * record.samples;
  if (wanted === null || samples.length < wanted) {
    const of =
      wanted === null ? 'not all of its tasks were read' : `${samples.length} of ${wanted} samples are there`;
    doubts.push({
      kind: 'unfinished',
      message: `The ${name} is not finished: ${of}. "art eval --resume" continues with a run.`,
    });
  }
  const excluded = excludedOf(samples, record.maxFailures);
  if (!excluded.isTrusted)
    doubts.push({ kind: 'untrusted', message: `Of the ${name}, ${excludedText(excluded, samples.length)}` });
  return doubts;
}

const mostNamed = 3;

/** Doubts about tasks that gave their agents something else under the same id; `taskIds` are those that both have. */
export async function doubtsOfTasks(
  first: DoubtedRun,
  second: DoubtedRun,
  taskIds: readonly string[],
): Promise<Doubt[]> {
  const { digest } = first.record.tasks;
  if (digest !== null && digest === second.record.tasks.digest) return [];
  const [before, after] = await Promise.all([
    RecordedTasks.open(first.folder),
    RecordedTasks.open(second.folder),
  ]);
  const others: string[] = [];
  for (const taskId of taskIds) {
    const [was, is] = await Promise.all([before.read(taskId), after.read(taskId)]);
    if (was !== undefined && is !== undefined && !isDeepStrictEqual(was, is)) others.push(taskId);
  }
  if (others.length === 0) return [];
  const named = others.slice(0, mostNamed).map((taskId) => JSON.stringify(taskId.slice(0, 60)));
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
  return [
    {
      kind: 'other_tasks',
      message: `Both runs have ${others.length} of ${taskIds.length} common ids for different tasks, whose payload or expected answer is another one: ${named.join(', ')}${more}. Compare runs of the same tasks, or give tasks their own ids.`,
    },
  ];
}
