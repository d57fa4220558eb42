import { once } from 'node:events';
import { join } from 'node:path';
import { startLocalRuntime } from '@art/local';
import { RuntimeClient } from 'bedrock-agentcore/runtime';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { stubAwsEnvironment } from './aws-environment.fixture.ts';

it("AWS's own client opens the socket of a session of our agent", async () => {
  const command = [
    process.execPath,
    '--conditions=@art/source',
    join(import.meta.dirname, 'socket-agent.ts'),
  ];
  await using local = await startLocalRuntime({ agents: { talker: { command } } });
  stubAwsEnvironment(local.endpoint);
  vi.stubEnv('BEDROCK_AGENTCORE_DATA_PLANE_ENDPOINT', local.endpoint);
  onTestFinished(() => void vi.unstubAllEnvs());
  const sessionId = 'aws-client-session-0123456789-0123456789';
  const { url, headers } = await new RuntimeClient({ region: 'us-west-2' }).generateWsConnection({
    runtimeArn: local.arnOf('talker'),
    sessionId,
  });
  const socket = new WebSocket(url, { headers });
  const [hello] = (await once(socket, 'message')) as [Buffer];
  expect(JSON.parse(hello.toString())).toEqual({ sessionId });
  const echoed = once(socket, 'message');
  socket.send(Buffer.from([0, 1, 255]));
  expect(await echoed).toEqual([Buffer.from([0, 1, 255]), true]);
  socket.close();
  await once(socket, 'close');
});
