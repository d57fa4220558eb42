/** `ENDPOINT ARN GATEWAY_URL JOURNAL PAYLOADS`: a client that runs a journaled batch through sockets; to be killed. */
import { createAgentCoreRuntime, FileJournal, RolloutClient } from '@art/client';

const [endpoint = '', agentRuntimeArn = '', url = '', directory = '', payloads = '[]'] =
  process.argv.slice(2);
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const client = new RolloutClient({
  runtime: createAgentCoreRuntime({ agentRuntimeArn, clientOptions: { endpoint, credentials } }),
  gateway: { url, reach: 'session' },
});
const journal = new FileJournal({ directory });
for await (const _item of client.runBatch(JSON.parse(payloads) as object[], {
  maxConcurrentSessions: 1,
  journal: { journal, runId: 'r' },
}));
