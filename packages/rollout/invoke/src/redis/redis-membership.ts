import { describeThrown, backgroundClock, callWithin, type Clock, pause } from '@art/ground';
import { randomUUID } from 'node:crypto';
import type { RateShareChange } from '../pacing/rate-share.ts';
import {
  nextMembershipState,
  presenceMs,
  type MembershipChange,
  type MembershipRules,
  type MembershipState,
} from './membership-state.ts';
import type { RedisClient } from './redis-client.ts';

export interface RedisMembershipOptions extends MembershipRules {
  client: RedisClient;
  sharedKey: string;
  onChange: (change: RateShareChange) => void;
  /** @default the real clock, in the background */
  clock?: Clock | undefined;
}

const beatEveryMs = 1_000;
const answerWithinMs = 1_500;
const keyExpiresMs = 86_400_000;

// One sorted set: process -> when it was last heard of, by the clock of Redis.
const beatScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
if ARGV[3] ~= 'never' then redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3]) end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
local present = redis.call('ZCOUNT', KEYS[1], now - ARGV[2], '+inf')
return { present, redis.call('ZCARD', KEYS[1]) - present }`;

/**
 * This process among those that share rates through Redis: says every second that it is there, counts the others,
 * and notices within 1.5 s when Redis no longer answers, at once when it closes the connection.
 */
export class RedisMembership {
  readonly #options: RedisMembershipOptions;
  readonly #clock: Clock;
  readonly #client: RedisClient;
  readonly #id = randomUUID({ disableEntropyCache: true });
  readonly #closing = new AbortController();
  #losing = new AbortController();
  #lostAtMs = -Infinity;
  #state: MembershipState = { kind: 'connecting' };

  constructor(options: RedisMembershipOptions) {
    this.#options = options;
    this.#clock = options.clock ?? backgroundClock;
    this.#client = options.client.duplicate({ lazyConnect: false });
    // Without a listener ioredis prints every failed attempt to connect; a lost Redis shows in the events instead.
    this.#client.on('error', () => {});
    this.#client.on('close', () => this.reportLost('the connection was closed'));
    void this.#beatUntilClosed();
  }

  get processes(): number {
    return this.#options.processes;
  }

  /** True if this process keeps to its own share, also besides the grants of Redis. */
  get usesOwnShare(): boolean {
    return this.#state.kind !== 'shared';
  }

  /** True if grants have to come from Redis. */
  get asksRedis(): boolean {
    return this.#state.kind === 'joining' || this.#state.kind === 'shared';
  }

  /** Aborts when Redis is lost. Another one once it is back. */
  get lost(): AbortSignal {
    return this.#losing.signal;
  }

  /** When Redis was last lost, monotonic milliseconds. */
  get lostAtMs(): number {
    return this.#lostAtMs;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Runs a script on a key of what is shared. It is sent whole each time: it is short, and Redis may have forgotten it. */
  async eval(script: string, name: string, args: string[], signal: AbortSignal): Promise<unknown> {
    const call = async (): Promise<unknown> =>
      this.#client.call('EVAL', script, '1', this.#key(name), ...args);
    return callWithin(call, {
      signal,
      timeoutMs: answerWithinMs,
      timeoutError: noAnswer,
      clock: this.#clock,
    });
  }

  /** To be called by anyone who notices that Redis does not do its work. */
  reportLost(reason: unknown): void {
    if (this.closed.aborted || this.#state.kind === 'alone') return;
    this.#apply({ kind: 'lost' });
    this.#lostAtMs = this.#clock.nowMs();
    const text = describeThrown(reason).message;
    this.#losing.abort(new Error(text));
    this.#options.onChange({ kind: 'lost', reason: text });
  }

  close(): void {
    if (this.closed.aborted) return;
    this.#closing.abort(new Error('closed'));
    this.#losing.abort(new Error('closed'));
    // The others need not hold a share for a process that says goodbye; without Redis there is nobody to say it to.
    const client = this.#client;
    const goodbye = async (): Promise<unknown> =>
      client.status === 'ready' ? client.call('ZREM', this.#key('processes'), this.#id) : undefined;
    void callWithin(goodbye, { timeoutMs: answerWithinMs, clock: this.#clock })
      .catch(() => {})
      .finally(() => client.disconnect());
  }

  #key(name: string): string {
    return `{art:pacing:${this.#options.sharedKey}}:${name}`;
  }

  async #beatUntilClosed(): Promise<void> {
    const { presumeDeadAfterMs } = this.#options;
    const forgetAfter = presumeDeadAfterMs === Infinity ? 'never' : String(presenceMs + presumeDeadAfterMs);
    const args = [this.#id, String(presenceMs), forgetAfter, String(keyExpiresMs)];
    const signal = this.closed;
    while (!signal.aborted) {
      try {
        const reply = await this.eval(beatScript, 'processes', args, signal);
        const [present = 0, vanished = 0] = reply as number[];
        this.#answered(present, vanished);
      } catch (error) {
        this.reportLost(error);
      }
      await pause(beatEveryMs, { signal, clock: this.#clock }).catch(() => {});
    }
  }

  #answered(present: number, vanished: number): void {
    const wasAlone = this.#state.kind === 'alone';
    if (wasAlone) this.#losing = new AbortController();
    this.#apply({ kind: 'answered', present, vanished });
    if (wasAlone) this.#options.onChange({ kind: 'back' });
  }

  #apply(change: MembershipChange): void {
    this.#state = nextMembershipState(this.#state, change, this.#options, this.#clock.nowMs());
  }
}

function noAnswer(timeoutMs: number): Error {
  return new Error(`no answer within ${timeoutMs} ms`);
}
