import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMockModel } from '@art/mock-model';
import { expect, it, onTestFinished } from 'vitest';
import { runArt, samplesOf } from './art-eval.fixture.ts';
import { shells } from './shells.ts';

const agent = join(import.meta.dirname, 'eval-agent.fixture.ts');

it.each(Object.entries(shells))('art eval works in a shell with %s', async (_what, shell) => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-shell-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  const model = await startMockModel({ reply: [{ turns: ['yes'] }] });
  onTestFinished(() => model.close());
  await mkdir(join(cwd, 'home/.aws'), { recursive: true });
  for (const name of ['config', 'credentials'] as const)
    if (shell[name] !== undefined) await writeFile(join(cwd, 'home/.aws', name), shell[name]);
  await writeFile(join(cwd, 'tasks.jsonl'), '{"payload":{"prompt":"p","answer":"yes"}}\n');
  const run = ['--tasks', 'tasks.jsonl', '--base-url', model.baseUrl, '--model-id', 'mock', '--out', 'run'];
  const env = { HOME: join(cwd, 'home'), ...shell.env };
  const { code, errors } = await runArt({ cwd, env }, 'eval', agent, ...run);
  expect(await samplesOf(join(cwd, 'run'))).toMatchObject([{ outcome: 'ok', score: 1 }]);
  expect(errors).not.toMatch(/^error/m);
  expect(code).toBe(0);
});
