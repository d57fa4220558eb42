import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DurableLines } from './durable-lines.ts';

it('loses a line that a crash tore, and none beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'art-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = new DurableLines<{ n: number }>(join(folder, 'lines.jsonl'));
  expect(lines.all()).toEqual([]);
  lines.append({ n: 1 });
  appendFileSync(lines.path, '{"n":2');
  lines.append({ n: 3 });
  lines.append({ n: 4 });
  expect(lines.all()).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }]);
});
