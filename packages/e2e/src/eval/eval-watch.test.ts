import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startMockModel } from '@art/mock-model';
import { eventually } from '@art/tooling/eventually';
import { chromiumFlags, findChromium } from '@art/tooling/find-chromium';
import { chromium } from 'playwright-core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startArt } from './art-eval.fixture.ts';

const agent = join(import.meta.dirname, 'eval-agent.fixture.ts');
const names = ['first', 'second', 'third'];

it('art eval --watch: the page opens, fills while the run goes on, and stays until Ctrl-C', async () => {
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

  const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumFlags] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByText('0 of 3').waitFor();
  await page.getByText('running', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Samples' }).click();
  await page.getByText('No sample has ended yet.').waitFor();
  const rows = page.locator('.table-row');
  answers.get('first')!.resolve();
  await rows.filter({ hasText: 'first' }).waitFor();
  expect(await rows.count()).toBe(1);
  for (const { resolve } of answers.values()) resolve();
  await page.getByText('3 samples').waitFor();
  expect(
    (await rows.allTextContents()).map((row) => names.find((name) => row.includes(name))).toSorted(),
  ).toEqual(names);
  await page.getByRole('link', { name: 'Run', exact: true }).click();
  await page.getByText('finished', { exact: true }).waitFor();
  expect(await page.getByText('0 of 3').count()).toBe(0);
  // Also somebody who comes when all is over sees it.
  await page.reload();
  await page.getByText('finished', { exact: true }).waitFor();

  art.kill('SIGINT');
  const [code] = (await once(art, 'close')) as [number | null];
  expect(await errors).toContain(`The page stays at ${url} until Ctrl-C.`);
  expect(await output).toMatch(/mean reward +0\.667/);
  expect(code).toBe(0);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
