import { ArtError } from '@art/ground';
import { expect, it } from 'vitest';
import { normalizeReward } from './normalize-reward.ts';

it.each([[0], [1], [-2.5], [[1]], [[0, 0.5, -1]]])('keeps %j as it is', (value) => {
  expect(normalizeReward(value)).toEqual(value);
});

it('hands back its own list', () => {
  const turns = [0, 1];
  const normalized = normalizeReward(turns);
  turns[0] = Number.NaN;
  expect(normalized).toEqual([0, 1]);
});

it.each<[unknown, string]>([
  [Number.NaN, 'the reward to be a finite number, got NaN'],
  [Infinity, 'the reward to be a finite number, got Infinity'],
  ['1', 'the reward to be a finite number, got "1"'],
  [true, 'got true'],
  [null, 'got null'],
  [undefined, 'got undefined'],
  [1n, 'got 1n'],
  [{ reward: 1 }, 'got an object'],
  [new Float64Array([1]), 'got an instance of Float64Array'],
  [[], 'one number a turn, got an empty list'],
  [[1, Number.NaN, 0], 'element 1 of the reward to be a finite number, got NaN'],
  [[0, 1, null], 'element 2 of the reward to be a finite number, got null'],
  [[[1]], 'element 0 of the reward to be a finite number, got an array of 1'],
  [Array.from({ length: 3 }), 'element 0 of the reward to be a finite number, got undefined'],
])('refuses %o', (value, message) => {
  const error = catchError(() => normalizeReward(value));
  expect(error.code).toBe('ART_REWARD_INVALID');
  expect(error.message).toContain(message);
});

it('finds the hole in a sparse list', () => {
  const sparse = [1];
  sparse[2] = 3;
  expect(() => normalizeReward(sparse)).toThrow('element 1 of the reward');
});

function catchError(action: () => unknown): ArtError {
  try {
    action();
  } catch (error) {
    if (error instanceof ArtError) return error;
  }
  throw new Error('Expected an ArtError.');
}
