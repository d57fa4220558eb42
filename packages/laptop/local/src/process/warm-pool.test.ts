import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentProcess } from './start-agent-process.ts';
import { WarmPool } from './warm-pool.ts';

interface FakeStart {
  signal: AbortSignal;
  succeed(): FakeAgent;
  fail(message: string): void;
}

interface FakeAgent {
  agent: AgentProcess;
  stopped: boolean;
  die(): void;
}

function fakeAgent(): FakeAgent {
  const exited = Promise.withResolvers<{ code: number; signal: null }>();
  const fake: FakeAgent = {
    stopped: false,
    die: () => exited.resolve({ code: 1, signal: null }),
    agent: {
      port: 1,
      log: { discard: () => {} },
      process: {
        exited: exited.promise,
        stop: async () => {
          fake.stopped = true;
        },
      },
    } as unknown as AgentProcess,
  };
  return fake;
}

function makePool(size: number): { pool: WarmPool; starts: FakeStart[] } {
  const starts: FakeStart[] = [];
  const pool = new WarmPool({
    size,
    stopGraceMs: 1,
    start: (signal) => {
      const started = Promise.withResolvers<AgentProcess>();
      signal.addEventListener('abort', () => started.reject(signal.reason));
      starts.push({
        signal,
        succeed: () => {
          const fake = fakeAgent();
          started.resolve(fake.agent);
          return fake;
        },
        fail: (message) => started.reject(new Error(message)),
      });
      return started.promise;
    },
  });
  return { pool, starts };
}

const never = new AbortController().signal;
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('WarmPool', () => {
  it('starts on demand only when it has no size', async () => {
    const { pool, starts } = makePool(0);
    pool.topUp();
    expect(starts).toHaveLength(0);
    const taken = pool.take(never);
    const fake = starts[0]!.succeed();
    expect(await taken).toEqual({ agent: fake.agent, warm: false });
    expect(starts).toHaveLength(1);
  });

  it('hands out what is ready and starts a replacement', async () => {
    const { pool, starts } = makePool(2);
    pool.topUp();
    expect(starts).toHaveLength(2);
    const first = starts[0]!.succeed();
    await settle();
    expect(pool.readyCount).toBe(1);
    expect(await pool.take(never)).toEqual({ agent: first.agent, warm: true });
    expect(starts).toHaveLength(3);
  });

  it('gives a start that was meant for the pool to whoever waits', async () => {
    const { pool, starts } = makePool(1);
    pool.topUp();
    const taken = pool.take(never);
    const fake = starts[0]!.succeed();
    expect(await taken).toEqual({ agent: fake.agent, warm: false });
  });

  it('tells the one who waits why a start failed', async () => {
    const { pool, starts } = makePool(0);
    const taken = pool.take(never);
    starts[0]!.fail('no model');
    await expect(taken).rejects.toThrow('no model');
  });

  it('waits longer after each failure that nobody asked for, and recovers', async () => {
    const { pool, starts } = makePool(1);
    pool.topUp();
    for (const pauseMs of [500, 1_000, 2_000]) {
      const before = starts.length;
      starts.at(-1)!.fail('broken');
      await vi.advanceTimersByTimeAsync(pauseMs - 1);
      expect(starts).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(starts).toHaveLength(before + 1);
    }
    starts.at(-1)!.succeed();
    await settle();
    expect(pool.readyCount).toBe(1);
  });

  it('replaces a warm process that dies', async () => {
    const { pool, starts } = makePool(1);
    pool.topUp();
    const fake = starts[0]!.succeed();
    await settle();
    fake.die();
    await vi.advanceTimersByTimeAsync(500);
    expect(pool.readyCount).toBe(0);
    expect(starts).toHaveLength(2);
  });

  it('gives up the start of somebody who has stopped waiting', async () => {
    const { pool, starts } = makePool(0);
    const impatient = new AbortController();
    const taken = pool.take(impatient.signal);
    impatient.abort(new Error('stopped'));
    await expect(taken).rejects.toThrow('stopped');
    expect(starts[0]!.signal.aborted).toBe(true);
    await settle();
    expect(starts).toHaveLength(1);
  });

  it('starts its own process for each who waits, and ends only the one that nobody wants any more', async () => {
    const { pool, starts } = makePool(0);
    const first = new AbortController();
    const one = pool.take(first.signal);
    const two = pool.take(never);
    first.abort(new Error('too late'));
    await expect(one).rejects.toThrow('too late');
    expect(starts.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    const fakeTwo = starts[1]!.succeed();
    expect((await two).agent).toBe(fakeTwo.agent);
  });

  it('hands out what is ready before what is starting, however long that has taken', async () => {
    const { pool, starts } = makePool(2);
    pool.topUp();
    const second = starts[1]!.succeed();
    await settle();
    expect(await pool.take(never)).toEqual({ agent: second.agent, warm: true });
  });

  it('ends everything on close, what is still starting included', async () => {
    const { pool, starts } = makePool(2);
    pool.topUp();
    const ready = starts[0]!.succeed();
    await settle();
    const closed = pool.close();
    expect(starts[1]!.signal.aborted).toBe(true);
    await closed;
    expect(ready.stopped).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(starts).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('replaces what nobody has taken when it is renewed, starts under way included', async () => {
    const { pool, starts } = makePool(2);
    pool.topUp();
    const old = starts[0]!.succeed();
    await settle();
    expect(pool.readyCount).toBe(1);

    pool.renew();
    await settle();
    expect(old.stopped).toBe(true);
    expect(starts[1]!.signal.aborted).toBe(true);
    expect(pool.readyCount).toBe(0);

    for (const start of starts.slice(2)) start.succeed();
    await settle();
    expect(pool.readyCount).toBe(2);
    await pool.close();
  });

  it('ends a process that becomes healthy in the very moment of the renewal', async () => {
    const { pool, starts } = makePool(1);
    pool.topUp();
    const old = starts[0]!.succeed();
    pool.renew();
    const taken = pool.take(never);
    await settle();
    expect(old.stopped).toBe(true);
    const fresh = starts[1]!.succeed();
    expect((await taken).agent).toBe(fresh.agent);
    await pool.close();
  });
});
