import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { watchFiles } from './watch-files.ts';

async function watched(paths: string[] | false | undefined, ignored: string[] = []) {
  const cwd = await temporaryFolder();
  for (const folder of ['src', 'node_modules/x', 'data', 'prompts']) {
    await mkdir(join(cwd, folder), { recursive: true });
  }
  await writeFile(join(cwd, 'src/agent.ts'), '1');
  await writeFile(join(cwd, 'src/old.ts'), '1');
  const changes: string[] = [];
  const watch = await watchFiles({
    paths,
    cwd,
    ignored,
    onChange: (file) => changes.push(file),
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => watch.close());
  return { cwd, changes, watch };
}

describe('watchFiles', () => {
  it('sees changed, new and removed sources, and nothing else', async () => {
    const { cwd, changes } = await watched(undefined, ['data']);
    expect(changes).toEqual([]);
    await writeFile(join(cwd, 'node_modules/x/index.js'), '1');
    await writeFile(join(cwd, 'data/result.json'), '1');
    await writeFile(join(cwd, 'src/out.log'), '1');
    await writeFile(join(cwd, 'src/agent.ts'), '2');
    await vi.waitFor(() => expect(changes).toContain('src/agent.ts'));
    await writeFile(join(cwd, 'src/tool.ts'), '1');
    await vi.waitFor(() => expect(changes).toContain('src/tool.ts'));
    await rm(join(cwd, 'src/old.ts'));
    await vi.waitFor(() => expect(changes).toContain('src/old.ts'));
    // The system may tell of one write in several events.
    expect(new Set(changes)).toEqual(new Set(['src/agent.ts', 'src/tool.ts', 'src/old.ts']));
  });

  it('watches what is named whole', async () => {
    const { cwd, changes, watch } = await watched(['prompts']);
    expect(watch.watching).toEqual(['prompts']);
    await writeFile(join(cwd, 'src/agent.ts'), '2');
    await writeFile(join(cwd, 'prompts/system.md'), '1');
    await vi.waitFor(() => expect(changes).toContain('prompts/system.md'));
    expect(new Set(changes)).toEqual(new Set(['prompts/system.md']));
  });

  it('can be off', async () => {
    expect((await watched(false)).watch.watching).toEqual([]);
  });
});
