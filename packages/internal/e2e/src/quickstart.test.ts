import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const quickstart = join(import.meta.dirname, '../../../../examples/quickstart/src/quickstart.ts');

it('the quickstart answers problems in sessions of their own and says how well, without an account or a key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'art-quickstart-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const foreign = Object.entries(process.env).filter(([name]) => !/^(AWS_|OPENAI_|INIT_CWD$)/.test(name));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@art/source', quickstart, '--limit', '6', '--out', join(folder, 'run')],
    { cwd: folder, env: { ...Object.fromEntries(foreign), HOME: folder } },
  );
  const samples = (await readFile(join(folder, 'run/samples.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(new Set(samples.map(({ sessionId }) => sessionId)).size).toBe(6);
  expect(samples.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => 'ok'));
  const right = samples.filter(({ reward }) => reward === 1).length;
  // A script that plays the model, and no reward of 1 for whatever it says.
  expect(right).toBeGreaterThan(0);
  expect(stdout).toContain(`mean reward      ${(right / 6).toFixed(3)} [`);
  expect(stdout).toMatch(/^latency .* median /m);
  expect(stdout).toMatch(/^tokens +\d{3,} in +\d{3,} out, \d+ calls$/m);
  expect(stdout.indexOf('\nNext:\n')).toBeGreaterThan(stdout.indexOf('Everything is in run.'));
});
