import { expect, it } from 'vitest';
import { NumberedLog } from './numbered-log.ts';

it('keeps the last entries under their own numbers', () => {
  const log = new NumberedLog<{ name: string }>(3);
  expect(log.after()).toEqual([]);
  for (let entry = 1; entry <= 20; entry += 1) {
    log.add({ name: `n${entry}` });
    expect(log.after().map(({ seq }) => seq)).toEqual([entry - 2, entry - 1, entry].filter((seq) => seq > 0));
  }
  expect(log.lastSeq).toBe(20);
  expect(log.after(19)).toEqual([{ seq: 20, name: 'n20' }]);
  expect(log.after(20)).toEqual([]);
  expect(log.after(5).map(({ seq }) => seq)).toEqual([18, 19, 20]);
});

it('gives away copies', () => {
  const log = new NumberedLog<{ name: string }>(3);
  log.add({ name: 'a' }).name = 'changed by its owner';
  log.after()[0]!.name = 'changed by a reader';
  expect(log.after()).toEqual([{ seq: 1, name: 'changed by its owner' }]);
});
