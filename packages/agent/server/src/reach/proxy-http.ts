import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers in the words of a model API. A status from 500 on is tried again by the clients of OpenAI and Anthropic. */
export function answerError(response: ServerResponse, status: number, message: string): void {
  if (response.destroyed || response.headersSent) return;
  const type = status < 500 ? 'invalid_request_error' : 'service_unavailable';
  const body = JSON.stringify({ error: { message, type, code: 'art_reach', param: null } });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(status === 503 && { 'retry-after': '1' }),
  });
  response.end(body);
}

/** The whole body, since it may have to be sent twice; undefined where it was too large, or broke off. */
export async function readProxiedBody(
  request: IncomingMessage,
  response: ServerResponse,
  mostBytes: number,
): Promise<readonly Buffer[] | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > mostBytes) {
        answerError(response, 413, `Expected a body of at most ${mostBytes} bytes.`);
        // What is left of it is read and dropped: a connection that is reset takes the answer with it.
        request.resume();
        return undefined;
      }
      pieces.push(piece);
    }
    return pieces;
  } catch {
    return undefined;
  }
}
