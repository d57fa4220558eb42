import type { Server } from 'node:http';

/**
 * Asks a caller that sent `Expect: 100-continue` for its body only where that may be taken. A larger one is answered without
 * having been sent.
 */
export function withholdContinue(server: Server, mostBytes: number): void {
  server.on('checkContinue', (request, response) => {
    if (!(Number(request.headers['content-length']) > mostBytes)) response.writeContinue();
    server.emit('request', request, response);
  });
}
