import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@art/ground';
import { onTestFinished } from 'vitest';
import { S3ResultStore } from './s3-result-store.ts';
import type { S3ResultStoreOptions } from './s3-result-store-options.ts';

export interface RecordedRequest {
  method: string;
  /** Path without the query, as it was sent. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The scripted answer; `reset` breaks the connection without one. */
export type ScriptedAnswer = { status: number; headers?: Record<string, string>; body?: string } | 'reset';

export interface RecordingS3 {
  url: string;
  requests: RecordedRequest[];
  /** Most requests that were open at the same time. */
  peak: () => number;
  /** Requests whose connection the client gave up before it was answered. */
  abandoned: () => number;
}

/** An HTTP server that records what a store sends and answers what the test says. */
export async function recordingS3(
  answer: (request: RecordedRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
): Promise<RecordingS3> {
  const requests: RecordedRequest[] = [];
  let open = 0;
  let peak = 0;
  let abandoned = 0;
  const server: Server = createServer((request, response) => {
    open += 1;
    peak = Math.max(peak, open);
    response.once('close', () => {
      open -= 1;
      if (!response.writableEnded) abandoned += 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://recorder');
      const recorded: RecordedRequest = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      const index = requests.push(recorded) - 1;
      void Promise.resolve(answer(recorded, index)).then((scripted) => {
        if (scripted === 'reset') request.socket.destroy();
        else response.writeHead(scripted.status, scripted.headers).end(scripted.body);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, peak: () => peak, abandoned: () => abandoned };
}

/** A store that talks to the recorder, closed when the test ends. */
export function storeAt(s3: RecordingS3, options: S3ResultStoreOptions = {}, clock?: Clock): S3ResultStore {
  const config = {
    endpoint: s3.url,
    region: 'us-west-2',
    ...options,
    clientConfig: { credentials: { accessKeyId: 'id', secretAccessKey: 'secret' }, ...options.clientConfig },
  };
  const store = new S3ResultStore(config, clock);
  onTestFinished(() => store.close());
  return store;
}

/** An error as S3 writes it. */
export function s3Error(status: number, code: string, headers: Record<string, string> = {}): ScriptedAnswer {
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-amz-request-id': 'REQ1', ...headers },
    body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Said ${code}</Message><RequestId>REQ1</RequestId></Error>`,
  };
}
