import { describe, expect, it, vi } from 'vitest';
import { mostInWindow } from '../pacing/fake-runtime.fixture.ts';
import type { RuntimeEvent } from '@art/protocol';
import { RuntimeBudgets } from '../pacing/runtime-budgets.ts';
import { hasRedisServer, RedisServer } from './redis-server.fixture.ts';

const isAvailable = hasRedisServer();
if (!isAvailable) console.warn('No redis-server on the PATH: sharing rates through Redis is not tested.');

it('redis-server is there, or need not be', () => {
  const isRequired = process.env['CI'] === 'true';
  expect(isAvailable || !isRequired, 'CI has to install redis-server').toBe(true);
});

const ratePerSecond = 60;

/** Stands for one process: budgets of its own, and somebody who starts sessions without a pause. */
class Sharer implements Disposable {
  readonly starts: number[];
  readonly events: RuntimeEvent['type'][] = [];
  readonly #budgets: RuntimeBudgets;
  readonly #stopping = new AbortController();

  constructor(server: RedisServer, processes: number, starts: number[], sharedKey = 'account') {
    const redis = { client: server.client(), processes, presumeDeadAfterMs: 60_000 };
    this.starts = starts;
    this.#budgets = new RuntimeBudgets(
      { newSessionsPerSecond: ratePerSecond, dataPlanePerSecond: 500, redis },
      sharedKey,
    );
    this.#budgets.events.subscribe((event) => this.events.push(event.type));
  }

  /** Starts sessions until it is disposed of. */
  run(): this {
    const { signal } = this.#stopping;
    const loop = async (): Promise<void> => {
      for (;;) {
        this.#budgets.quota.accepted(await this.#budgets.newSessions.take({ priority: 'normal', signal }));
        this.starts.push(performance.now());
      }
    };
    for (let caller = 0; caller < 5; caller += 1) loop().catch(() => {});
    return this;
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
    this.#budgets.close();
  }
}

/** Starts of the last second. */
function recently(starts: readonly number[]): number {
  const since = performance.now() - 1_000;
  return starts.filter((start) => start >= since).length;
}

const patience = { timeout: 15_000, interval: 50 };
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
    for (const sharer of all) await vi.waitFor(() => expect(sharer.events).toContain('redis_lost'), patience);
    const diedAt = performance.now();
    await vi.waitFor(() => expect(performance.now() - diedAt).toBeGreaterThan(1_500), patience);
    expect(recently(starts)).toBeGreaterThan(share);
    expect(recently(starts)).toBeLessThanOrEqual(ratePerSecond);

    await server.start();
    for (const sharer of all)
      await vi.waitFor(() => expect(sharer.events.at(-1)).toBe('redis_back'), patience);
    second[Symbol.dispose]();
    third[Symbol.dispose]();
    const presence = new Sharer(server, 3, []);
    const presenceToo = new Sharer(server, 3, []);
    await vi.waitFor(() => expect(recently(starts)).toBeGreaterThan(share * 2), patience);
    presence[Symbol.dispose]();
    presenceToo[Symbol.dispose]();
    // Timers of a busy machine fire late and move starts together; one share used twice would make it a third more.
    expect(mostInWindow(starts, 1_000)).toBeLessThanOrEqual(ratePerSecond * 1.1);
  }, 40_000);

  it.concurrent('notices a Redis that hangs', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const starts: number[] = [];
    using only = new Sharer(server, 1, starts).run();
    const admin = server.client();
    await vi.waitFor(
      async () => expect(await admin.keys('*new-sessions_settings')).toHaveLength(1),
      patience,
    );
    server.freeze();
    await vi.waitFor(() => expect(only.events).toEqual(['redis_lost']), patience);
    const before = starts.length;
    await vi.waitFor(() => expect(starts.length).toBeGreaterThan(before + 10), patience);
    server.thaw();
    await vi.waitFor(() => expect(only.events).toEqual(['redis_lost', 'redis_back']), patience);
  }, 30_000);

  it.concurrent('survives that Redis forgets everything', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const starts: number[] = [];
    using only = new Sharer(server, 1, starts).run();
    const admin = server.client();
    await vi.waitFor(
      async () => expect(await admin.keys('*new-sessions_settings')).toHaveLength(1),
      patience,
    );
    for (let round = 0; round < 5; round += 1) {
      await admin.flushall();
      const before = starts.length;
      await vi.waitFor(() => expect(starts.length).toBeGreaterThan(before + 5), patience);
    }
    expect(only.events).toEqual([]);
  }, 30_000);

  it.concurrent('begins with the own share when Redis is not there', async () => {
    await using server = await RedisServer.create();
    const starts: number[] = [];
    using only = new Sharer(server, 3, starts).run();
    await vi.waitFor(() => expect(starts.length).toBeGreaterThan(share), patience);
    expect(mostInWindow(starts, 1_000)).toBeLessThanOrEqual(share);
    expect(only.events).toEqual(['redis_lost']);
    await server.start();
    await vi.waitFor(() => expect(only.events).toEqual(['redis_lost', 'redis_back']), patience);
  }, 30_000);

  it.concurrent('says goodbye, and leaves no connection and no listener behind', async () => {
    await using server = await RedisServer.create();
    await server.start();
    const admin = server.client();
    const sharer = new Sharer(server, 1, []).run();
    await vi.waitFor(async () => expect(await admin.keys('*processes')).toHaveLength(1), patience);
    await vi.waitFor(() => expect(sharer.starts.length).toBeGreaterThan(60), patience);
    expect(((await admin.client('LIST')) as string).trim().split('\n').length).toBeGreaterThan(2);
    sharer[Symbol.dispose]();
    await vi.waitFor(async () => {
      expect(await admin.keys('*processes')).toEqual([]);
      expect(((await admin.client('LIST')) as string).trim().split('\n')).toHaveLength(1);
    }, patience);
  }, 30_000);
});
