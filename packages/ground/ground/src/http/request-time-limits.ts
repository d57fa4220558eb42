/**
 * How long a request may take to arrive at any server of ours, as options of Node's `createServer`; nothing here limits how long
 * it takes to be answered. A body of 100 MB has its time at 7 Mbit/s. Node closes what is late, silent connections included,
 * with 408. Without `requestTimeout` Node has no limit for headers either.
 */
export const requestTimeLimits = {
  /** For the headers, counted from the connection or from the answer before. */
  headersTimeout: 30_000,
  /** For all of it. */
  requestTimeout: 120_000,
  /** How often Node looks. */
  connectionsCheckingInterval: 5_000,
} as const;
