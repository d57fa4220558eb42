import { describe, expect, it } from 'vitest';
import { checkGroupOptions, resolveGroupRules, type GroupOptions } from './group-options.ts';

const good: GroupOptions = { rolloutsPerInput: 8, maxConcurrentSessions: 4 };

describe('checkGroupOptions', () => {
  it('accepts everything that is documented', () => {
    expect(() =>
      checkGroupOptions([], {
        ...good,
        keepFirst: 6,
        minViableSize: 3,
        maxBufferedGroups: 2,
        timeoutMs: 1_000,
        policy: {
          infrastructure: { retries: 0, fallback: 'drop' },
          timeout: { retries: 1 },
          noReward: {},
          agentError: { fallback: { reward: 0 } },
          late: { afterMs: 10, replacements: 2 },
        },
        rewardRule: 'sum',
        advantages: { baseline: 'mean', scale: 'sample', epsilon: 1e-8 },
      }),
    ).not.toThrow();
    expect(() => checkGroupOptions([], { ...good, advantages: { baseline: 'leave_one_out' } })).not.toThrow();
  });

  it.each<[string, unknown]>([
    ['rolloutsPerInput', { rolloutsPerInput: undefined }],
    ['rolloutsPerInput', { rolloutsPerInput: 0 }],
    ['rolloutsPerInput', { rolloutsPerInput: 2.5 }],
    ['maxConcurrentSessions', { maxConcurrentSessions: undefined }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['keepFirst', { keepFirst: 9 }],
    ['keepFirst', { keepFirst: 0 }],
    ['minViableSize', { minViableSize: 9 }],
    ['minViableSize', { keepFirst: 4, minViableSize: 5 }],
    ['maxBufferedGroups', { maxBufferedGroups: 0 }],
    ['inputId', { inputId: 'x' }],
    ['sessionId', { sessionId: 'x' }],
    ['overrides', { overrides: {} }],
    ['onProgress', { onProgress: true }],
    ['policy', { policy: 'retry' }],
    ['policy.infrastructure', { policy: { infrastructure: 'retry' } }],
    ['policy.infrastructure.retries', { policy: { infrastructure: { retries: -1 } } }],
    ['policy.infrastructure.fallback', { policy: { infrastructure: { fallback: { reward: 0 } } } }],
    ['policy.timeout.fallback', { policy: { timeout: { fallback: 'zero' } } }],
    ['policy.agentError.fallback', { policy: { agentError: { fallback: { reward: Number.NaN } } } }],
    ['policy.agentError.fallback', { policy: { agentError: { fallback: null } } }],
    ['policy.late.afterMs', { policy: { late: {} } }],
    ['policy.late.replacements', { policy: { late: { afterMs: 1, replacements: 0 } } }],
    ['rewardRule', { rewardRule: 'first' }],
    ['advantages', { advantages: 'mean' }],
    ['advantages.baseline', { advantages: { baseline: 'median' } }],
    ['advantages.scale', { advantages: { scale: 'std' } }],
    ['advantages.epsilon', { advantages: { epsilon: -1 } }],
    ['advantages.scale', { advantages: { baseline: 'leave_one_out', scale: 'sample' } }],
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
      { policy: { agent_error: {} } },
      'options of policy` to be known ones, got "agent_error". Did you mean agentError?',
    ],
    [
      { policy: { infrastructure: { retry: 2 } } },
      'policy.infrastructure` to be known ones, got "retry". There are retries, fallback.',
    ],
    [{ advantages: { base_line: 'mean' } }, 'got "base_line". Did you mean baseline?'],
    [{ maxBufferedItems: 4 }, 'got "maxBufferedItems". Did you mean maxBufferedGroups?'],
    [{ retry: {} }, 'options of a run of groups` to be known ones, got "retry". There are '],
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

describe('resolveGroupRules', () => {
  it('asks for every rollout, and for two rewards at least', () => {
    expect(resolveGroupRules(good)).toMatchObject({ size: 8, targetSize: 8, minViableSize: 2 });
    expect(resolveGroupRules({ ...good, keepFirst: 6 })).toMatchObject({ size: 8, targetSize: 6 });
    expect(resolveGroupRules({ ...good, rolloutsPerInput: 1 })).toMatchObject({ minViableSize: 1 });
  });
});
