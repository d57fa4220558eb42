import { expect, it } from 'vitest';
import { nextRedisShareState, presenceMs, type RedisShareState } from './redis-share-state.ts';

const rules = { processes: 3, presumeDeadAfterMs: 60_000 };
const alone: RedisShareState = { kind: 'alone' };
const joining: RedisShareState = { kind: 'joining', sinceMs: 1_000 };
const shared: RedisShareState = { kind: 'shared' };
const answered = (present: number, vanished = 0) => ({ kind: 'answered', present, vanished }) as const;

it('tells the first connection from a return', () => {
  const connecting: RedisShareState = { kind: 'connecting' };
  expect(nextRedisShareState(connecting, answered(1), rules, 1_000)).toEqual(joining);
  expect(nextRedisShareState(connecting, { kind: 'lost' }, rules, 0)).toEqual(alone);
});

it('keeps to its own share until everybody asks Redis', () => {
  expect(nextRedisShareState(alone, answered(3), rules, 1_000)).toEqual(joining);
  expect(nextRedisShareState(joining, answered(2), rules, 50_000)).toBe(joining);
  expect(nextRedisShareState(joining, answered(3), rules, 1_000 + presenceMs)).toEqual(shared);
});

it('does not take presence from before the break for a return', () => {
  expect(nextRedisShareState(joining, answered(3), rules, 1_000 + presenceMs - 1)).toBe(joining);
});

it('leaves its share to a process that vanished, until that is presumed dead', () => {
  const back = nextRedisShareState(shared, answered(2, 1), rules, 1_000);
  expect(back).toEqual(joining);
  expect(nextRedisShareState(back, answered(2, 1), rules, 60_999)).toBe(back);
  expect(nextRedisShareState(back, answered(2, 0), rules, 61_000)).toEqual(shared);
});

it('does not wait for a process that said goodbye', () => {
  expect(nextRedisShareState(shared, answered(2, 0), rules, 1_000)).toBe(shared);
});

it('is alone when Redis is lost', () => {
  for (const state of [joining, shared])
    expect(nextRedisShareState(state, { kind: 'lost' }, rules, 0)).toEqual(alone);
  expect(nextRedisShareState(alone, { kind: 'lost' }, rules, 0)).toBe(alone);
});
