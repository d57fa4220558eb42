import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { TestProject } from 'vitest/node';
import provideChromium from './provided-chromium.fixture.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

async function provided(program: string): Promise<unknown> {
  vi.stubEnv('CHROMIUM_PATH', program);
  const provide = vi.fn();
  try {
    const close = await provideChromium({ provide } as unknown as TestProject);
    await close?.();
  } finally {
    vi.unstubAllEnvs();
  }
  return provide.mock.lastCall;
}

it('says in one line why there is no browser', async () => {
  const folder = await temporaryFolder();
  const absent = join(folder, 'absent');
  expect(await provided(absent)).toEqual([
    'chromium',
    { problem: `CHROMIUM_PATH names no program: ${absent}` },
  ]);
  const broken = join(folder, 'broken');
  await writeFile(broken, '#!/bin/sh\necho "cannot open libnss3.so" >&2\nexit 127\n', { mode: 0o755 });
  expect(await provided(broken)).toEqual(['chromium', { problem: 'cannot open libnss3.so' }]);
});
