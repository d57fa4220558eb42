import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { readFaultPlan } from './read-fault-plan.ts';

const plan = { seed: 3, rules: [{ when: { operation: 'invoke' }, fault: { kind: 'reset' } }] };

it('reads a plan', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'plan.json'), JSON.stringify(plan));
  expect(readFaultPlan('plan.json', cwd)).toMatchObject({ seed: 3, rules: [{ fault: { kind: 'reset' } }] });
});

it.each([
  [undefined, /`--faults` to be a file that can be read, got .*plan\.json". ENOENT/],
  ['{"seed": 1,', /`--faults` to be a file with JSON, got .*plan\.json". /],
  ['[]', /`plan\.json` to be an object with seed and rules/],
  [
    JSON.stringify({ ...plan, sed: 1 }),
    /`plan\.json` to be an object with no field but seed, rules, got "sed"/,
  ],
  [
    JSON.stringify({ ...plan, rules: [{ when: { operation: 'invok' } }] }),
    /`plan\.json\.rules\[0\]\.when\.operation` to be one of .* got "invok"/,
  ],
])('refuses %j', async (text, message) => {
  const cwd = await temporaryFolder();
  if (text !== undefined) await writeFile(join(cwd, 'plan.json'), text);
  expect(() => readFaultPlan('plan.json', cwd)).toThrow(
    expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringMatching(message) }),
  );
});
