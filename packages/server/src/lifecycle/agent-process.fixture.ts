/** An agent as its container runs it: never finishes, whatever it is told. */
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';

const app = new AgentCoreRLApp({
  terminationGraceMs: 100,
  rolloutHandler: { process: () => new Promise<object>(() => undefined) },
});
void app.run({ host: '127.0.0.1' });
