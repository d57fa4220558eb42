import { describe, expect, it } from 'vitest';
import { deliveredResult, rolloutOutput } from './rollout-result.ts';

describe('rolloutOutput', () => {
  it.each([
    [{ reward: 0.5 }, 0.5],
    [{ rewards: 0.5 }, 0.5],
    [{ rewards: [1, 0] }, 0],
    [{ reward: 0, rewards: [1, 0] }, 0],
    [{ reward: -0, rewards: 0 }, -0],
    [{ answer: 'x' }, undefined],
    [{ reward: undefined, rewards: undefined }, undefined],
    [{ reward: 1, metrics: { turns: 2, ok: true } }, 1],
    [{ metrics: {} }, undefined],
  ])('reads the reward of %j', (value, reward) => {
    expect(rolloutOutput(value)).toEqual({ result: value, reward, problems: [] });
  });

  it.each([
    [{ reward: Number.NaN }, undefined, '$.reward, got NaN'],
    [{ reward: '1' }, undefined, '$.reward, got "1"'],
    [{ reward: true }, undefined, '$.reward, got true'],
    [{ reward: null }, undefined, 'got null. Leave it out'],
    [{ reward: null, rewards: 1 }, undefined, '$.reward, got null'],
    [{ reward: [1] }, undefined, '$.reward, got an array of 1'],
    [{ rewards: [] }, undefined, '$.rewards, got an empty list'],
    [{ rewards: 'good' }, undefined, '$.rewards, got "good"'],
    [{ rewards: [1, Infinity, 0] }, 0, '$.rewards[1], got Infinity'],
    [{ rewards: [1, '0'] }, undefined, '$.rewards[1], got "0"'],
    [{ reward: 1, rewards: [1, 0] }, 1, 'got reward 1 and rewards that end with 0'],
    [{ metrics: { turns: '2' } }, undefined, '$.metrics.turns, got "2"'],
    [{ reward: 1, metrics: { turns: Number.NaN } }, 1, '$.metrics.turns, got NaN'],
    [{ metrics: [1] }, undefined, '$.metrics, got an array of 1'],
    [{ metrics: null }, undefined, '$.metrics, got null'],
  ])('takes %j as it is, and says what trainers cannot use', (value, reward, words) => {
    const output = rolloutOutput(value);
    expect(output).toMatchObject({ result: value, reward });
    expect(output.problems).toEqual([expect.stringContaining(words)]);
  });

  it.each([[[1]], [undefined], ['text']])('refuses %j', (value) => {
    expect(() => rolloutOutput(value)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_RESULT',
        message: expect.stringMatching(/must be an object .*\{ text: 'the answer', reward: 1 \}/) as string,
      }) as Error,
    );
  });

  it('gives each wire what its readers read, and changes nothing', () => {
    const given = { rewards: [0, 1] };
    expect(deliveredResult(rolloutOutput(given), 'reward')).toEqual({ rewards: [0, 1], reward: 1 });
    expect(deliveredResult(rolloutOutput(given), 'rewards')).toBe(given);
    expect(deliveredResult(rolloutOutput({ reward: 1 }), 'rewards')).toEqual({ reward: 1, rewards: 1 });
    expect(given).toEqual({ rewards: [0, 1] });
    // Of what is no number nothing is made: Python reads a number out of the text "1".
    for (const [value, name] of [
      [{ reward: '1' }, 'rewards'],
      [{ rewards: '1' }, 'reward'],
    ] as const)
      expect(deliveredResult(rolloutOutput(value), name)).toBe(value);
  });

  it('has the prompts that were asked for, unless the handler returned some', () => {
    const prompts = { system: 'Be brief.' };
    const delivered = (value: object) => deliveredResult(rolloutOutput(value), 'reward', prompts);
    expect(delivered({ reward: 1 })).toEqual({ reward: 1, prompts });
    expect(delivered({ prompts: ['of the handler'] })).toEqual({ prompts: ['of the handler'] });
  });
});
