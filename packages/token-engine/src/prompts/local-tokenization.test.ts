import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readChatCall, type ChatCall } from '../calls/chat-call.ts';
import { byteModel } from '../tokens/models.fixture.ts';
import { LocalTokenization } from './local-tokenization.ts';

const hi = { role: 'user', content: 'Hi é😀' };
const engine = { signal: new AbortController().signal };
const idsOf = (text: string): number[] => Array.from(Buffer.from(text), (byte) => byte + 2);
const callOf = (...messages: object[]): ChatCall => readChatCall(Buffer.from(JSON.stringify({ messages })));

describe('a tokenization over real threads', () => {
  let tokenization: LocalTokenization;
  beforeAll(async () => {
    tokenization = await LocalTokenization.open(byteModel, 1);
  });
  afterAll(() => tokenization.close());

  it('renders, counts and decodes', async () => {
    const { ids } = await tokenization.render(callOf(hi), engine);
    const written = [0, ...idsOf('user\nHi é😀'), 1, ...idsOf('\n'), 0, ...idsOf('assistant\n')];
    expect(Array.from(ids)).toEqual(written);
    expect(await tokenization.countTokens(callOf(hi), engine.signal)).toBe(written.length);
    const text = '<|im_start|>user\nHi é😀<|im_end|>\n<|im_start|>assistant\n';
    expect(await tokenization.decode(ids)).toBe(text);
    expect(await tokenization.decode(ids, { skipSpecialTokens: true })).toBe('user\nHi é😀\nassistant\n');
    expect(tokenization.tokenText(74)).toBe('H');
    expect([...tokenization.stopTokenIds]).toEqual([1]);
    expect([...tokenization.specialTokenIds].toSorted()).toEqual([0, 1]);
  });

  it('refuses with the code of the thread, and goes on', async () => {
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] };
    await expect(tokenization.render(callOf(image), engine)).rejects.toMatchObject({
      code: 'ART_UNSUPPORTED_MESSAGE',
    });
    const spoilt = { ...callOf(hi), messages: ['{"role"'] };
    await expect(tokenization.render(spoilt, engine)).rejects.toMatchObject({ code: 'ART_JSON_PARSE' });
    expect((await tokenization.render(callOf(hi), engine)).ids).not.toHaveLength(0);
  });

  it('bridges to the next prompt', async () => {
    const call = callOf(hi);
    const request = { call, lastToken: 1, isClosed: true, newMessages: call.messages, toolCalls: undefined };
    const { ids: before } = await tokenization.render(call, engine);
    const next = await tokenization.bridge(request, engine);
    const { ids: whole } = await tokenization.render(
      callOf(hi, { role: 'assistant', content: 'Hello there' }, hi),
      engine,
    );
    expect(Int32Array.of(...before, ...idsOf('Hello there'), 1, ...next!.ids)).toEqual(whole);
    expect(await tokenization.bridge({ ...request, newMessages: [] }, engine)).toBeUndefined();
  });
});

it('is closed once, and says so', async () => {
  const tokenization = await LocalTokenization.open(byteModel, 1);
  await tokenization.close();
  await expect(tokenization.render(callOf(hi), engine)).rejects.toMatchObject({ code: 'ART_CLOSED' });
});

it('says what is wrong with a folder', async () => {
  await expect(LocalTokenization.open('/nowhere', 1)).rejects.toMatchObject({
    code: 'ART_TOKENIZER_UNREADABLE',
    message: expect.stringContaining('/nowhere has no tokenizer.json') as string,
  });
});
