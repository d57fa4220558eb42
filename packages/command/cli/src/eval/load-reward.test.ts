import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { loadReward } from './load-reward.ts';

it('says where a judge was looked for that is not there', async () => {
  const cwd = await temporaryFolder();
  await expect(loadReward('none.mjs', cwd, undefined)).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: `Expected --reward to be an existing file, got none.mjs, and there is none at ${cwd}/none.mjs.`,
  });
});

it('says what a judge needs in a project of CommonJS, as "npm init" makes it', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'package.json'), '{"type":"commonjs"}');
  await writeFile(join(cwd, 'judge.ts'), 'export default () => 1;\n');
  await expect(loadReward('judge.ts', cwd, undefined)).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringMatching(
      /^Expected --reward to be a module, got judge\.ts, .*end with \.mts/,
    ) as string,
  });
});
