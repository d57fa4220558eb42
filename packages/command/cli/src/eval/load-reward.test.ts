import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { loadReward } from './load-reward.ts';

it('takes a function or a RewardFunction, and says why a judge of a whole group does not fit', async () => {
  const cwd = await temporaryFolder();
  const load = async (name: string, text: string) => {
    await writeFile(join(cwd, name), `export default ${text};`);
    return loadReward(name, cwd);
  };
  expect(await load('function.mjs', '() => 1')).toBeTypeOf('function');
  expect(await load('object.mjs', '{ compute: async () => 1 }')).toHaveProperty('compute');
  const group = 'new (class GroupJudge { async scores() { return []; } })()';
  for (const [text, message] of [
    [
      group,
      /^Expected --reward to be a judge of one sample, got group\.mjs .*relative to each other.*RubricReward/,
    ],
    ['{}', /default export is a RewardFunction or a function, got/],
  ] as const)
    await expect(load(text === group ? 'group.mjs' : 'nothing.mjs', text)).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringMatching(message) as string,
    });
});
