import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { StepRecord } from './report/step-record.ts';

const steps = 60;

it(`learns in ${steps} steps, and not from logprobs that are one token late`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'art-learn-engine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const out = join(folder, 'out');
  const args = [
    '--engine',
    'vllm',
    '--yes',
    '--seed',
    '0',
    '--steps',
    String(steps),
    '--spoil',
    'none,shift-logprobs',
    '--out',
    out,
  ];
  const run = spawn(
    process.execPath,
    ['--conditions=@art/source', join(import.meta.dirname, 'main.ts'), ...args],
    { stdio: 'inherit' },
  );
  expect(await once(run, 'exit')).toEqual([0, null]);
  const records = (await readFile(join(out, 'learn.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StepRecord);
  const best = (kind: StepRecord['run']): number =>
    Math.max(...records.filter(({ run: made }) => made === kind).map(({ meanOfTen = 0 }) => meanOfTen));
  expect(best('exact')).toBeGreaterThan(0.9);
  expect(best('shift-logprobs')).toBeLessThan(0.2);
  expect(records.reduce((sum, { withoutRows }) => sum + withoutRows, 0)).toBe(0);
  const gaps = records.filter(({ run: made }) => made === 'exact').map(({ logprobGap }) => logprobGap);
  expect(Math.max(...gaps)).toBeLessThan(1e-4);
});
