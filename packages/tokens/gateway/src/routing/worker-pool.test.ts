import { describe, expect, it } from 'vitest';
import { LiveSession } from '../sessions/live-session.ts';
import { WorkerPool } from './worker-pool.ts';
import type { Worker, WorkerOptions } from './worker.ts';

function poolOf(...workers: Partial<WorkerOptions>[]): { pool: WorkerPool; workers: Worker[] } {
  const pool = new WorkerPool();
  return {
    pool,
    workers: workers.map((worker, index) => pool.add(`w${index}`, { url: `http://w${index}`, ...worker })),
  };
}

interface Place {
  worker: Worker | undefined;
}

const place = (): Place => ({ worker: undefined });
const acquire = (pool: WorkerPool, session?: Place, model?: string): Worker =>
  pool.acquire({ session, model });

describe('WorkerPool', () => {
  it('gives a new session the least loaded worker and keeps it there', () => {
    const { pool, workers } = poolOf({}, {});
    const [one, two] = workers as [Worker, Worker];
    one.activeCalls = 5;
    two.activeCalls = 2;
    const session = place();
    expect(acquire(pool, session)).toBe(two);
    two.activeCalls = 100;
    expect(acquire(pool, session)).toBe(two);
    expect(acquire(pool)).toBe(one);
    expect(two.activeCalls).toBe(101);
    pool.release(two);
    expect(two.activeCalls).toBe(100);
  });

  it('spreads sessions that come one by one, by weight', () => {
    const { pool, workers } = poolOf({ weight: 3 }, { weight: 1 });
    const counts = new Map(workers.map((worker) => [worker, 0]));
    for (let index = 0; index < 40; index += 1) {
      const worker = acquire(pool, new LiveSession({ sessionId: `s${index}` }));
      counts.set(worker, counts.get(worker)! + 1);
      pool.release(worker);
    }
    expect([...counts.values()]).toEqual([30, 10]);
  });

  it('moves only the sessions of a worker that is removed or dead', () => {
    const { pool, workers } = poolOf({}, {}, {});
    const sessions = Array.from({ length: 30 }, place);
    const before = new Map(sessions.map((session) => [session, acquire(pool, session)]));
    pool.remove('w0');
    pool.add('w3', { url: 'http://w3' });
    for (const session of sessions) {
      const now = acquire(pool, session);
      if (before.get(session) === workers[0]) expect(now).not.toBe(workers[0]);
      else expect(now).toBe(before.get(session));
    }
    workers[1]!.health = { kind: 'dead' };
    for (const session of sessions) expect(acquire(pool, session)).not.toBe(workers[1]);
  });

  it('has nobody without healthy workers', () => {
    const { pool, workers } = poolOf();
    const nobody = expect.objectContaining({
      code: 'ART_ENGINE_NO_WORKER',
      message: expect.stringContaining('No healthy workers available') as string,
    });
    expect(() => acquire(pool)).toThrow(nobody as Error);
    expect(workers).toEqual([]);
    const dead = poolOf({});
    dead.workers[0]!.health = { kind: 'dead' };
    expect(() => acquire(dead.pool)).toThrow(nobody as Error);
  });

  it('sends a model to the workers that name it, any other to those that name none', () => {
    const { pool, workers } = poolOf({ modelName: 'a' }, { modelName: 'b' }, {});
    const session = place();
    expect(acquire(pool, session, 'a')).toBe(workers[0]);
    expect(acquire(pool, session, 'b')).toBe(workers[1]);
    expect(acquire(pool, session, 'c')).toBe(workers[2]);
    expect(acquire(pool, session)).toBe(workers[2]);
    workers[0]!.health = { kind: 'dead' };
    expect(() => acquire(pool, session, 'a')).toThrow('for the model "a"');
    const named = poolOf({ modelName: 'a' });
    expect(acquire(named.pool, place(), 'alias')).toBe(named.workers[0]);
  });

  it('takes a URL once, whatever the ids', () => {
    const { pool, workers } = poolOf({});
    expect(pool.add('other', { url: 'http://w0/v1' })).toBe(workers[0]);
    expect(pool.list()).toHaveLength(1);
    expect(pool.remove('other')).toBe(true);
    expect(pool.remove('w0')).toBe(false);
  });
});
