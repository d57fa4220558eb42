import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startLocalRuntime } from '@art/local';
import { BedrockAgentCoreClient } from '@aws-sdk/client-bedrock-agentcore';
import { expect, it, onTestFinished } from 'vitest';
import { gatewayAddress, gatewayReach } from './gateway-reach.ts';

it.each([
  ['http://127.0.0.1:9090', 'fault'],
  ['http://localhost:9090', 'fault'],
  ['http://[::1]:9090', 'fault'],
  ['https://10.1.2.3', 'warning'],
  ['https://172.20.0.1', 'warning'],
  ['https://[fd00::1]:9090', 'warning'],
  ['https://gateway.internal', 'warning'],
  ['https://gateway', 'warning'],
  ['http://gateway.example.com', 'warning'],
  ['https://gateway.example.com', 'ok'],
  ['https://172.32.0.1', 'ok'],
])('judges a gateway at %s by its address: %s', (url, verdict) => {
  expect(gatewayAddress(url).verdict).toBe(verdict);
});

it.each([
  ['does not listen', 'modelless-agent', 'http'],
  ['swallows every call', 'good-agent', 'https'],
])(
  'asks a session of the agent whether its machine reaches a gateway that %s, and stops it',
  async (_what, name, scheme) => {
    const agent = fileURLToPath(new URL(`../test-agents/${name}.fixture.ts`, import.meta.url));
    const local = await startLocalRuntime({
      agents: { silent: { command: [process.execPath, ...process.execArgv, agent] } },
      s3: false,
    });
    onTestFinished(() => local.close());
    const agentCore = new BedrockAgentCoreClient({
      region: 'us-west-2',
      endpoint: local.endpoint,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });
    onTestFinished(() => agentCore.destroy());
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const gatewayUrl = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = {
      agentCore,
      agentRuntimeArn: local.arnOf('silent'),
      qualifier: undefined,
      gatewayUrl,
      payload: { prompt: 'What is 6 times 7?' },
    };
    onTestFinished(() => void server.close());
    if (scheme === 'http') server.close();
    expect(await gatewayReach(options)).toMatchObject({
      verdict: 'fault',
      seen: expect.stringContaining(`${gatewayUrl}/sessions/`) as string,
    });
    expect(local.sessions().map(({ endReason }) => endReason)).toEqual(['stopped']);
  },
);
