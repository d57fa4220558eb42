import { describe, expect, it } from 'vitest';
import { groupRules } from './group-form.ts';
import { checkGroupOptions, type GroupOptions } from './group-options.ts';

const good: GroupOptions = { rolloutsPerInput: 8, maxConcurrentSessions: 4 };

describe('checkGroupOptions', () => {
  it('accepts everything that is documented', () => {
    expect(() =>
      checkGroupOptions([], {
        ...good,
        keepFirst: 6,
        minGroupSize: 3,
        maxBufferedItems: 2,
        timeoutMs: 1_000,
        retry: { lost: 0, timeout: 1, no_reward: 2 },
        fallback: { lost: 'drop', agent_error: { reward: 0 } },
        hedge: { afterMs: 10, attempts: 2 },
        rewardRule: 'sum',
        advantages: { baseline: 'mean', scale: 'sample', epsilon: 1e-8 },
      }),
    ).not.toThrow();
    for (const advantages of [
      { baseline: 'leave_one_out' },
      { credit: 'turn', discount: 0.9, turnBaseline: 'turn' },
      { credit: 'turn', baseline: 'leave_one_out', discount: 1 },
    ] as const)
      expect(() => checkGroupOptions([], { ...good, advantages })).not.toThrow();
  });

  it.each<[string, unknown]>([
    ['rolloutsPerInput', { rolloutsPerInput: undefined }],
    ['rolloutsPerInput', { rolloutsPerInput: 0 }],
    ['rolloutsPerInput', { rolloutsPerInput: 2.5 }],
    ['maxConcurrentSessions', { maxConcurrentSessions: undefined }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['keepFirst', { keepFirst: 9 }],
    ['keepFirst', { keepFirst: 0 }],
    ['minGroupSize', { minGroupSize: 9 }],
    ['minGroupSize', { keepFirst: 4, minGroupSize: 5 }],
    ['maxBufferedItems', { maxBufferedItems: 0 }],
    ['inputId', { inputId: 'x' }],
    ['sessionId', { sessionId: 'x' }],
    ['overrides', { overrides: {} }],
    ['onProgress', { onProgress: true }],
    ['retry', { retry: 'lost' }],
    ['retry.lost', { retry: { lost: -1 } }],
    ['fallback', { fallback: 'drop' }],
    ['fallback.lost', { fallback: { lost: { reward: 0 } } }],
    ['fallback.timeout', { fallback: { timeout: 'zero' } }],
    ['fallback.agent_error', { fallback: { agent_error: { reward: Number.NaN } } }],
    ['fallback.agent_error', { fallback: { agent_error: null } }],
    ['hedge.afterMs', { hedge: {} }],
    ['hedge.attempts', { hedge: { afterMs: 1, attempts: 0 } }],
    ['rewardRule', { rewardRule: 'first' }],
    ['advantages', { advantages: 'mean' }],
    ['advantages.baseline', { advantages: { baseline: 'median' } }],
    ['advantages.scale', { advantages: { scale: 'std' } }],
    ['advantages.epsilon', { advantages: { epsilon: -1 } }],
    ['advantages.scale', { advantages: { baseline: 'leave_one_out', scale: 'sample' } }],
    ['advantages.credit', { advantages: { credit: 'token' } }],
    ['advantages.discount', { advantages: { credit: 'turn', discount: 0 } }],
    ['advantages.discount', { advantages: { discount: 0.5 } }],
    [
      'advantages.turnBaseline',
      { advantages: { credit: 'turn', baseline: 'leave_one_out', turnBaseline: 'turn' } },
    ],
  ])('refuses a wrong %s: %j', (name, wrong) => {
    expect(() => checkGroupOptions([], { ...good, ...(wrong as object) })).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(`Expected \`${name}\` `) as string,
      }) as Error,
    );
  });

  it.each([
    [
      { retry: { agentError: 1 } },
      'options of retry` to be known ones, got "agentError". Did you mean agent_error?',
    ],
    [{ advantages: { base_line: 'mean' } }, 'got "base_line". Did you mean baseline?'],
    [{ maxBufferedGroups: 4 }, 'got "maxBufferedGroups". Did you mean maxBufferedItems?'],
    [{ policy: {} }, 'options of a run of groups` to be known ones, got "policy". There are '],
  ])('refuses a name that does not exist: %j', (wrong, words) => {
    expect(() => checkGroupOptions([], { ...good, ...(wrong as object) })).toThrow(words);
  });

  it.each([undefined, 5, 'text', { a: 1 }])('refuses %j as inputs', (inputs) => {
    expect(() => checkGroupOptions(inputs, good)).toThrow(/`inputs` /);
  });

  it('refuses missing options', () => {
    expect(() => checkGroupOptions([], undefined as never)).toThrow(/`maxConcurrentSessions` /);
  });
});

describe('groupRules', () => {
  it('asks for every rollout, and for two rewards at least', () => {
    expect(groupRules(good)).toMatchObject({ size: 8, targetSize: 8, minSize: 2 });
    expect(groupRules({ ...good, keepFirst: 6 })).toMatchObject({ size: 8, targetSize: 6 });
    expect(groupRules({ ...good, rolloutsPerInput: 1 })).toMatchObject({ minSize: 1 });
  });
});
