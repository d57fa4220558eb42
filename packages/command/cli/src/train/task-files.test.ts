import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { expect, it, onTestFinished } from 'vitest';
import { taskFileArgument, taskFiles } from './task-files.ts';

async function folder(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'art-task-files-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(join(cwd, 'easy.jsonl'), '{"q":1}\n{"q":2}\n');
  await writeFile(join(cwd, 'hard.jsonl'), '{"q":3}\n');
  return cwd;
}

const given = (...texts: string[]) =>
  texts.reduce<ReturnType<typeof taskFileArgument>>((before, text) => taskFileArgument(text, before), []);

it('one file is a list, several are a mixture with a weight each', async () => {
  const cwd = await folder();
  expect(await taskFiles(given('easy.jsonl'), cwd)).toMatchObject({ tasks: [{ q: 1 }, { q: 2 }], count: 2 });
  expect(await taskFiles(given('easy.jsonl', 'hard.jsonl=2.5'), cwd)).toMatchObject({
    tasks: {
      'easy.jsonl': { weight: 1, tasks: [{ q: 1 }, { q: 2 }] },
      'hard.jsonl': { weight: 2.5, tasks: [{ q: 3 }] },
    },
    count: 3,
  });
});

it('refuses no file, a weight of nothing, and the same name twice', async () => {
  const cwd = await folder();
  await expect(taskFiles([], cwd)).rejects.toThrow(/--tasks/);
  expect(() => given('easy.jsonl=0')).toThrow(/weight above 0/);
  expect(() => given('')).toThrow(InvalidArgumentError);
  await expect(taskFiles(given('easy.jsonl', 'easy.jsonl=3'), cwd)).rejects.toThrow(/different names/);
});
