import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A control plane with one runtime on its second page, which is updating for a moment, and then as `becomes` says. */
export async function localControlPlane(name: string, becomes: Record<string, unknown>) {
  const requests: { method: string; url: string; authorization: string; body: unknown }[] = [];
  let runtime: Record<string, unknown> = {
    agentRuntimeId: `${name}-abc`,
    agentRuntimeVersion: '1',
    status: 'READY',
    createdAt: 1,
    workloadIdentityDetails: {},
    roleArn: 'role',
    agentRuntimeArtifact: { codeConfiguration: {} },
    environmentVariables: { MINE: 'x', PORT: '8080' },
    filesystemConfigurations: [{ sessionStorage: { mountPath: '/mnt/work' } }],
    aMemberOfTomorrow: [1],
  };
  let polls = 0;
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const text = Buffer.concat(chunks).toString();
      const body = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, authorization: String(headers.authorization), body });
      const first = { agentRuntimes: [{ agentRuntimeName: 'other', agentRuntimeId: 'o' }], nextToken: 'n&1' };
      const second = {
        agentRuntimes: [{ agentRuntimeName: name, agentRuntimeId: `${name}-abc` }],
      };
      if (method === 'PUT') runtime = { ...runtime, ...body, status: 'UPDATING' };
      else if (runtime['status'] === 'UPDATING' && (polls += 1) > 1) runtime = { ...runtime, ...becomes };
      const list = url.includes('nextToken=') ? second : first;
      response.writeHead(method === 'PUT' ? 202 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(method === 'POST' ? list : runtime));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, env: { AWS_ENDPOINT_URL_BEDROCK_AGENTCORE_CONTROL: endpoint } };
}
