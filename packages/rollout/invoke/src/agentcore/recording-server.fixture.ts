import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

/** One request as it came over the wire. */
export interface RecordedRequest {
  method: string;
  /** Path and query, still encoded. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Tells connections apart. */
  remotePort: number | undefined;
}

export interface RecordingServer extends AsyncDisposable {
  url: string;
  requests: RecordedRequest[];
}

/** An HTTP server on a free port that notes every request and answers with `answer`. */
export async function startRecordingServer(
  answer: (response: ServerResponse, request: RecordedRequest) => void,
): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const recorded: RecordedRequest = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        remotePort: request.socket.remotePort,
      };
      requests.push(recorded);
      answer(response, recorded);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Gives the SDK what it looks for in the environment; `vi.unstubAllEnvs()` takes it away again. */
export function stubAwsEnvironment(endpoint: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDLOCAL');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local-secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'local-token');
}
