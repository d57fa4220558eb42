/** An agent as its container runs it: never finishes, whatever it is told. ART_TEST_GRACE_MS is how long it is given. */
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';

const app = new AgentCoreRLApp({
  terminationGraceMs: Number(process.env['ART_TEST_GRACE_MS'] ?? 100),
  rolloutHandler: { process: () => new Promise<object>(() => undefined) },
});
void app.run({ host: process.env['ART_TEST_HOST'] ?? '127.0.0.1' });
