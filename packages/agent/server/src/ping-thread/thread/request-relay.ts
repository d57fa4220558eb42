import { Agent, type IncomingMessage, request as send, type ServerResponse } from 'node:http';

// Bodies up to this continue in one piece, which halves the cost of the relay; larger ones are streamed.
const smallBytes = 65_536;

// Headers that concern one connection only (RFC 9110, 7.6.1); each hop has its own.
const hopHeaders = new Set(
  'connection keep-alive proxy-connection transfer-encoding te trailer upgrade expect'.split(' '),
);

/**
 * Passes requests on to the main thread and its answers back. Both hops are parsed and written by Node's own HTTP
 * implementation, so what is ambiguous in a request's framing is refused here and cannot mean two things.
 */
export function requestRelay({ mainPort }: { mainPort: Promise<number> }): {
  relay: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  hasOpenRequests: () => boolean;
  close: () => void;
} {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 1_024 });
  let openRequests = 0;

  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
    if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
      refuse(response, 501, 'Unsupported transfer encoding');
      return;
    }
    const hasBody = coding !== undefined || (length !== undefined && length !== '0');
    const headers = endToEnd(request.rawHeaders);
    if (coding !== undefined) headers.push('transfer-encoding', 'chunked');
    else if (length === undefined && request.method === 'POST') headers.push('content-length', '0');
    const body = hasBody && isSmall(length) ? await collect(request) : undefined;
    const port = await mainPort;
    if (response.destroyed) return;
    openRequests += 1;
    const passed = send({
      agent,
      host: '127.0.0.1',
      port,
      method: request.method!,
      path: request.url!,
      headers,
      setHost: false,
      setDefaultHeaders: false,
    });
    let isAnswered = false;
    passed.on('response', (answer) => {
      isAnswered = true;
      passBack(answer, response).catch(() => response.destroy());
    });
    passed.on('error', (error: NodeJS.ErrnoException) => {
      // An answer to what was not read to its end closes this connection; the caller's stays until it has been read.
      if (isAnswered) return;
      // Only what was certainly not delivered gets an answer; otherwise the caller must see that the connection broke.
      if (error.code === 'ECONNREFUSED') refuse(response, 503, 'The agent process is being stopped');
      else response.destroy();
    });
    response.once('close', () => {
      openRequests -= 1;
      // The caller has gone, and the handler is to know.
      if (!response.writableFinished) passed.destroy();
    });
    if (hasBody && body === undefined) {
      request.on('error', () => passed.destroy());
      passed.once('close', () => request.unpipe(passed).resume());
      // A caller that waits for 100 Continue sends nothing that would take them along.
      passed.flushHeaders();
      request.pipe(passed);
    } else {
      passed.end(body);
    }
  };

  return { relay, hasOpenRequests: () => openRequests > 0, close: () => agent.destroy() };
}

/** Headers as they came, in their order and spelling, without those of the connection. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!hopHeaders.has(name.toLowerCase())) kept.push(name, rawHeaders[index + 1]!);
  }
  return kept;
}

function isSmall(length: string | undefined): boolean {
  return Number(length) <= smallBytes;
}

/** A whole body. Rejects when it breaks off. */
async function collect(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, status: number, error: string): void {
  const body = JSON.stringify({ error });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}

async function passBack(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const head = endToEnd(answer.rawHeaders);
  if (answer.headers.connection === 'close') head.push('connection', 'close');
  const length = answer.headers['content-length'];
  const body = isSmall(length) ? await collect(answer) : undefined;
  response.sendDate = false;
  response.writeHead(answer.statusCode!, answer.statusMessage, head);
  if (body !== undefined) {
    response.end(body);
    return;
  }
  // The reader of a stream learns at once that it is connected, however long the first event takes.
  if (length === undefined) response.flushHeaders();
  answer.on('error', () => response.destroy());
  answer.pipe(response);
}
