/** `ROOT`: run as its own process, with one session and its objects in a folder, until it is killed from outside. */
import { FileObjectBackend, startLocalRuntime } from './index.ts';
import { invokeJson, newSessionId, tinyAgent } from './tiny-agent.fixture.ts';

const [root = ''] = process.argv.slice(2);
const local = await startLocalRuntime({
  agents: { tiny: { command: tinyAgent('ignore-sigterm') } },
  logDir: `${root}-logs`,
  s3: { backend: new FileObjectBackend({ root }), autoCreateBuckets: true },
});
const { pid } = await invokeJson(local.runtime('tiny'), newSessionId(), {});
console.log(JSON.stringify({ endpoint: local.endpoint, pid }));
