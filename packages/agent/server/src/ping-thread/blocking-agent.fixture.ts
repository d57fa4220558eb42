/** An agent whose handler blocks the event loop until a file appears, given as ART_TEST_RELEASE. */
import { existsSync } from 'node:fs';
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';
import { pingThread } from './ping-thread.ts';

const release = process.env['ART_TEST_RELEASE'] ?? '';

function block(): object {
  const end = performance.now() + 60_000;
  while (!existsSync(release) && performance.now() < end);
  return { rewards: 1 };
}

const app = new AgentCoreRLApp({
  pingThread,
  rolloutHandler: { process: block },
  invocationHandler: { process: block },
  ...(process.env['ART_TEST_PING'] === 'custom' ? { pingHandler: () => 'Healthy' as const } : {}),
});
app.fastify.get('/extra', () => ({ own: true }));
void app.run({ host: '127.0.0.1', port: 0 });
