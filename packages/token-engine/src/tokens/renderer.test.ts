import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { byteModel } from './models.fixture.ts';
import { openRenderer, type Renderer } from './renderer.ts';

const hi = '{"role":"user","content":"Hi é😀"}';
const idsOf = (text: string): number[] => Array.from(Buffer.from(text), (byte) => byte + 2);

describe('a renderer over real threads', () => {
  let renderer: Renderer;
  beforeAll(async () => {
    renderer = await openRenderer({ checkpoint: byteModel, threads: 1 });
  });
  afterAll(() => renderer.close());

  it('renders and decodes', async () => {
    const ids = await renderer.render({ messages: [hi] });
    expect(Array.from(ids)).toEqual([
      0,
      ...idsOf('user\nHi é😀'),
      1,
      ...idsOf('\n'),
      0,
      ...idsOf('assistant\n'),
    ]);
    expect(renderer.decode(ids)).toBe('<|im_start|>user\nHi é😀<|im_end|>\n<|im_start|>assistant\n');
    expect(renderer.decode(ids, { skipSpecialTokens: true })).toBe('user\nHi é😀\nassistant\n');
    expect(renderer.tokenText(74)).toBe('H');
    expect([...renderer.stopTokenIds]).toEqual([1]);
    expect([...renderer.specialTokenIds].toSorted()).toEqual([0, 1]);
  });

  it('refuses with the code of the thread, and goes on', async () => {
    const image = '{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}';
    await expect(renderer.render({ messages: [image] })).rejects.toMatchObject({
      code: 'ART_UNSUPPORTED_MESSAGE',
    });
    await expect(renderer.render({ messages: ['{"role"'] })).rejects.toMatchObject({
      code: 'ART_JSON_PARSE',
    });
    expect(await renderer.render({ messages: [hi] })).not.toHaveLength(0);
  });

  it('bridges to the next prompt', async () => {
    const messages = [hi];
    const previousPrompt = await renderer.render({ messages });
    const previousCompletion = Int32Array.from([...idsOf('Hello there'), 1]);
    const next = await renderer.bridge({ lastToken: 1, newMessages: messages });
    expect(Int32Array.of(...previousPrompt, ...previousCompletion, ...next!)).toEqual(
      await renderer.render({
        messages: [...messages, '{"role":"assistant","content":"Hello there"}', ...messages],
      }),
    );
    expect(await renderer.bridge({ lastToken: 1, newMessages: [] })).toBeUndefined();
  });
});

it('is closed once, and says so', async () => {
  const renderer = await openRenderer({ checkpoint: byteModel, threads: 1 });
  await renderer.close();
  await expect(renderer.render({ messages: [hi] })).rejects.toMatchObject({ code: 'ART_CLOSED' });
});

it('says what is wrong with a folder or an option', async () => {
  await expect(openRenderer({ checkpoint: '/nowhere' })).rejects.toMatchObject({
    code: 'ART_TOKENIZER_UNREADABLE',
    message: expect.stringContaining('/nowhere has no tokenizer.json') as string,
  });
  await expect(openRenderer({ checkpoint: byteModel, threads: 0 })).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
  });
});
