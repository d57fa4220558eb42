import type { IncomingMessage, ServerResponse as NodeResponse } from 'node:http';
import { lingerMs, silenceLimit } from '@art/ground';

// An `import` of node:http reads each of its members, which loads Node's WebSocket with all of undici: 30 ms of every start.
const { ServerResponse } = process.getBuiltinModule('node:http');

type EndArguments = [chunk?: unknown, encoding?: unknown, onEnded?: unknown];

/**
 * A response that is answered at once and ended when its request has been read to the end. Node closes a connection as soon
 * as the last answer on it is out; where the caller is still sending, as with a body that is refused for its size, the
 * system then resets the connection, and a reset takes the answer with it. What is read meanwhile is dropped.
 * A caller that sends nothing for `lingerMs` has its connection closed all the same.
 */
class Lingering extends ServerResponse {
  /** True if the whole answer was sent and only its request is still being read. */
  lingers = false;

  override end(...given: EndArguments): this {
    const request = this.req;
    if (this.lingers) return this;
    if (this.writableEnded || !isUnread(request)) return super.end(...(given as []));
    this.lingers = true;
    const [chunk, encoding] = given;
    const onEnded = given.find((one) => typeof one === 'function') as (() => void) | undefined;
    const body =
      typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : (chunk as Uint8Array);
    const length = body instanceof Uint8Array ? body.length : 0;
    // The caller has to see where the answer ends before it is ended here.
    if (!this.headersSent && !this.hasHeader('transfer-encoding')) this.setHeader('content-length', length);
    if (length > 0) this.write(body);
    else this.flushHeaders();
    const finish = (): void => {
      silence.cancel();
      request.off('data', silence.extend);
      if (!this.writableEnded) super.end(onEnded);
    };
    const silence = silenceLimit(lingerMs, finish);
    request.on('data', silence.extend);
    request.once('end', finish);
    request.once('close', finish);
    request.resume();
    return this;
  }
}

export const LingeringResponse = Lingering as unknown as typeof NodeResponse;

function isUnread({ complete, destroyed, headers }: IncomingMessage): boolean {
  return (
    !complete &&
    !destroyed &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
  );
}
