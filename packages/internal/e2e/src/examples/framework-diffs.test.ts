import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frameworks } from '@art/create-agent';
import { expect, it } from 'vitest';
import { parseReadme, workspaceRoot } from '../readmes/readme.ts';

/** Code as it is compared: without comments, spaces and the commas that a broken line has at its end. */
const bare = (code: string): string =>
  code
    .replaceAll(/^ *\/\/.*$/gm, '')
    .replaceAll(/\s+/g, '')
    .replaceAll(/,(?=[\])}])/g, '');

/** Lines that diffs add and the code has not: each stretch of lines with a plus. */
function foreignAdditions(readme: string, code: string): string[] {
  const has = bare(code);
  return parseReadme('README.md', readme)
    .fences.filter(({ language }) => language === 'diff')
    .flatMap(({ lines }) => lines.join('\n').match(/(?:^\+.*\n?)+/gm) ?? [])
    .map((stretch) => stretch.replaceAll(/^\+/gm, ''))
    .filter((added) => !has.includes(bare(added)));
}

it.each(frameworks)('what the diff of %s adds is in its agent', (framework) => {
  const file = (name: string): string =>
    readFileSync(join(workspaceRoot, 'examples', framework, name), 'utf8');
  const readme = file('README.md');
  expect(readme.match(/^```diff$/gm)).toHaveLength(2);
  // Imports stand in another order there.
  const code = file('agent.ts');
  expect(foreignAdditions(readme, code).filter((added) => !added.startsWith('import '))).toEqual([]);
  for (const line of readme.match(/^\+import .*/gm) ?? []) expect(code).toContain(line.slice(1));
});

it('what is in no agent is told', () => {
  const readme = ['```diff', '-a();', '+b({', '+  c: 1,', '+});', ' d();', '+e();', '```'].join('\n');
  expect(foreignAdditions(readme, 'b({ c: 1 });')).toEqual(['e();']);
});

it.each(frameworks)('the agent of %s has a prompt that can be replaced', (framework) => {
  expect(readFileSync(join(workspaceRoot, 'examples', framework, 'agent.ts'), 'utf8')).toContain(
    "context.prompt('system', instructions)",
  );
});
