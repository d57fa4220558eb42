import type { TranscriptRecord } from '@art/eval/records';
import { expect, it } from 'vitest';
import { saidIn } from './said-in.ts';

const said = ['a Word', 'other', 'none', 'WORDS', 'word'];
const unread: number[] = [];
const source = {
  size: said.length,
  bytesOf: () => 1 << 23,
  transcriptOf: (at: number) => {
    unread.push(at);
    const transcript = {
      payload: {},
      expected: null,
      messages: [{ role: 'word', content: said[at] }],
      document: null,
      log: null,
    };
    return Promise.resolve(at === 2 ? null : (transcript as unknown as TranscriptRecord));
  },
};
const { signal } = new AbortController();

it('looks at so many bytes for one answer, and says where the next one begins', async () => {
  expect(await saidIn(source, 'wOrD', 0, signal)).toEqual({ found: [0], next: 3 });
  expect(await saidIn(source, 'wOrD', 3, signal)).toEqual({ found: [3, 4], next: null });
});

it('ends when nobody waits for it any more', async () => {
  unread.length = 0;
  expect(await saidIn(source, 'word', 1, AbortSignal.abort())).toEqual({ found: [], next: 1 });
  expect(unread).toEqual([]);
});
