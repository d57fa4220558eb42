import { randomUUID } from 'node:crypto';
import { RedisClock } from './redis-clock.ts';
import type { RedisClient } from './redis-client.ts';
import {
  nextRedisShareState,
  presenceMs,
  type RedisShareChange,
  type RedisShareRules,
  type RedisShareState,
} from './redis-share-state.ts';

export interface RedisShareOptions extends RedisShareRules {
  client: RedisClient;
  /** Names what is shared; the same for all processes. */
  sharedKey: string;
  /** Redis stopped or began to answer. */
  onChange: (change: { kind: 'lost'; reason: string } | { kind: 'back' }) => void;
}

const beatEveryMs = 1_000;
const answerWithinMs = 1_500;

// One sorted set: process -> when it was last heard of, by the clock of Redis.
const beatScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
if ARGV[3] ~= 'never' then redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3]) end
redis.call('PEXPIRE', KEYS[1], 86400000)
local present = redis.call('ZCOUNT', KEYS[1], now - ARGV[2], '+inf')
return { now, present, redis.call('ZCARD', KEYS[1]) - present }`;

/**
 * This process among those that share rates through Redis: says every second that it is there, counts the others,
 * and notices within 1.5 s when Redis no longer answers, at once when it closes the connection.
 */
export class RedisShare {
  readonly processes: number;
  /** Settings for further connections. */
  readonly template: RedisClient;
  readonly #options: RedisShareOptions;
  readonly #client: RedisClient;
  readonly #key: string;
  readonly #id = randomUUID({ disableEntropyCache: true });
  readonly #clock = new RedisClock();
  readonly #lostListeners: (() => void)[] = [];
  #state: RedisShareState = { kind: 'connecting' };
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RedisShareOptions) {
    this.#options = options;
    this.processes = options.processes;
    this.template = options.client;
    this.#key = `{art:pacing:${options.sharedKey}}:processes`;
    this.#client = options.client.duplicate({ lazyConnect: false });
    // Without a listener ioredis prints every failed attempt to connect; a lost Redis shows in the events instead.
    this.#client.on('error', () => {});
    this.#client.on('close', () => this.reportLost('the connection was closed'));
    this.#beat();
  }

  /** Whether this process keeps to its own share, be it besides what Redis grants. */
  get usesOwnShare(): boolean {
    return this.#state.kind !== 'shared';
  }

  /** Whether grants have to come from Redis. */
  get asksRedis(): boolean {
    return this.#state.kind === 'joining' || this.#state.kind === 'shared';
  }

  /** The time by the clock of Redis, milliseconds since the Unix epoch. */
  now(): number {
    return this.#clock.now();
  }

  /** Calls the listener whenever Redis is lost. */
  onLost(listener: () => void): void {
    this.#lostListeners.push(listener);
  }

  /** To be called by whoever notices that Redis does not do its work. */
  reportLost(reason: string): void {
    if (this.#isClosed || this.#state.kind === 'alone') return;
    this.#apply({ kind: 'lost' });
    for (const listener of this.#lostListeners) listener();
    this.#options.onChange({ kind: 'lost', reason });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    // The others need not hold a share for a process that says goodbye; without Redis there is nobody to say it to.
    const goodbye =
      this.#client.status === 'ready' ? this.#client.call('ZREM', this.#key, this.#id) : Promise.resolve();
    const hangUp = (): void => this.#client.disconnect();
    const patience = setTimeout(hangUp, answerWithinMs);
    goodbye
      .catch(() => {})
      .finally(() => {
        clearTimeout(patience);
        hangUp();
      });
  }

  #beat(): void {
    const sentMs = performance.now();
    this.#timer = setTimeout(
      () => this.reportLost(`no answer within ${answerWithinMs} ms`),
      answerWithinMs,
    ).unref();
    const forgetAfter = this.#options.presumeDeadAfterMs;
    this.#client
      .call(
        'EVAL',
        beatScript,
        '1',
        this.#key,
        this.#id,
        String(presenceMs),
        forgetAfter === Infinity ? 'never' : String(presenceMs + forgetAfter),
      )
      .then(
        (reply) => this.#answered(reply, performance.now() - sentMs),
        (error: unknown) => this.reportLost(String(error)),
      )
      .finally(() => {
        clearTimeout(this.#timer);
        if (!this.#isClosed) this.#timer = setTimeout(() => this.#beat(), beatEveryMs).unref();
      })
      // Only the handlers above could fail, and they do not.
      .catch(() => {});
  }

  #answered(reply: unknown, roundTripMs: number): void {
    // Sent before the break, kept by ioredis and answered after it: says little about now, and the next beat follows.
    if (this.#isClosed || roundTripMs > answerWithinMs) return;
    const [redisNowMs = 0, present = 0, vanished = 0] = reply as number[];
    this.#clock.observe(redisNowMs, roundTripMs);
    const wasAlone = this.#state.kind === 'alone';
    this.#apply({ kind: 'answered', present, vanished });
    if (wasAlone) this.#options.onChange({ kind: 'back' });
  }

  #apply(change: RedisShareChange): void {
    this.#state = nextRedisShareState(this.#state, change, this.#options, performance.now());
  }
}
