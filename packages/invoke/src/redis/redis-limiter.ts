import Bottleneck from 'bottleneck';
import type { RedisClient } from './redis-client.ts';

export interface RedisLimiterOptions {
  /** Settings for the limiter's own two connections. */
  template: RedisClient;
  /** Names the limiter; the same for all processes. */
  id: string;
  intervalMs: number;
  /** The time that all processes agree on. */
  now: () => number;
}

/** A bottleneck limiter whose state lives in Redis. */
export interface RedisLimiter {
  /** Runs the job when its booked time has come; `lateMs` is how much later it is by then. One job at a time. */
  schedule(job: (lateMs: number) => Promise<void>): Promise<void>;
  /** Closes the connections; scheduled jobs may then stay pending. */
  close(): void;
}

type Callback = (error: Error | null, reply: unknown) => void;
type Script = (...args: unknown[]) => unknown;

// What has to be touched of bottleneck 2.19 and its types leave out.
interface Internals {
  __scriptFn__(name: string): Script;
  __scriptArgs__(name: string, id: string, args: unknown[], callback: Callback): unknown[];
}

const keysExpireMs = 600_000;

/**
 * Connects a limiter to Redis. It has connections of its own, so that all of it can be thrown away: a limiter that lived
 * through the loss of Redis may wait for answers that never come.
 *
 * No `maxConcurrent`: with it a process that is killed keeps its places. Instead one job is scheduled at a time, so
 * a killed process wastes one grant at most.
 */
export function createRedisLimiter(options: RedisLimiterOptions): RedisLimiter {
  const client = options.template.duplicate({ lazyConnect: false });
  // Bottleneck wants the class only to create clients, which it need not do here; without it, it looks for ioredis itself.
  const connection = new Bottleneck.IORedisConnection({ client, Redis: client.constructor });
  connection.on('error', () => {});
  correctErrors(connection as unknown as Internals);
  const time = keepTime(connection as unknown as Internals, options.now);
  const limiter = new Bottleneck({
    id: options.id,
    minTime: options.intervalMs,
    connection,
    // Without it the keys of every run stay in Redis for good.
    timeout: keysExpireMs,
  });
  // Failures are seen where a job is scheduled; these two would end the process as unhandled.
  limiter.on('error', () => {});
  limiter.ready().catch(() => {});
  // Settings that an earlier run left in Redis would win otherwise. The types hide that this is a promise.
  Promise.resolve(limiter.updateSettings({ minTime: options.intervalMs })).catch(() => {});
  return {
    schedule: async (job) => limiter.schedule(async () => job(options.now() - time.bookedMs)),
    close: () => {
      connection.disconnect(false).catch(() => {});
    },
  };
}

// Redis 7 puts `ERR ` before the error texts of scripts, and bottleneck compares them whole. It would never notice that
// Redis lost its data, and jobs would wait for ever (bottleneck issues 205, 212 and 219).
function correctErrors(connection: Internals): void {
  const original = connection.__scriptFn__.bind(connection);
  connection.__scriptFn__ = (name) => {
    const script = original(name);
    return (...args) => {
      const callback = args.pop() as Callback;
      return script(...args, (error: Error | null, reply: unknown) => {
        if (error?.message.startsWith('ERR ') === true) error.message = error.message.slice('ERR '.length);
        callback(error, reply);
      });
    };
  };
}

// Bottleneck hands its scripts the time of the process, and the clocks of machines differ. And it keeps to itself for when
// a job was booked: `register` answers whether there is capacity and how long to wait, from the time it was given.
function keepTime(connection: Internals, now: () => number): { readonly bookedMs: number } {
  const state = { bookedMs: 0 };
  const original = connection.__scriptArgs__.bind(connection);
  connection.__scriptArgs__ = (name, id, args, callback) => {
    const askedMs = now();
    return original(name, id, [askedMs, ...args.slice(1)], (error, reply) => {
      if (name === 'register' && Array.isArray(reply)) state.bookedMs = askedMs + Number(reply[1] ?? 0);
      callback(error, reply);
    });
  };
  return state;
}
