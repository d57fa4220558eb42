/**
 * An agent as its container runs it. A rollout with `return_after_ms` returns so long after it was asked to stop; any other never
 * finishes, whatever it is told. ART_TEST_GRACE_MS is how long they are given.
 */
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';

const app = new AgentCoreRLApp({
  terminationGraceMs: Number(process.env['ART_TEST_GRACE_MS'] ?? 100),
  rolloutHandler: {
    process: ({ return_after_ms: delayMs }, { signal }) =>
      new Promise<object>((resolve) => {
        if (typeof delayMs !== 'number') return;
        signal.addEventListener('abort', () => setTimeout(() => resolve({ rewards: 1 }), delayMs));
      }),
  },
});
void app.run({ host: process.env['ART_TEST_HOST'] ?? '127.0.0.1' });
