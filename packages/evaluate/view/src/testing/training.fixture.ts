import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededNumbers } from '@art/tooling/seeded-numbers';

/** Writes the folder of a training run with a control whose rows were spoilt, as examples/learn leaves it behind. */
export async function writeTraining(folder: string, steps = 60): Promise<void> {
  const dice = seededNumbers(7);
  const lines: string[] = [];
  for (const run of ['none', 'shift-logprobs']) {
    for (let step = 1; step <= steps; step += 1) {
      const learnt = run === 'none' ? 0.93 / (1 + Math.exp((25 - step) / 4)) : 0;
      lines.push(
        JSON.stringify({
          run,
          seed: 0,
          step,
          reward: Math.min(1, 0.04 + learnt + dice() * 0.05),
          rollouts: 128,
          rows: 128,
          loss: (dice() - 0.5) * 0.02,
          logprobGap: run === 'none' ? 3e-7 + dice() * 1e-7 : 1.7 + dice() * 0.2,
          rolloutMs: 1_400 + dice() * 400,
          updateMs: 240 + dice() * 40,
        }),
      );
    }
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'learn.jsonl'), `${lines.join('\n')}\n`);
}
