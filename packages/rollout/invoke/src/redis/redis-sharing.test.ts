import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { GrantSource } from '../pacing/grant-source.ts';
import type { JoinedRateShare, RateShareChange } from '../pacing/rate-share.ts';
import { sayMissing } from '@art/tooling/say-missing';
import { describe, expect, it, vi } from 'vitest';
import { redisShare } from './redis-share.ts';
import { hasRedisServer, RedisServer } from './redis-server.fixture.ts';

const isAvailable = hasRedisServer();
if (!isAvailable) sayMissing('no redis-server on the PATH, so sharing rates through Redis is not tested');

const ratePerSecond = 60;

/** Stands for one process that starts sessions without a pause. */
class Sharer implements Disposable {
  readonly starts: number[];
  readonly events: RateShareChange['kind'][] = [];
  readonly #joined: JoinedRateShare;
  readonly #grants: GrantSource;
  #isOver = false;

  constructor(server: RedisServer, processes: number, starts: number[], presumeDeadAfterMs = 60_000) {
    this.starts = starts;
    const share = redisShare({ client: server.client(), processes, presumeDeadAfterMs });
    this.#joined = share.join('account', ({ kind }) => this.events.push(kind));
    this.#grants = this.#joined.grants('new-sessions', ratePerSecond);
  }

  /** Starts sessions until it is disposed of. */
  run(): this {
    void this.#start();
    return this;
  }

  async #start(): Promise<void> {
    for (;;) {
      await this.#grants.next();
      if (this.#isOver) return;
      this.starts.push(performance.now());
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#grants.close();
    this.#joined.close();
  }
}

/**
 * By how many starts a rate was ever ahead of its time. A busy machine starts late, and then some at once, but never more than the
 * time since `sinceMs` has room for.
 */
function mostAhead(starts: readonly number[], sinceMs: number, perSecond: number): number {
  return Math.max(...starts.map((at, index) => index + 1 - ((at - sinceMs) / 1_000) * perSecond));
}

/** Starts of the last second. */
function recently(starts: readonly number[]): number {
  const since = performance.now() - 1_000;
  return starts.filter((start) => start >= since).length;
}

const patience = { interval: 50 };
const share = ratePerSecond / 3;

describe.runIf(isAvailable)('sharing a rate through Redis', () => {
  it.concurrent('continues with the own share when Redis dies, and shares again when it is back', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const starts: number[] = [];
    const sinceMs = performance.now();
    using first = new Sharer(server, 3, starts).run();
    using second = new Sharer(server, 3, starts);
    using third = new Sharer(server, 3, starts);
    const all = [first, second, third];

    // The two others are there but idle, so the first may use all of the rate.
    await vi.waitFor(() => expect(recently(starts)).toBeGreaterThan(share * 1.25), patience);

    second.run();
    third.run();
    await server.kill();
    for (const sharer of all) await vi.waitFor(() => expect(sharer.events).toContain('lost'), patience);
    const diedAt = performance.now();
    await vi.waitFor(() => expect(performance.now() - diedAt).toBeGreaterThan(1_000), patience);
    await vi.waitFor(() => expect(recently(starts)).toBeGreaterThan(share), patience);
    expect(mostAhead(starts, sinceMs, ratePerSecond)).toBeLessThan(share);

    await server.start();
    for (const sharer of all) await vi.waitFor(() => expect(sharer.events.at(-1)).toBe('back'), patience);
    second[Symbol.dispose]();
    third[Symbol.dispose]();
    const presence = new Sharer(server, 3, []);
    const presenceToo = new Sharer(server, 3, []);
    await vi.waitFor(() => expect(recently(starts)).toBeGreaterThan(share * 1.25), patience);
    presence[Symbol.dispose]();
    presenceToo[Symbol.dispose]();
    expect(mostAhead(starts, sinceMs, ratePerSecond)).toBeLessThan(share);
  });

  it.concurrent('notices a Redis that hangs', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const starts: number[] = [];
    using only = new Sharer(server, 1, starts).run();
    const admin = server.client();
    await vi.waitFor(async () => expect(await admin.keys('*new-sessions')).toHaveLength(1), patience);
    server.freeze();
    await vi.waitFor(() => expect(only.events.at(-1)).toBe('lost'), patience);
    const before = starts.length;
    await vi.waitFor(() => expect(starts.length).toBeGreaterThan(before + 10), patience);
    server.thaw();
    await vi.waitFor(() => expect(only.events.at(-1)).toBe('back'), patience);
  });

