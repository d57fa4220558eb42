import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { modelFolders } from './models.fixture.ts';
import { openRenderer, type Renderer } from './renderer.ts';

describe('a renderer over real threads', () => {
  let renderer: Renderer;
  beforeAll(async () => {
    renderer = await openRenderer({ checkpoint: modelFolders.qwen3, threads: 1 });
  }, 60_000);
  afterAll(() => renderer.close());

  it('renders, encodes and decodes', async () => {
    const ids = await renderer.render({ messages: ['{"role":"user","content":"Hi"}'] });
    expect(Array.from(ids)).toEqual([151644, 872, 198, 13048, 151645, 198, 151644, 77091, 198]);
    expect(await renderer.decode(ids)).toBe('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n');
    expect(await renderer.decode(ids, { skipSpecialTokens: true })).toBe('user\nHi\nassistant\n');
    expect(await renderer.encode('Hi')).toEqual(Int32Array.of(13048));
    expect(renderer.tokenText(13048)).toBe('Hi');
    expect([...renderer.stopTokenIds]).toEqual([151645]);
  });

  it('refuses with the code of the thread, and goes on', async () => {
    const image = '{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}';
    await expect(renderer.render({ messages: [image] })).rejects.toMatchObject({
      code: 'ART_UNSUPPORTED_MESSAGE',
    });
    await expect(renderer.render({ messages: ['{"role"'] })).rejects.toMatchObject({
      code: 'ART_JSON_PARSE',
    });
    expect(await renderer.encode('Hi')).toEqual(Int32Array.of(13048));
  });

  it('bridges to the next prompt', async () => {
    const messages = ['{"role":"user","content":"Hi"}'];
    const previousPrompt = await renderer.render({ messages });
    const previousCompletion = Int32Array.from([...(await renderer.encode('Hello there')), 151645]);
    expect(await renderer.bridge({ previousPrompt, previousCompletion, newMessages: messages })).toEqual(
      await renderer.render({
        messages: [...messages, '{"role":"assistant","content":"Hello there"}', ...messages],
      }),
    );
    expect(await renderer.bridge({ previousPrompt, previousCompletion, newMessages: [] })).toBeUndefined();
  });

  it('decodes long texts in the thread to the same text', async () => {
    const text = 'one two, three 😀 '.repeat(2_000);
    const ids = await renderer.encode(text);
    expect(ids.length).toBeGreaterThan(8_000);
    expect(await renderer.decode(ids)).toBe(text);
  });
});

it('opens the tokenizer without a model', async () => {
  const renderer = await openRenderer({ checkpoint: 'characters', threads: 1 });
  const ids = await renderer.render({ messages: ['{"role":"user","content":"é😀"}'] });
  expect(await renderer.decode(ids)).toBe('<|im_start|>user\né😀<|im_end|>\n<|im_start|>assistant\n');
  await renderer.close();
  await expect(renderer.encode('x')).rejects.toMatchObject({ code: 'ART_CLOSED' });
});

it('says what is wrong with a folder or an option', async () => {
  await expect(openRenderer({ checkpoint: '/nowhere' })).rejects.toMatchObject({
    code: 'ART_TOKENIZER_UNREADABLE',
    message: expect.stringContaining('/nowhere has no tokenizer.json') as string,
  });
  await expect(openRenderer({ checkpoint: 'characters', threads: 0 })).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
  });
});
