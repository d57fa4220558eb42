import { describe, expect, it, vi } from 'vitest';
import { chatCall, testBench } from '../gateway-bench.fixture.ts';

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const withImage = {
  ...chatCall,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }],
};
const answer = { role: 'assistant', content: 'Hello from mock!' };
const later = { ...chatCall, messages: [...withImage.messages, answer, { role: 'user', content: 'Sure?' }] };

describe('a call with an image', () => {
  it.each([false, true])(
    'is served and does not train, nor do the turns behind it: streamed %s',
    async (stream) => {
      const { call, json, engine } = await testBench();
      for (const body of [withImage, later, chatCall]) {
        const reply = await call('/sessions/one/v1/chat/completions', { body: { ...body, stream } });
        expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('mock!')]);
      }
      expect(engine.requests[0]!.text).toContain('AAAA');
      const problem = expect.stringMatching(
        /^media: 1 of them, .* image_url at messages\[0\]\.content\[1\]/,
      ) as string;
      expect(await json('/sessions/one/traces')).toMatchObject([
        { capture: 'incomplete', capture_problems: [problem] },
        { capture: 'incomplete', capture_problems: [problem] },
        { capture: 'complete' },
      ]);
      const finished = await json('/trajectories/one/finish', { body: {} });
      expect(finished).toMatchObject({
        records: [{ num_turns: 1 }],
        summary: { masked_turns: [{ reason: 'incomplete', problems: [problem] }, { reason: 'incomplete' }] },
      });
    },
  );

  it('is refused where that is asked for, before any engine', async () => {
    const { call, engine } = await testBench({ media: 'refuse' });
    const reply = await call('/sessions/one/v1/chat/completions', { body: withImage });
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { code: 'media_not_trainable', param: 'messages[0].content[1]' } },
    ]);
    expect(engine.requests).toEqual([]);
  });

  it.each([
    [
      'messages',
      { ...chatCall, max_tokens: 5, messages: [{ role: 'user', content: [{ type: 'image', source: {} }] }] },
    ],
    [
      'responses',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:' }] }] },
    ],
  ])('to %s is refused by name, as it cannot be translated', async (path, body) => {
    for (const media of ['mark', 'refuse'] as const) {
      const { call, engine } = await testBench({ media });
      const reply = await call(`/sessions/one/v1/${path}`, { body });
      expect([reply.status, await reply.text()]).toEqual([400, expect.stringMatching(/image/)]);
      expect(engine.requests).toEqual([]);
    }
  });

  it.each(['mark', 'refuse'] as const)(
    'is refused with media: %s where what samples gets token ids only',
    async (media) => {
      const send = vi.fn(() => Promise.reject(new Error('it would sample without the image')));
      const engine = () => Promise.resolve({ send, close: () => Promise.resolve() });
      const { call, json } = await testBench({ media, engine, workers: undefined });
      const reply = await call('/sessions/one/v1/chat/completions', { body: withImage });
      expect([reply.status, await reply.json()]).toMatchObject([
        400,
        { error: { code: 'media_not_trainable' } },
      ]);
      expect(send).not.toHaveBeenCalled();
      expect(await json('/sessions/one/traces')).toEqual([]);
    },
  );
});
