import { describe, expect, it } from 'vitest';
import { requireMetrics, rolloutOutput, withReward } from './rollout-result.ts';

describe('rolloutOutput', () => {
  it.each([
    [{ reward: 0.5 }, 0.5],
    [{ rewards: 0.5 }, 0.5],
    [{ rewards: [1, 0] }, 0],
    [{ reward: 0, rewards: [1, 0] }, 0],
    [{ reward: -0, rewards: 0 }, -0],
    [{ answer: 'x' }, undefined],
    [{ reward: undefined, rewards: undefined }, undefined],
    [{ reward: 1, metrics: { note: 'x' } }, 1],
  ])('reads the reward of %j', (value, reward) => {
    expect(rolloutOutput(value)).toEqual({ result: value, reward });
  });

  it.each([
    [{ reward: Number.NaN }, 'ART_REWARD_INVALID', '$.reward, got NaN'],
    [{ reward: '1' }, 'ART_REWARD_INVALID', '$.reward, got "1"'],
    [{ reward: true }, 'ART_REWARD_INVALID', '$.reward, got true'],
    [{ reward: null }, 'ART_REWARD_INVALID', 'got null. Leave it out'],
    [{ reward: [1] }, 'ART_REWARD_INVALID', '$.reward, got an array of 1'],
    [{ rewards: [] }, 'ART_REWARD_INVALID', '$.rewards, got an empty list'],
    [{ rewards: 'good' }, 'ART_REWARD_INVALID', '$.rewards, got "good"'],
    [{ rewards: [1, Infinity, 0] }, 'ART_REWARD_INVALID', '$.rewards[1], got Infinity'],
    [{ reward: 1, rewards: [1, 0] }, 'ART_REWARD_INVALID', 'got reward 1 and rewards that end with 0'],
    [[1], 'ART_INVALID_RESULT', 'must be an object'],
    [undefined, 'ART_INVALID_RESULT', 'must be an object'],
  ])('refuses %j', (value, code, words) => {
    expect(() => rolloutOutput(value)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) as string }) as Error,
    );
  });

  it('gives each wire what its readers read, and changes nothing', () => {
    const given = { rewards: [0, 1] };
    expect(withReward(rolloutOutput(given), 'reward')).toEqual({ rewards: [0, 1], reward: 1 });
    expect(withReward(rolloutOutput(given), 'rewards')).toBe(given);
    expect(withReward(rolloutOutput({ reward: 1 }), 'rewards')).toEqual({ reward: 1, rewards: 1 });
    expect(given).toEqual({ rewards: [0, 1] });
  });
});

describe('requireMetrics', () => {
  it.each([[{}], [{ metrics: {} }], [{ metrics: { turns: 2, ok: true } }]])('takes %j', (value) => {
    expect(() => requireMetrics(rolloutOutput(value))).not.toThrow();
  });

  it.each([
    [{ metrics: { turns: '2' } }, '$.metrics.turns, got "2"'],
    [{ metrics: { turns: Number.NaN } }, '$.metrics.turns, got NaN'],
    [{ metrics: [1] }, '$.metrics, got an array of 1'],
    [{ metrics: null }, '$.metrics, got null'],
  ])('refuses %j', (value, words) => {
    expect(() => requireMetrics(rolloutOutput(value))).toThrow(
      expect.objectContaining({
        code: 'ART_REWARD_INVALID',
        message: expect.stringContaining(words) as string,
      }) as Error,
    );
  });
});