  it.concurrent('survives that Redis forgets everything', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const starts: number[] = [];
    using _running = new Sharer(server, 1, starts).run();
    const admin = server.client();
    await vi.waitFor(async () => expect(await admin.keys('*new-sessions')).toHaveLength(1), patience);
    for (let round = 0; round < 5; round += 1) {
      await admin.flushall();
      const before = starts.length;
      await vi.waitFor(() => expect(starts.length).toBeGreaterThan(before + 5), patience);
      await vi.waitFor(async () => expect(await admin.keys('*new-sessions')).toHaveLength(1), patience);
    }
  });

  it.concurrent('begins with the own share when Redis is not there', async () => {
    await using server = await RedisServer.create();
    const starts: number[] = [];
    const sinceMs = performance.now();
    using only = new Sharer(server, 3, starts).run();
    await vi.waitFor(() => expect(starts.length).toBeGreaterThan(share * 2), patience);
    expect(mostAhead(starts, sinceMs, share)).toBeLessThanOrEqual(1);
    expect(only.events).toEqual(['lost']);
    await server.start();
    await vi.waitFor(() => expect(only.events.at(-1)).toBe('back'), patience);
  });

  it.concurrent('is not held up by a process that is killed', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const program = `
      import { Redis } from 'ioredis';
      import { redisShare } from ${JSON.stringify(import.meta.resolve('./redis-share.ts'))};
      const client = new Redis(${JSON.stringify(server.socket)}, { lazyConnect: true });
      const joined = redisShare({ client, processes: 2 }).join('account', () => {});
      const grants = joined.grants('new-sessions', ${ratePerSecond});
      for (;;) {
        await grants.next();
        console.log('start');
      }`;
    const flags = ['--conditions=@art/source', '--input-type=module', '--eval', program];
    const other = spawn(process.execPath, flags, {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const starts: number[] = [];
    const otherStarts: number[] = [];
    const sinceMs = performance.now();
    other.stdout.on('data', () => otherStarts.push(performance.now()));
    using _running = new Sharer(server, 2, starts, 500).run();
    await vi.waitFor(() => expect(otherStarts.length).toBeGreaterThan(ratePerSecond / 4), patience);
    other.kill('SIGKILL');
    await once(other, 'exit');
    await vi.waitFor(() => expect(recently(starts)).toBeGreaterThan(ratePerSecond * 0.55), patience);
    expect(mostAhead(starts, sinceMs, ratePerSecond)).toBeLessThan(share);
  });

  it.concurrent('does not wait for a start that was booked by a clock since set back', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const admin = server.client();
    const key = '{art:pacing:account}:new-sessions';
    await admin.set(key, String((Date.now() + 3_600_000) * 1_000));
    const starts: number[] = [];
    using _running = new Sharer(server, 1, starts).run();
    await vi.waitFor(() => expect(starts.length).toBeGreaterThan(ratePerSecond * 4), patience);
    await vi.waitFor(
      async () => expect(Number(await admin.get(key))).toBeLessThan((Date.now() + 60_000) * 1_000),
      patience,
    );
  });

  it.concurrent('says goodbye, and leaves no connection and no listener behind', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const admin = server.client();
    const sharer = new Sharer(server, 1, []).run();
    await vi.waitFor(async () => expect(await admin.keys('*processes')).toHaveLength(1), patience);
    await vi.waitFor(() => expect(sharer.starts.length).toBeGreaterThan(60), patience);
    expect(((await admin.client('LIST')) as string).trim().split('\n')).toHaveLength(2);
    sharer[Symbol.dispose]();
    await vi.waitFor(async () => {
      expect(await admin.keys('*processes')).toEqual([]);
      expect(((await admin.client('LIST')) as string).trim().split('\n')).toHaveLength(1);
    }, patience);
  });
});
