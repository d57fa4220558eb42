/** The agent that the conformance checks talk to, on this server. */
import { conformanceAgent } from '@art/protocol/rip-conformance';
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';

const app = new AgentCoreRLApp({
  stateDir: process.env['ART_TEST_STATE_DIR']!,
  invocationHandler: { process: (payload) => conformanceAgent(payload) },
});
void app.run({ host: '127.0.0.1', port: 0 });
