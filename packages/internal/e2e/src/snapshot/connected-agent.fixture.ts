import { AgentCoreRLApp } from '@art/agent';
import { S3ResultStore } from '@art/store-s3';

const store = new S3ResultStore();

/** An agent that breaks the rule: its warm-up connects to S3, and the connection is in the snapshot. */
const app = new AgentCoreRLApp({
  config: { logging: { enabled: false } },
  resultStore: store,
  warmupHandler: async () => void (await store.exists({ bucket: 'results', key: 'warm' })),
  rolloutHandler: { process: () => ({ rewards: 1 }) },
});

void app.run();
