import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { UnsignedRequest } from '../engines/sign-request.ts';
import { chatCall, testBench } from '../gateway-bench.fixture.ts';

const digestOf = (body: Uint8Array | string): string => createHash('sha256').update(body).digest('hex');

it.each([false, true])(
  'a signature is of the very bytes that the worker gets, streamed %s',
  async (stream) => {
    const signed: UnsignedRequest[] = [];
    const bench = await testBench({
      sign: async (request) => {
        await Promise.resolve();
        signed.push(request);
        return { authorization: `signed ${digestOf(request.body ?? '')}`, 'x-amz-date': '20260101T000000Z' };
      },
    });
    await bench.json('/sessions', { body: { session_id: 'one' } });
    const reply = await bench.call('/sessions/one/v1/chat/completions', {
      body: { ...chatCall, stream },
      headers: {
        authorization: 'Bearer of-the-agent',
        'x-api-key': 'of-the-agent',
        'x-amz-security-token': 'of-the-agent',
        'x-kept': 'yes',
      },
    });
    expect([reply.status, (await reply.text()).includes('mock!')]).toEqual([200, true]);
    const { headers, text } = bench.engine.last();
    expect(headers).toMatchObject({
      authorization: `signed ${digestOf(text)}`,
      'x-amz-date': '20260101T000000Z',
      'x-kept': 'yes',
    });
    for (const name of ['x-api-key', 'x-amz-security-token']) expect(headers).not.toHaveProperty(name);
    expect(signed).toContainEqual(
      expect.objectContaining({ method: 'POST', url: `${bench.engine.url}/v1/chat/completions` }),
    );
    // Questions about its health and its kind are signed, too.
    expect(signed.some(({ method, body }) => method === 'GET' && body === undefined)).toBe(true);
  },
);

it('a request that cannot be signed is not sent, and says why', async () => {
  const bench = await testBench({
    retry: { connectionAttempts: 0 },
    sign: () => Promise.reject(new Error('no credentials were found')),
  });
  const reply = await bench.call('/v1/chat/completions', { body: chatCall });
  expect([reply.status >= 500, bench.engine.requests.length]).toEqual([true, 0]);
  expect(await reply.text()).toContain('no credentials were found');
});
