/**
 * Measures `evaluate` beside `runBatch`: CPU and wall time of the same rollouts, each side in its own process,
 * with the AWS SDKs at a load model, or with an agent in the same process, where hardly anything else costs. Pairs of
 * runs, in turn; the medians are compared. `--samples`, `--pairs`, `--agent aws` or `in-process`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { awsEnvironment } from '../clients/aws-environment.ts';
import { noLatency } from '../endpoint/endpoint-settings.ts';
import { startEndpoint } from '../endpoint/start-endpoint.ts';
import type { EvalMeasurement, EvalSide } from './eval-side.ts';

const { values } = parseArgs({
  options: {
    samples: { type: 'string', default: '10000' },
    pairs: { type: 'string', default: '3' },
    agent: { type: 'string', default: 'aws' },
  },
});
await using endpoint = await startEndpoint();
const sides: EvalSide[] = ['runBatch', 'runBatch with a journal', 'evaluate', 'evaluate with a journal'];
const measured = new Map<EvalSide, EvalMeasurement[]>(sides.map((side) => [side, []]));
for (let pair = 0; pair < Number(values.pairs); pair += 1) {
  for (const side of sides) {
    const told = await run(side);
    measured.get(side)!.push(told);
    console.log(
      `${side.padEnd(26)}${(told.cpuMs / told.samples).toFixed(3)} ms of CPU each  ${told.wallMs.toFixed(0)} ms  ${told.heapMegabytes.map((megabytes) => megabytes.toFixed(0)).join(' ')} MB`,
    );
  }
}
for (const [plain, evaluated] of [
  ['runBatch', 'evaluate'],
  ['runBatch with a journal', 'evaluate with a journal'],
] as const) {
  const more = (of: (told: EvalMeasurement) => number): string => {
    const [before, after] = [plain, evaluated].map((side) => median(measured.get(side)!.map(of))) as [
      number,
      number,
    ];
    return `${(((after - before) / before) * 100).toFixed(1)} %`;
  };
  console.log(
    `${evaluated} over ${plain}: CPU ${more(({ cpuMs }) => cpuMs)}, wall ${more(({ wallMs }) => wallMs)}`,
  );
}

async function run(side: EvalSide): Promise<EvalMeasurement> {
  const rollouts = Number(values.samples);
  const durations = { kind: 'fixed', ms: 500 } as const;
  await endpoint.configure({ seed: 1, rollouts, durations, latency: noLatency });
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      '--conditions=@art/source',
      join(import.meta.dirname, 'eval-side.ts'),
      side,
      values.samples,
      values.agent,
    ],
    { env: awsEnvironment(endpoint.endpoint), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(output) as EvalMeasurement;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
