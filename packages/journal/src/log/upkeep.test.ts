import { expect, it } from 'vitest';
import { ManualClock } from '@art/async/testing';
import { Upkeep } from './upkeep.ts';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

function start(until = new AbortController().signal) {
  const clock = new ManualClock();
  let rounds = 0;
  let round = Promise.withResolvers<void>();
  const upkeep = new Upkeep({
    clock,
    intervalMs: 100,
    work: () => {
      rounds += 1;
      round = Promise.withResolvers();
      return round.promise;
    },
    until,
  });
  const end = async (): Promise<void> => {
    round.resolve();
    await turns();
  };
  return { clock, upkeep, end, rounds: () => rounds };
}

it('does one round at a time, and rests in between', async () => {
  const { clock, upkeep, end, rounds } = start();
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
  await upkeep.stop();
  expect(clock.timers).toBe(0);
});

it('waits for the round that is under way when it is stopped, and begins no other', async () => {
  const { clock, upkeep, end, rounds } = start();
  clock.advance(100);
  let isStopped = false;
  const stopped = upkeep.stop().then(() => (isStopped = true));
  await turns();
  expect(isStopped).toBe(false);
  await end();
  await stopped;
  expect([clock.timers, rounds()]).toEqual([0, 1]);
});

it('ends by itself with its signal', async () => {
  const ended = new AbortController();
  const { clock, end } = start(ended.signal);
  clock.advance(100);
  ended.abort();
  await end();
  expect(clock.timers).toBe(0);
});
