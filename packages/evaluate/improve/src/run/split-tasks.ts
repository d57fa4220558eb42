import { createHash } from 'node:crypto';
import { type DataOptions, readTasks, type Task, type Tasks } from '@art/eval';
import { randomSource } from '@art/eval/statistics';
import { ArtError, stringifyJson } from '@art/ground';
import { shuffled } from '../search/shuffled.ts';

/** The tasks of a search, by what they are for. */
export interface SplitTasks {
  /** Minibatches come from these, and the reflecting model reads of them. */
  training: Task[];
  /** Candidates are selected by these. */
  validation: Task[];
  /** Nothing is decided by these. */
  heldOut: Task[];
  /** Digest of all of them, by which a resumed run recognises them. */
  digest: string;
}

/**
 * Reads tasks and splits them. Without tasks for the validation, half of the tasks, drawn by the seed, are for it.
 * @throws ArtError `ART_INVALID_PAYLOAD`; `ART_INVALID_OPTION` for too few tasks, and held-out ones that are among the others
 */
export async function splitTasks(
  given: {
    tasks: Tasks;
    validation?: Tasks | undefined;
    heldOut?: Tasks | undefined;
    data?: DataOptions | undefined;
  },
  seed: number,
): Promise<SplitTasks> {
  const [tasks, validating, heldOut] = await Promise.all([
    readTasks(given.tasks, given.data),
    given.validation === undefined ? undefined : readTasks(given.validation, given.data),
    given.heldOut === undefined ? [] : readTasks(given.heldOut, given.data),
  ]);
  const { training, validation } =
    validating === undefined ? halves(tasks, seed) : { training: tasks, validation: validating };
  const known = new Set([...tasks, ...validation].map(({ payload }) => stringifyJson(payload)));
  const seen = heldOut.filter(({ payload }) => known.has(stringifyJson(payload))).map(({ id }) => id);
  if (seen.length > 0) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected held-out tasks that are not among the others, got ${seen.length} with the payload of one: ${JSON.stringify(seen.slice(0, 5))}. A comparison on tasks that the search has seen says nothing of new ones.`,
    });
  }
  const told = [training, validation, heldOut].map((list) =>
    list.map(({ id, payload, expected }) => [id, payload, expected ?? null]),
  );
  const digest = createHash('sha256').update(stringifyJson(told)).digest('hex').slice(0, 16);
  return { training, validation, heldOut, digest };
}

function halves(tasks: readonly Task[], seed: number): Pick<SplitTasks, 'training' | 'validation'> {
  if (tasks.length < 2) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected at least 2 tasks, one to learn from and one to validate by, got ${tasks.length}. Give more, or others for the validation.`,
    });
  }
  const drawn = shuffled([...tasks.keys()], randomSource(seed)).slice(0, Math.floor(tasks.length / 2));
  const isDrawn = new Set(drawn);
  return {
    training: tasks.filter((_, at) => !isDrawn.has(at)),
    validation: tasks.filter((_, at) => isDrawn.has(at)),
  };
}
