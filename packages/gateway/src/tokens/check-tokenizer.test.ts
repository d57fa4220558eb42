import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { checkTokenizer, type TokenizerConversation } from './check-tokenizer.ts';
import { modelFolders } from './models.fixture.ts';

const golden = JSON.parse(readFileSync(new URL('./golden/golden.json', import.meta.url), 'utf8')) as {
  conversations: (TokenizerConversation & { model: string })[];
  texts: { text: string; qwen3: { ids: number[] } }[];
};
const conversations = golden.conversations.filter((vector) => vector.model === 'qwen3');
const texts = golden.texts.map(({ text, qwen3 }) => ({ text, ids: qwen3.ids }));

it('finds nothing wrong with a good checkpoint', async () => {
  const report = await checkTokenizer(modelFolders.qwen3, { conversations, texts });
  expect(report.checks.filter((check) => check.verdict !== 'ok')).toEqual([]);
  expect(report.ok).toBe(true);
  expect(report.checks.at(-1)).toMatchObject({
    name: 'vectors',
    detail: `${conversations.length + texts.length} vectors agree`,
  });
}, 60_000);

it('tells where the vectors of another model differ', async () => {
  const report = await checkTokenizer(modelFolders['qwen2.5'], {
    conversations: conversations.slice(0, 2),
    texts: [{ text: 'a', ids: [64, 1] }],
  });
  expect(report.ok).toBe(false);
  expect(report.checks.at(-1)).toMatchObject({ name: 'vectors', verdict: 'failed' });
  expect(report.checks.at(-1)?.detail).toContain('"a": at token 1 expected 1, got the end');
}, 60_000);
