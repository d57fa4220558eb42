import { ManualClock } from '@art/ground/testing';
import { expect, it } from 'vitest';
import { createRun } from './held-run.ts';
import type { RunSegments } from './run-segments.ts';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};
const unused = (): never => {
  throw new Error('not asked of a new run');
};

async function start() {
  const clock = new ManualClock();
  let rounds = 0;
  let round = Promise.withResolvers<void>();
  const segments: RunSegments = {
    runId: 'r',
    where: 'memory',
    add: () => Promise.resolve('added'),
    writer: () =>
      Promise.resolve({
        write: () => Promise.resolve(),
        keepUp: () => {
          rounds += 1;
          round = Promise.withResolvers();
          return round.promise;
        },
        release: () => Promise.resolve(),
      }),
    last: unused,
    owner: unused,
    signOfLife: unused,
    read: unused,
  };
  const settings = { clock, leaseMs: 1_000, gatherMs: 0, lingerMs: 0, upkeepMs: 100 };
  const run = await createRun(segments, [], settings, {});
  const end = async (failure?: Error): Promise<void> => {
    if (failure === undefined) round.resolve();
    else round.reject(failure);
    await turns();
  };
  return { clock, run, end, rounds: () => rounds };
}

it('keeps up one round at a time, and rests in between', async () => {
  const { clock, run, end, rounds } = await start();
  clock.advance(99);
  expect(rounds()).toBe(0);
  clock.advance(1_000);
  expect(rounds()).toBe(1);
  await end();
  clock.advance(99);
  expect(rounds()).toBe(1);
  clock.advance(1);
  expect(rounds()).toBe(2);
  await end();
  await run.close();
  expect(clock.timers).toBe(0);
});

it('waits for the round that is under way when it is closed, and begins no other', async () => {
  const { clock, run, end, rounds } = await start();
  clock.advance(100);
  let isClosed = false;
  const closed = run.close().then(() => (isClosed = true));
  await turns();
  expect(isClosed).toBe(false);
  await end();
  await closed;
  expect([clock.timers, rounds()]).toEqual([0, 1]);
});

it('is broken by a round that fails, and begins no other', async () => {
  const { clock, run, end } = await start();
  clock.advance(100);
  await end(new Error('no space left'));
  expect(run.broken.reason).toMatchObject({ code: 'ART_JOURNAL_WRITE_FAILED' });
  expect(clock.timers).toBe(0);
});
