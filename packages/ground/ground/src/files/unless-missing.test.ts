import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unlessMissing } from './unless-missing.ts';

it('a file that is not there is undefined, and every other failure one', async () => {
  const here = import.meta.filename;
  expect(await unlessMissing(readFile(here, 'utf8'))).toContain('unlessMissing');
  expect(await unlessMissing(readFile(join(here, '..', 'missing')))).toBeUndefined();
  await expect(unlessMissing(readdir(here))).rejects.toMatchObject({ code: 'ENOTDIR' });
});
