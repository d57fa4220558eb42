import { playedTraining, type PlayedTraining } from '../played-training.ts';

export type TrainingTask = PlayedTraining;

for await (const step of playedTraining(JSON.parse(process.argv[2] ?? '{}') as TrainingTask))
  process.send!(step.step);
process.disconnect();
