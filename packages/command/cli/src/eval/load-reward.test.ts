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
