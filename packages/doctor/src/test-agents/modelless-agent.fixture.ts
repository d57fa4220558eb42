import { AgentCoreRLApp } from '@art/agent';

/** Answers without a call of a model. */
const app = new AgentCoreRLApp({ invocationHandler: { process: async () => ({ reward: 0 }) } });
void app.run();
