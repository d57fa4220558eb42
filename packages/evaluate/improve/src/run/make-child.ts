import type { Task } from '@art/eval';
import { readRunRecord, readTranscript } from '@art/eval/records';
import type { JsonObject } from '@art/ground';
import { isAtLeast } from '@art/ground/figures';
import { readInstruction } from '../reflect/read-instruction.ts';
import { type ReflectedRollout, reflectionText } from '../reflect/reflection-text.ts';
import { isImproved, type Prompts } from '../search/prompt-search.ts';
import type { IterationRecord } from './iteration-record.ts';
import { isWholeMeasure, type Measured } from './measure.ts';

/** Result of a try to do better than a candidate on a minibatch. */
export type Child = Pick<IterationRecord, 'verdict' | 'parentScores'> &
  Partial<Pick<IterationRecord, 'prompt' | 'prompts' | 'childScores' | 'reflection'>>;

interface ChildInit {
  /** Prompts of the candidate that is changed. */
  parent: Prompts;
  batch: readonly Task[];
  passReward: number;
  /** Folder in which the child is measured: there its text is found again. */
  childFolder: string;
  /** Name of the prompt that is changed now. */
  takeTurn: () => string;
  reflect: (message: string) => Promise<string>;
  measure: (part: 'parent' | 'child', prompts: Prompts, notes?: JsonObject) => Promise<Measured>;
}

/** Measures a candidate on a minibatch, has one of its prompts rewritten by what happened, and measures that on the same tasks. */
export async function makeChild(init: ChildInit): Promise<Child> {
  const { parent, batch, passReward, takeTurn, measure } = init;
  const before = await measure('parent', parent);
  const parentScores = [...before.scores.values()];
  if (!isWholeMeasure(before)) return { verdict: 'excluded', parentScores };
  const was = parentScores as number[];
  if (was.every((score) => isAtLeast(score, passReward))) return { verdict: 'perfect', parentScores };
  const prompt = takeTurn();
  const { childFolder } = init;
  const reflection =
    (await keptReflection(childFolder)) ??
    (await init.reflect(reflectionText(prompt, parent, await rolloutsOf(before, batch), passReward)));
  const text = readInstruction(reflection);
  const prompts = { ...parent, [prompt]: text };
  const made = { parentScores, prompt, prompts, reflection };
  if (text === '' || text === parent[prompt]) return { verdict: 'unchanged', ...made };
  const after = await measure('child', prompts, { reflection });
  const childScores = [...after.scores.values()];
  if (!isWholeMeasure(after)) return { verdict: 'excluded', ...made, childScores };
  const isBetter = isImproved(was, childScores as number[]);
  return { verdict: isBetter ? 'accepted' : 'rejected', ...made, childScores };
}

/** The answer that an earlier process got, if it began to measure the child: the model would answer otherwise now. */
async function keptReflection(folder: string): Promise<string | undefined> {
  const kept = await readRunRecord(folder).then(
    ({ options }) => options['reflection'],
    () => undefined,
  );
  return typeof kept === 'string' ? kept : undefined;
}

async function rolloutsOf(
  { folder, samples }: Measured,
  batch: readonly Task[],
): Promise<ReflectedRollout[]> {
  return Promise.all(
    batch.map(async (task) => {
      const sample = samples.get(task.id)!;
      return { task, sample, transcript: await readTranscript(folder, sample.transcript!) };
    }),
  );
}
