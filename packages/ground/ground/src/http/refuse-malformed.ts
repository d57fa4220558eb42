import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { silenceLimit } from '../async/silence-limit.ts';

/** How long what was refused is still read, so that its answer gets through. */
export const lingerMs = 2_000;

/**
 * Answers bytes that are no HTTP request, as a server's `clientError`. A request whose body breaks after its answer gets no second
 * one. It keeps reading until the caller has hung up or `lingerMs` are over. Closing
 * at once would reset the connection while more bytes are on their way, and a reset takes the answer with it. What is
 * read meanwhile goes to a parser that has failed for good.
 */
export function refuseMalformed(error: Error & { code?: string }, socket: Duplex): void {
  // Every further chunk fails in the parser again.
  if (!socket.writable) return;
  const { _httpMessage: answer, parser } = socket as {
    _httpMessage?: ServerResponse & { lingers?: boolean };
    parser?: { incoming?: IncomingMessage | null };
  };
  // Its answer is out, and these bytes are of its body: they are no request.
  if (parser?.incoming?.complete === false && !answer) {
    socket.destroy();
    return;
  }
  // An answer that has begun must not have another one in its middle.
  if (answer?.headersSent === true && answer.lingers !== true) {
    socket.destroy();
    return;
  }
  const reasons: Record<string, string> = {
    HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
    HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
    ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  };
  const status = reasons[error.code ?? ''] ?? '400 Bad Request';
  socket.on('error', () => socket.destroy());
  if (answer?.headersSent === true) socket.end();
  else socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  const limit = silenceLimit(lingerMs, () => socket.destroy());
  socket.once('close', limit.cancel);
}
