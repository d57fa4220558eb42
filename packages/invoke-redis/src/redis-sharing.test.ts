import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { GrantSource, JoinedRateShare, RateShareChange } from '@art/invoke';
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

/** The most starts that any second holds. */
function mostPerSecond(starts: readonly number[]): number {
  return Math.max(...starts.map((end) => starts.filter((at) => at <= end && at > end - 1_000).length));
}

/** Starts of the last second. */
function recently(starts: readonly number[]): number {
  const since = performance.now() - 1_000;
  return starts.filter((start) => start >= since).length;
}

function longestGapMs(starts: readonly number[]): number {
  return Math.max(...starts.slice(1).map((at, index) => at - starts[index]!));
}

const patience = { interval: 50 };
const share = ratePerSecond / 3;

describe.runIf(isAvailable)('sharing a rate through Redis', () => {
  it.concurrent('goes on with the own share when Redis dies, and shares again when it is back', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const starts: number[] = [];
    using first = new Sharer(server, 3, starts).run();
    using second = new Sharer(server, 3, starts);
    using third = new Sharer(server, 3, starts);
    const all = [first, second, third];

    // The two others are there but idle, so the first may use all of the rate.
    await vi.waitFor(() => expect(recently(starts)).toBeGreaterThan(share * 2), patience);

    second.run();
    third.run();
    await server.kill();
    for (const sharer of all) await vi.waitFor(() => expect(sharer.events).toContain('lost'), patience);
    const diedAt = performance.now();
    await vi.waitFor(() => expect(performance.now() - diedAt).toBeGreaterThan(1_500), patience);
    expect(recently(starts)).toBeGreaterThan(share);
    expect(recently(starts)).toBeLessThanOrEqual(ratePerSecond);

    await server.start();
    for (const sharer of all) await vi.waitFor(() => expect(sharer.events.at(-1)).toBe('back'), patience);
    second[Symbol.dispose]();
    third[Symbol.dispose]();
    const presence = new Sharer(server, 3, []);
    const presenceToo = new Sharer(server, 3, []);
    await vi.waitFor(() => expect(recently(starts)).toBeGreaterThan(share * 2), patience);
    presence[Symbol.dispose]();
    presenceToo[Symbol.dispose]();
    // Timers of a busy machine fire late and move starts together; one share used twice would make it a third more.
    expect(mostPerSecond(starts)).toBeLessThanOrEqual(ratePerSecond * 1.1);
  });

  it.concurrent('notices a Redis that hangs', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const starts: number[] = [];
    using only = new Sharer(server, 1, starts).run();
    const admin = server.client();
    await vi.waitFor(async () => expect(await admin.keys('*new-sessions')).toHaveLength(1), patience);
    server.freeze();
    await vi.waitFor(() => expect(only.events).toEqual(['lost']), patience);
    const before = starts.length;
    await vi.waitFor(() => expect(starts.length).toBeGreaterThan(before + 10), patience);
    server.thaw();
    await vi.waitFor(() => expect(only.events).toEqual(['lost', 'back']), patience);
  });

  it.concurrent('survives that Redis forgets everything', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const starts: number[] = [];
    using only = new Sharer(server, 1, starts).run();
    const admin = server.client();
    await vi.waitFor(async () => expect(await admin.keys('*new-sessions')).toHaveLength(1), patience);
    for (let round = 0; round < 5; round += 1) {
      await admin.flushall();
      const before = starts.length;
      await vi.waitFor(() => expect(starts.length).toBeGreaterThan(before + 5), patience);
    }
    expect(only.events).toEqual([]);
  });

  it.concurrent('begins with the own share when Redis is not there', async () => {
    await using server = await RedisServer.create();
    const starts: number[] = [];
    using only = new Sharer(server, 3, starts).run();
    await vi.waitFor(() => expect(starts.length).toBeGreaterThan(share), patience);
    expect(mostPerSecond(starts)).toBeLessThanOrEqual(share);
    expect(only.events).toEqual(['lost']);
    await server.start();
    await vi.waitFor(() => expect(only.events).toEqual(['lost', 'back']), patience);
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
    other.stdout.on('data', () => otherStarts.push(performance.now()));
    using only = new Sharer(server, 2, starts, 500).run();
    await vi.waitFor(() => expect(recently(otherStarts)).toBeGreaterThan(ratePerSecond / 4), patience);
    other.kill('SIGKILL');
    await once(other, 'exit');
    await vi.waitFor(() => expect(recently(starts)).toBeGreaterThan(ratePerSecond * 0.75), patience);
    expect(longestGapMs(starts)).toBeLessThan(1_500);
    expect(mostPerSecond(starts)).toBeLessThanOrEqual(ratePerSecond * 1.1);
    expect(only.events).toEqual([]);
  });

  it.concurrent('does not wait for a start that was booked by a clock since set back', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const admin = server.client();
    await admin.set('{art:pacing:account}:new-sessions', String((Date.now() + 3_600_000) * 1_000));
    const starts: number[] = [];
    using only = new Sharer(server, 1, starts).run();
    await vi.waitFor(() => expect(starts.length).toBeGreaterThan(ratePerSecond * 4), patience);
    expect(longestGapMs(starts)).toBeLessThan(1_000);
    expect(only.events).toEqual([]);
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
