import { playedTraining } from '../played-training.ts';

const [endpoint = '', directory = '', steps = ''] = process.argv.slice(2);
for await (const step of playedTraining({ endpoint, directory, steps: Number(steps) }))
  console.log(step.step);
