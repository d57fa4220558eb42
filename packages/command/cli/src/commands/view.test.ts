import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { writeRun } from './evaluation-folder.fixture.ts';
import { runView } from './view.ts';

const options = { folders: [], port: 0, open: false, json: true };

async function folderWithRun(): Promise<string> {
  const cwd = await temporaryFolder();
  const folder = join(cwd, '.art/evals/one');
  await mkdir(folder, { recursive: true });
  await writeRun(folder, 0);
  return cwd;
}

it('serves the runs of the folder and opens a browser, until a signal comes', async () => {
  const cwd = await folderWithRun();
  const browser = join(cwd, 'browser');
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${join(cwd, 'opened')}'\n`);
  await chmod(browser, 0o700);
  const context = capturedContext({ cwd, env: { BROWSER: browser } });
  const run = runView({ ...options, open: true }, context);
  const { url } = await vi.waitFor(() => JSON.parse(context.output().split('\n')[0]!) as { url: string });
  expect(await (await fetch(`${url}runs`)).json()).toMatchObject([{ title: 'one' }]);
  await vi.waitFor(async () => expect(await readFile(join(cwd, 'opened'), 'utf8')).toBe(url));
  context.signals.emit('SIGINT', 'SIGINT');
  expect(await run).toBe(0);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

it('continues where no browser can be opened', async () => {
  const context = capturedContext({ cwd: await folderWithRun(), env: { BROWSER: '/no/such/browser' } });
  const run = runView({ ...options, json: false, open: true }, context);
  await vi.waitFor(() => expect(context.errors()).toMatch(/^No browser was opened: .*ENOENT/));
  expect(context.output()).toMatch(/^The run is at http:\/\/127\.0\.0\.1:\d+\/\nCtrl-C ends\.\n$/);
  context.signals.emit('SIGTERM', 'SIGTERM');
  expect(await run).toBe(0);
});

it('writes a file, and says how large it is', async () => {
  const cwd = await folderWithRun();
  const context = capturedContext({ cwd });
  expect(await runView({ ...options, folders: ['.art/evals/one'], export: 'r.html' }, context)).toBe(0);
  const { size } = await stat(join(cwd, 'r.html'));
  expect(JSON.parse(context.output())).toEqual({ event: 'exported', file: join(cwd, 'r.html'), bytes: size });
});

it('says where it looked for runs, and what it could not write', async () => {
  const empty = capturedContext({ cwd: await temporaryFolder() });
  await expect(runView(options, empty)).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringMatching(/\.art\/evals/),
  });
  const context = capturedContext({ cwd: await folderWithRun() });
  await expect(runView({ ...options, export: 'none/r.html' }, context)).rejects.toMatchObject({
    code: 'ART_VIEW_EXPORT_FAILED',
  });
});
