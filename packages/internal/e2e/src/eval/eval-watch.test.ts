import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startMockModel } from '@art/mock-model';
import { eventually } from '@art/tooling/eventually';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startArt } from './art-eval.fixture.ts';

const agent = join(import.meta.dirname, 'eval-agent.fixture.ts');
const names = ['first', 'second', 'third'];

interface Run {
  isLive: boolean;
  status: { state: string; total: number } | null;
}

it('art eval --watch: the page opens, fills while the run continues, and stays until Ctrl-C', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-eval-watch-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  const answers = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  const model = await startMockModel({
    reply: async ({ question }) => {
      await answers.get(question)!.promise;
      return question === 'second' ? 'no' : 'yes';
    },
  });
  onTestFinished(() => model.close());
  const tasks = names.map((id) => ({ id, payload: { prompt: id, answer: 'yes' } }));
  await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  // In place of a window on somebody's desk: a program that writes down which address it was to open.
  const opener = join(cwd, 'browser.sh');
  await writeFile(opener, '#!/bin/sh\nprintf %s "$1" > part && mv part opened\n', { mode: 0o755 });
  vi.stubEnv('BROWSER', opener);
  onTestFinished(() => void vi.unstubAllEnvs());

  const endpoint = ['--base-url', model.baseUrl, '--model-id', 'mock'];
  const options = ['--tasks', 'tasks.jsonl', '--sessions', 'server', ...endpoint, '--out', 'run'];
  const art = startArt(cwd, 'eval', agent, ...options, '--watch');
  const [output, errors] = [text(art.stdout!), text(art.stderr!)];
  const url = await eventually(() => readFile(join(cwd, 'opened'), 'utf8'));

  // What the page asks for; how a browser draws that is tested with the page.
  expect(await (await fetch(url)).text()).toContain('<title>art view</title>');
  const answer = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(`${url}${path}`)).json()) as Answer;
  const state = async () => {
    const [run] = await answer<Run[]>('runs');
    const { taskId } = await answer<{ taskId: string[] }>('runs/0/rows');
    return {
      state: run!.status?.state,
      total: run!.status?.total,
      isLive: run!.isLive,
      tasks: taskId.toSorted(),
    };
  };
  const running = { state: 'running', total: 3, isLive: true };
  await expect.poll(state).toEqual({ ...running, tasks: [] });
  answers.get('first')!.resolve();
  await expect.poll(state).toEqual({ ...running, tasks: ['first'] });
  for (const { resolve } of answers.values()) resolve();
  await expect.poll(state).toEqual({ state: 'finished', total: 3, isLive: false, tasks: names });

  art.kill('SIGINT');
  const [code] = (await once(art, 'close')) as [number | null];
  expect(await errors).toContain(`The page stays at ${url} until Ctrl-C.`);
  expect(await output).toMatch(/mean reward +0\.667/);
  expect(code).toBe(0);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
