import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from '../workspace-packages.ts';
import { type Arrows, wings } from './arrows.ts';

const page = join(workspaceRoot, 'packages/internal/docs/architecture.md');
const begin = '<!-- The table is written by architecture-page.test.ts from arrows.ts. -->';
const end = '<!-- End of the table. -->';

/** Arrows as a cell: packages, own folders and those of others. */
function targets({ packages, outside = [], inside = [] }: Arrows): string {
  const names = [...packages, ...inside.filter((room) => room !== '.').map((room) => `./${room}`)];
  const all = [...names, ...outside.map((name) => `\`${name}\``)];
  return all.length === 0 ? 'nothing' : all.join(', ');
}

function table(): string {
  const lines = Object.entries(wings).flatMap(([wing, { what, packages }]) => [
    `| **${wing}** | ${what} | |`,
    ...Object.entries(packages).flatMap(([name, row]) => [
      `| \`${name}\` | ${row.what} | ${targets(row)} |`,
      ...Object.entries(row.folders ?? {}).map(
        ([folder, arrows]) => `| \`${name}/${folder}\` | ${arrows.what} | ${targets(arrows)} |`,
      ),
    ]),
  ]);
  return ['| package | what it is | may import |', '| --- | --- | --- |', ...lines].join('\n');
}

/** The same table, however its columns are padded. */
function unpadded(text: string): string {
  return text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---').trim();
}

it('the page has the table of arrows that the tests hold', () => {
  const text = readFileSync(page, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const [found, after] = rest.split(end);
  expect(after, `${page} lacks ${begin} or ${end}`).toBeDefined();
  if (process.env['ART_WRITE'] === '1')
    writeFileSync(page, `${before}${begin}\n\n${table()}\n\n${end}${after}`);
  // After a change of the table: ART_WRITE=1 npx vitest run src/architecture, then oxfmt.
  else expect(unpadded(found!)).toBe(unpadded(table()));
});
