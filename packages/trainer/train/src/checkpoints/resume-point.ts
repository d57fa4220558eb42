import { createHash } from 'node:crypto';
import { ArtError } from '@art/ground';
import type { Checkpoint, CheckpointFile } from './checkpoint-file.ts';

/** The facts of a run that must not change, because its checkpoints depend on them. */
export interface TrainingRunFacts {
  seed: number;
  tasks: readonly object[];
  klCoefficient: number;
}

export function tasksDigest(tasks: readonly object[]): string {
  return createHash('sha256').update(JSON.stringify(tasks)).digest('hex').slice(0, 16);
}

/** @throws ArtError `ART_TRAIN_CHANGED` where the checkpoint is of other data */
export function resumePoint(
  file: CheckpointFile,
  { seed, tasks, klCoefficient }: TrainingRunFacts,
): Checkpoint | undefined {
  const checkpoint = file.checkpoints().at(-1);
  if (checkpoint === undefined) return undefined;
  const digest = tasksDigest(tasks);
  const changed =
    checkpoint.seed !== seed
      ? `seed ${checkpoint.seed}, got ${seed}`
      : checkpoint.tasksDigest !== digest
        ? 'the tasks that it was begun with, got others'
        : klCoefficient > 0 && checkpoint.base === undefined
          ? `klCoefficient 0, got ${klCoefficient}`
          : undefined;
  if (changed === undefined) return checkpoint;
  throw new ArtError({
    code: 'ART_TRAIN_CHANGED',
    message: `Expected ${changed}. The folder has a run of step ${checkpoint.step}: give it what it had, or choose another folder.`,
  });
}
