/** The used members of an ioredis client (5 or later). Written out, so that the types fit every version of it. */
export interface RedisClient {
  readonly status: string;
  /** A connection of its own with the same settings; the client that was passed in is only a template for it. */
  duplicate(override?: { lazyConnect?: boolean }): RedisClient;
  call(command: string, ...args: string[]): Promise<unknown>;
  on(event: 'close' | 'error', listener: (error?: Error) => void): unknown;
  disconnect(): void;
}
