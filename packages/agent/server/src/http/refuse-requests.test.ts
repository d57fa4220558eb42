import { describe, expect, it } from 'vitest';
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';

async function answerTo(headers: Record<string, string>, host: string): Promise<Response> {
  await using app = new AgentCoreRLApp({
    config: { logging: { enabled: false } },
    invocationHandler: { process: () => ({ answer: 42 }) },
  });
  await app.listen({ host, port: 0 });
  return await fetch(`http://127.0.0.1:${app.port}/invocations`, { method: 'POST', headers, body: '{}' });
}

describe('an app that listens on loopback', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'http://localhost.evil:80'])(
    'does not answer a page of %s',
    async (origin) => {
      const answer = await answerTo({ origin }, '127.0.0.1');
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: 'Web pages are not answered' });
    },
  );

  it.each([
    {},
    { origin: 'http://localhost:5173' },
    { origin: 'http://127.0.0.1' },
    { origin: 'http://[::1]:3000' },
  ])('answers programs and pages of this machine: %j', async (headers) => {
    expect((await answerTo(headers as Record<string, string>, '127.0.0.1')).status).toBe(200);
  });
});

it('an app that is open to the network leaves origins to what stands before it', async () => {
  expect((await answerTo({ origin: 'https://shop.example' }, '0.0.0.0')).status).toBe(200);
});
