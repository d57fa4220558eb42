import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { checkDevPaths } from './check-dev-paths.ts';

it('refuses paths that cannot serve, and takes folders that are not there yet', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'file'), '');
  expect(() => checkDevPaths({ data: 'new/folder', logDir: '.' }, cwd)).not.toThrow();
  expect(() => checkDevPaths({ data: 'file' }, cwd)).toThrow(/`--data` to be a folder, got .*file/);
  expect(() => checkDevPaths({ logDir: 'file' }, cwd)).toThrow(/--log-dir/);
  expect(() => checkDevPaths({ watch: ['file', 'nowhere'] }, cwd)).toThrow(
    expect.objectContaining({
      code: 'ART_INVALID_OPTION',
      message: expect.stringMatching(/`--watch` .*nowhere/),
    }),
  );
});
