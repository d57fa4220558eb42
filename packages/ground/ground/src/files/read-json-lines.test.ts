import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readJsonLines } from './read-json-lines.ts';

it('reads the first line behind a byte order mark, and lines that end as on Windows; says what it cannot read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'art-lines-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'lines.jsonl');
  await writeFile(file, '\uFEFF{"a":1}\r\n\r\n{"a":"\u2028"}\r\nno JSON\n{"a"');
  const [lines, torn]: [unknown[], number[]] = [[], []];
  for await (const { value } of readJsonLines(file, 0, (bytes) => torn.push(bytes))) lines.push(value);
  expect(lines).toEqual([{ a: 1 }, { a: '\u2028' }, undefined]);
  expect(torn).toEqual([7, 4]);
});
