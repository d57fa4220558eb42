import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RecordFile } from './record-file.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'math-agent-'));
});
afterEach(() => rm(directory, { recursive: true }));

it('writes one JSON object a line, into folders that it makes', async () => {
  const path = join(directory, 'a', 'b', 'results.jsonl');
  const file = await RecordFile.create(path);
  await file.write({ index: 0, question: 'two\nlines' });
  await file.write({ index: 1 });
  await file.close();
  const lines = (await readFile(path, 'utf8')).split('\n');
  expect(lines).toEqual(['{"index":0,"question":"two\\nlines"}', '{"index":1}', '']);
});

it('does not overwrite results', async () => {
  const path = join(directory, 'results.jsonl');
  await (await RecordFile.create(path)).close();
  await expect(RecordFile.create(path)).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
});
