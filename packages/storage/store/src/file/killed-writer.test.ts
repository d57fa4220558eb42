import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { FileResultStore } from './file-result-store.ts';
import { filesBelow, storeRoot } from './store-root.fixture.ts';
import { replaceFile } from './unfinished-file.ts';

it('leaves the old text, and files that the next life removes once nobody alive can be writing them', async () => {
  const root = await storeRoot();
  const state = join(root, 'state/state.json');
  await mkdir(join(root, 'state'), { recursive: true });
  await writeFile(state, 'old');
  await writeFile(join(root, 'state/.state.json.notes'), 'not ours');
  const args = ['--conditions=@art/source', join(import.meta.dirname, 'killed-writer.fixture.ts'), root];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({ signal: 'SIGKILL' });
  const killedAtMs = Date.now();
  expect(await readFile(state, 'utf8')).toBe('old');

  const complete = ['bucket/next.json', 'state/.state.json.notes', 'state/state.json'];
  const nextLife = async (afterMinutes: number): Promise<string[]> => {
    vi.useFakeTimers({ toFake: ['Date'], now: killedAtMs + afterMinutes * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    await new FileResultStore({ root }).put({ bucket: 'bucket', key: 'next.json' }, '{}');
    await replaceFile(state, 'new');
    expect(await readFile(state, 'utf8')).toBe('new');
    return (await filesBelow(root)).filter((path) => !complete.includes(path));
  };
  const left = [
    expect.stringMatching(/^\.temporary\/[0-9a-f-]{36}$/),
    expect.stringMatching(/^state\/\.state\.json\.[0-9a-f-]{36}$/),
  ];
  expect(await nextLife(58)).toEqual(left);
  expect(await nextLife(120)).toEqual([]);
});
