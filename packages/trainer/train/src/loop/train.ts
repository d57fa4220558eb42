import { resolve } from 'node:path';
import { holdFolder } from '@art/ground';
import { readTrainOptions, type TrainOptions, type TrainSettings } from '../run/train-options.ts';
import { TrainingLoop } from './training-loop.ts';
import type { TrainingStep } from '../run/training-step.ts';

/**
 * Trains the model of an agent: rollouts, a forward-backward pass and an optimizer step over what they brought, new weights for the rollouts
 * after them, again and again. Yields each step. Leaving the loop, however it ends, stops rollouts, evaluations and the training session.
 * Call it with the same folder to continue from its last checkpoint; where that has all steps already, there is none to yield.
 * @throws ArtError `ART_INVALID_OPTION`, at once. With the first step `ART_FOLDER_HELD`, `ART_TRAIN_CHANGED`; later `ART_TRAIN_LOGPROB_GAP`,
 *   `ART_TRAIN_WRONG_WAY`, `ART_TRAIN_NOT_FINITE`,
 *   `ART_TRAIN_NOTHING_CAPTURED`, `ART_TRAIN_NO_SPREAD`, `ART_TRAIN_REWARD_RANGE`, `ART_TRAIN_ROLLOUTS_FAILED`; what the service fails with
 */
export function train(options: TrainOptions): AsyncGenerator<TrainingStep, void, undefined> {
  return steps(readTrainOptions(options));
}

async function* steps(settings: TrainSettings): AsyncGenerator<TrainingStep, void, undefined> {
  const directory = resolve(settings.directory);
  await using _ = await holdFolder(directory, { what: `the training in ${directory}` });
  // Each turn but the first is a going back, and these are bounded.
  for (;;) {
    const loop = await TrainingLoop.open(settings);
    if (loop === undefined) return;
    try {
      for (let isOver = false; !isOver;) {
        const step = await loop.next();
        yield step;
        if (step.end !== undefined) return;
        isOver = step.goesBackTo !== undefined;
      }
    } finally {
      await loop.close();
    }
  }
}
