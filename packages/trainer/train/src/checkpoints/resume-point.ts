import { createHash } from 'node:crypto';
import { ArtError } from '@art/ground';
import { fell } from './fell.ts';
import type { RollBackSettings } from '../run/training-choices.ts';
import type { Checkpoint, CheckpointFile, MeasuredVersion } from './checkpoint-file.ts';

/** The facts of a run that must not change, because its checkpoints depend on them. */
export interface TrainingRunFacts {
  seed: number;
  tasks: readonly object[];
  klCoefficient: number;
  /** Where to continue. */
  from: 'last' | 'best';
  rollBack: RollBackSettings | undefined;
}

export function tasksDigest(tasks: readonly object[]): string {
  return createHash('sha256').update(JSON.stringify(tasks)).digest('hex').slice(0, 16);
}

/**
 * The checkpoint to continue from. One of the best version has its weights, and the place in the data that the run has come to; it is to be written down,
 * so that the next process continues from there, too.
 * @throws ArtError `ART_TRAIN_CHANGED` where the checkpoint is of other data, `ART_TRAIN_UNKNOWN_SAVE` where there is no best version
 */
export function resumePoint(
  file: CheckpointFile,
  { seed, tasks, klCoefficient, from, rollBack }: TrainingRunFacts,
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
  if (changed === undefined) {
    const best = bestOf(file);
    if (mayGoBack(file, rollBack) && fell(best?.score, file.scoresSinceBest(checkpoint.step), rollBack))
      return wentBack(checkpoint, best!, 'fell');
    if (from === 'last') return checkpoint;
    if (best === undefined) throw noBest();
    return wentBack(checkpoint, best, 'asked');
  }
  throw new ArtError({
    code: 'ART_TRAIN_CHANGED',
    message: `Expected ${changed}. The folder has a run of step ${checkpoint.step}: give it what it had, or choose another folder.`,
  });
}

/** True if a run has not gone back by itself as often as it may. */
export function mayGoBack(
  file: CheckpointFile,
  rollBack: RollBackSettings | undefined,
): rollBack is RollBackSettings {
  const times = file.checkpoints().filter(({ wentBack: why }) => why === 'fell').length;
  return rollBack !== undefined && times < rollBack.times;
}

function bestOf(file: CheckpointFile): MeasuredVersion | undefined {
  return file.measured().findLast(({ isBest }) => isBest);
}

function wentBack(
  last: Checkpoint,
  { session, step, weights, state }: MeasuredVersion,
  why: Checkpoint['wentBack'],
): Checkpoint {
  return { ...last, session, step, weights, state, made: undefined, wentBack: why };
}

function noBest(): ArtError {
  return new ArtError({
    code: 'ART_TRAIN_UNKNOWN_SAVE',
    message:
      'Expected a run with a checkpoint and a version that was measured, to go back to its best one, got none. Go on from its last checkpoint, and give it held-out tasks.',
  });
}
