import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const quickstart = join(import.meta.dirname, 'quickstart.ts');
/** Each session starts an agent, and so does each warm one. */
const few = ['--limit', '2', '--concurrency', '2', '--warm', '0'];

it('answers problems in their own sessions and says how well, without an account or a key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'art-quickstart-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const foreign = Object.entries(process.env).filter(([name]) => !/^(AWS_|OPENAI_|INIT_CWD$)/.test(name));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@art/source', quickstart, ...few, '--out', join(folder, 'run')],
    { cwd: folder, env: { ...Object.fromEntries(foreign), HOME: folder } },
  );
  const samples = (await readFile(join(folder, 'run/samples.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(new Set(samples.map(({ sessionId }) => sessionId)).size).toBe(2);
  expect(samples.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  const right = samples.filter(({ reward }) => reward === 1).length;
  // A script that plays the model, and no reward of 1 for whatever it says.
  expect(right).toBeGreaterThan(0);
  expect(stdout).toContain(`mean reward      ${(right / 2).toFixed(3)} [`);
  expect(stdout).toMatch(/^latency .* median /m);
  expect(stdout).toMatch(/^tokens +\d{3,} in +\d{3,} out, \d+ calls$/m);
  expect(stdout.indexOf('\nNext:\n')).toBeGreaterThan(stdout.indexOf('Everything is in run.'));
});
