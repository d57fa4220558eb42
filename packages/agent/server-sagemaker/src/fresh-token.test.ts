import type { Clock } from '@art/ground';
import { ManualClock } from '@art/ground/testing';
import { expect, it } from 'vitest';
import { FreshToken } from './fresh-token.ts';

function counting(fails = 0) {
  const asked: object[] = [];
  const provider = async (options: object = {}) => {
    asked.push(options);
    if (asked.length <= fails) throw new Error('no credentials');
    return { accessKeyId: `key${asked.length}`, secretAccessKey: 's' };
  };
  return { asked, provider };
}

it('is signed anew after five minutes', async () => {
  const clock = new ManualClock();
  const { asked, provider } = counting();
  const token = new FreshToken(provider, 'us-west-2', clock);
  const [first, same] = await Promise.all([token.get(), token.get()]);
  expect(same).toBe(first);
  clock.advance(299_999);
  expect(await token.get()).toBe(first);
  clock.advance(1);
  expect(await token.get()).not.toBe(first);
  expect(asked).toEqual([{}, {}]);
});

it.each([
  ['the process was restored from a snapshot: the monotonic clock stood still', 3_600_000],
  ['the wall clock was set back', -3_600_000],
])('is signed anew where %s', async (_name, byMs) => {
  const clock = new ManualClock();
  let movedMs = 0;
  const moved: Clock = {
    nowMs: () => clock.nowMs(),
    epochMs: () => clock.epochMs() + movedMs,
    after: (delayMs, callback) => clock.after(delayMs, callback),
  };
  const { asked, provider } = counting();
  const token = new FreshToken(provider, 'us-west-2', moved);
  const first = await token.get();
  movedMs = byMs;
  const second = await token.get();
  expect(second).not.toBe(first);
  expect(await token.get()).toBe(second);
  expect(asked).toHaveLength(2);
});

it('is signed anew by newer credentials when it was refused, once for all who were refused', async () => {
  const clock = new ManualClock();
  const { asked, provider } = counting();
  const token = new FreshToken(provider, 'us-west-2', clock);
  const first = await token.get();
  const [second, same] = await Promise.all([token.after(first), token.after(first)]);
  expect(second).not.toBe(first);
  expect(same).toBe(second);
  expect(asked).toEqual([{}, { forceRefresh: true }]);
});

it('keeps no failure', async () => {
  const { provider } = counting(1);
  const token = new FreshToken(provider, 'us-west-2', new ManualClock());
  await expect(token.get()).rejects.toThrow('no credentials');
  await expect(token.get()).resolves.toMatch(/^sagemaker-api-key-/);
});
