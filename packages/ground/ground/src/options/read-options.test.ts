import { describe, expect, expectTypeOf, it } from 'vitest';
import { aFunction, aNumber, unchecked, aText, optional, withMethod } from './option-rules.ts';
import { anObject, type OptionRules, readOptions } from './read-options.ts';

interface Options {
  baseUrl?: string;
  maxConcurrentSessions?: number | undefined;
  signal?: AbortSignal | undefined;
  random?: (() => number) | undefined;
  retry?: { attempts?: number | undefined } | undefined;
}
const rules = {
  baseUrl: optional(aText),
  maxConcurrentSessions: optional(aNumber({ min: 1, integer: true }), 16),
  signal: optional(withMethod('an AbortSignal', 'addEventListener')),
  random: optional(aFunction(), Math.random),
  retry: optional(anObject({ attempts: optional(aNumber({ min: 0 })) })),
} satisfies OptionRules<Options>;
const read = (options: unknown) => readOptions('RolloutClient', options, rules);

describe('readOptions', () => {
  it('fills in what was left out', () => {
    const options = read({ baseUrl: 'x', signal: undefined, other: undefined });
    expect(options).toEqual({ baseUrl: 'x', maxConcurrentSessions: 16, random: Math.random });
    expectTypeOf(options.maxConcurrentSessions).toEqualTypeOf<number>();
    expectTypeOf(options.random).toEqualTypeOf<() => number>();
    expectTypeOf(options.signal).toEqualTypeOf<AbortSignal | undefined>();
  });

  it('has to have a rule for every option', () => {
    // @ts-expect-error -- `b` has none
    const partial = { a: unchecked() } satisfies OptionRules<{ a?: string; b?: string }>;
    expect(readOptions('x', { a: 'x' }, partial)).toEqual({ a: 'x' });
  });

  it.each([
    ['baseURL', 'baseUrl'],
    ['base_url', 'baseUrl'],
    ['BaseUrl', 'baseUrl'],
    ['bseUrl', 'baseUrl'],
    ['max_concurrent_sessions', 'maxConcurrentSessions'],
    ['maxConcurentSession', 'maxConcurrentSessions'],
    ['signl', 'signal'],
    ['maxConcurrent', 'maxConcurrentSessions'],
  ])('refuses %s and suggests %s', (given, meant) => {
    expect(() => read({ [given]: 1 })).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: `Expected \`options of RolloutClient\` to be known ones, got "${given}". Did you mean ${meant}?`,
      }) as Error,
    );
  });

  it.each(['unlike', 'x', 'at'])('says what there is where %s is like none of them', (given) => {
    expect(() => read({ [given]: 1 })).toThrow(
      /There are baseUrl, maxConcurrentSessions, signal, random, retry\.$/,
    );
  });

  it.each([
    [undefined, '`options` to be an object, got undefined'],
    [[], '`options` to be an object'],
    [{ baseUrl: '' }, '`baseUrl` to be a non-empty string, got ""'],
    [{ retry: 3 }, '`retry` to be an object, got 3'],
    [{ retry: { attempts: -1 } }, '`retry.attempts` to be a number of at least 0, got -1'],
    [{ retry: { attemps: 1 } }, '`options of retry` to be known ones, got "attemps". Did you mean attempts?'],
  ])('refuses %j', (options, words) => {
    expect(() => read(options)).toThrow(`Expected ${words}`);
  });
});
