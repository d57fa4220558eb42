import { expect, it } from 'vitest';
import { AgentTunnel } from './agent-tunnel.ts';

const options = { sessionId: 's', secret: 'x'.repeat(43), path: '/sessions/s/v1' };

it('a call that no socket comes for is answered with what model clients try again', async () => {
  const tunnel = await AgentTunnel.open({ ...options, holdMs: 1 });
  const reply = await fetch(`${tunnel.baseUrl}/chat/completions`, { method: 'POST', body: '{}' });
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await reply.text()).toContain('no connection to this session for 1 ms');
  await tunnel.close();
});

it('a body that is too large is refused', async () => {
  const tunnel = await AgentTunnel.open({ ...options, mostBodyBytes: 1_000 });
  const reply = await fetch(`${tunnel.baseUrl}/x`, { method: 'POST', body: 'x'.repeat(200_000) });
  expect([reply.status, await reply.text()]).toEqual([
    413,
    expect.stringContaining('at most 1000 bytes') as string,
  ]);
  await tunnel.close();
});

it('a rollout that ends ends its calls', async () => {
  const tunnel = await AgentTunnel.open(options);
  const reply = fetch(`${tunnel.baseUrl}/x`);
  await expect.poll(() => tunnel.calls).toBe(1);
  await tunnel.close();
  await expect(reply.then(({ status }) => status)).resolves.toBe(503);
});
