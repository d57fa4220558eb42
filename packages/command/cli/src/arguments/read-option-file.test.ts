import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { readOptionJson } from './read-option-file.ts';

it('reads the JSON of a file', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'plan.json'), '{"seed":3}');
  expect(readOptionJson('--faults', 'plan.json', cwd)).toEqual({ seed: 3 });
});

it.each([
  [undefined, /`--faults` to be a file that can be read, got .*plan\.json". ENOENT/],
  ['{"seed": 1,', /`--faults` to be a file with JSON, got .*plan\.json". /],
])('refuses %j', async (text, message) => {
  const cwd = await temporaryFolder();
  if (text !== undefined) await writeFile(join(cwd, 'plan.json'), text);
  expect(() => readOptionJson('--faults', 'plan.json', cwd)).toThrow(
    expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringMatching(message) }),
  );
});
