import type { Server } from 'node:http';

/**
 * How long a request may take to arrive; nothing here limits how long it takes to be answered. A body of the largest size
 * that is taken, 100 MB, has its time at 7 Mbit/s. Node closes what is late, silent connections included, with 408.
 */
export const requestTimeLimits = {
  /** For the headers, counted from the connection or from the answer before. */
  headersTimeout: 30_000,
  /** For all of it. */
  requestTimeout: 120_000,
  /** How often Node looks. */
  connectionsCheckingInterval: 5_000,
} as const;

/** How long what was refused is still read, so that its answer gets through. */
export const lingerMs = 2_000;

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
