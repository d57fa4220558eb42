import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';

const evaluate = join(import.meta.dirname, '../../demo/src/evaluate.ts');
const made: string[] = [];

afterEach(async () => {
  await Promise.all(made.splice(0).map((path) => rm(path, { recursive: true, force: true, maxRetries: 10 })));
});

it('the quickstart answers problems in sessions of their own and says how well', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'art-quickstart-'));
  made.push(folder);
  const out = join(folder, 'rollouts.jsonl');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--conditions=@art/source',
      evaluate,
      '--problems',
      '5',
      '--error-rate',
      '0.3',
      '--seed',
      '7',
      '--out',
      out,
    ],
    { timeout: 80_000 },
  );
  const records = (await readFile(out, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records).toHaveLength(5);
  expect(new Set(records.map((record) => record['sessionId'])).size).toBe(5);
  expect(records.map((record) => record['outcome'])).toEqual(Array.from({ length: 5 }, () => 'ok'));
  const right = records.filter((record) => record['reward'] === 1).length;
  expect(stdout).toContain(`accuracy        ${right * 20}.0 % (${right} of 5)`);
  expect(stdout).toMatch(/detection lag/i);
  const rows = (await readFile(join(folder, 'rollouts-rows.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { session_id: string; reward: number; turn_spans: object[] });
  expect(new Set(rows.map((row) => row.session_id)).size).toBe(5);
  // Every turn goes on from the tokens of the one before: one row for each rollout, with all of its turns.
  expect(rows.map((row) => row.reward).filter((reward) => reward === 1)).toHaveLength(right);
  const calls = rows.reduce((sum, row) => sum + row.turn_spans.length, 0);
  expect(stdout).toContain(`tokens in ${calls} model calls`);
  expect(stdout).toContain('in 5 rows');
});
