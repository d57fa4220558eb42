import { createHash } from 'node:crypto';
import { ArtError } from '@art/ground';
import type { Checkpoint, CheckpointFile } from './checkpoint-file.ts';

/** The facts of a run that must not change, because its checkpoints depend on them. */
export interface TrainingRunFacts {
  seed: number;
  tasks: readonly object[];
  klCoefficient: number;
  /** Where to go on. */
  from: 'last' | 'best';
}

export function tasksDigest(tasks: readonly object[]): string {
  return createHash('sha256').update(JSON.stringify(tasks)).digest('hex').slice(0, 16);
}

/**
 * The checkpoint to go on from. One of the best version has its weights, and the place in the data that the run has come to.
 * @throws ArtError `ART_TRAIN_CHANGED` where the checkpoint is of other data, `ART_TRAIN_UNKNOWN_SAVE` where there is no best version
 */
export function resumePoint(
  file: CheckpointFile,
  { seed, tasks, klCoefficient, from }: TrainingRunFacts,
): Checkpoint | undefined {
  const checkpoint = file.checkpoints().at(-1);
  if (checkpoint === undefined) {
    if (from === 'best') throw noBest();
    return undefined;
  }
  const digest = tasksDigest(tasks);
  const changed =
    checkpoint.seed !== seed
      ? `seed ${checkpoint.seed}, got ${seed}`
      : checkpoint.tasksDigest !== digest
        ? 'the tasks that it was begun with, got others'
        : klCoefficient > 0 && checkpoint.base === undefined
          ? `klCoefficient 0, got ${klCoefficient}`
          : undefined;
  if (changed === undefined) return from === 'best' ? bestOf(file, checkpoint) : checkpoint;
  throw new ArtError({
    code: 'ART_TRAIN_CHANGED',
    message: `Expected ${changed}. The folder has a run of step ${checkpoint.step}: give it what it had, or choose another folder.`,
  });
}

/** Written down, so that the next process goes on from there, too. */
function bestOf(file: CheckpointFile, last: Checkpoint): Checkpoint {
  const best = file.measured().findLast(({ isBest }) => isBest);
  if (best === undefined) throw noBest();
  const { session, step, weights, state } = best;
  const checkpoint: Checkpoint = { ...last, session, step, weights, state, made: undefined };
  file.append(checkpoint);
  return checkpoint;
}

function noBest(): ArtError {
  return new ArtError({
    code: 'ART_TRAIN_UNKNOWN_SAVE',
    message:
      'Expected a run with a checkpoint and a version that was measured, to go back to its best one, got none. Go on from its last checkpoint, and give it held-out tasks.',
  });
}
