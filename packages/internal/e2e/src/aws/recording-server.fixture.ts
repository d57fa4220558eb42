import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request as it came over the wire; header names in lower case. */
export interface RecordedRequest {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, string>;
  body: string;
}

export interface RecordingServer extends AsyncDisposable {
  endpoint: string;
  requests: RecordedRequest[];
}

/** Notes what it is sent and answers 200 with an empty JSON object. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url } = request;
      const headers = Object.fromEntries(
        Object.entries(request.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
      );
      requests.push({ method, url, headers, body });
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
