import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests whose client waits for leave to send its body. */
export interface DeferredContinue {
  isWaiting(request: IncomingMessage): boolean;
  /** Gives leave, once. */
  allow(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Holds back the `100 Continue` that Node would send at once, so that a PUT that cannot succeed is refused before its body
 * travels. A server has one place to decide that, for all its routes: PUT waits for {@link DeferredContinue.allow}, every
 * other method is let through at once.
 */
export function deferContinue(server: Server): DeferredContinue {
  const waiting = new WeakSet<IncomingMessage>();
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'PUT') waiting.add(request);
    else response.writeContinue();
    server.emit('request', request, response);
  });
  return {
    isWaiting: (request) => waiting.has(request),
    allow: (request, response) => {
      if (waiting.delete(request)) response.writeContinue();
    },
  };
}
