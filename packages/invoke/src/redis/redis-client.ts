/**
 * What is used of an ioredis client (5 or later). Written out here so that this package's types do not need ioredis.
 */
export interface RedisClient {
  readonly status: string;
  /** A connection of its own with the same settings; the client that was passed in is only a template for it. */
  duplicate(override?: { lazyConnect?: boolean }): RedisClient;
  call(command: string, ...args: string[]): Promise<unknown>;
  on(event: 'close' | 'error', listener: (error?: Error) => void): unknown;
  disconnect(): void;
}

/** Sharing the rates among processes, also of several machines. */
export interface RedisOptions {
  /** An ioredis client. Its settings are used for connections of our own; it is neither used nor closed itself. */
  client: RedisClient;
  /**
   * How many processes share the rates. While Redis is away each of them keeps to this fraction of the rates, so
   * that their sum is never exceeded: a number that is too low breaks that, one that is too high only costs speed then.
   */
  processes: number;
  /**
   * A process that vanished without `close()` may be alive but cut off from Redis, and then still uses its share.
   * The others leave that share to it for this long. `Infinity` leaves it for good. @default 60_000
   */
  presumeDeadAfterMs?: number | undefined;
}
