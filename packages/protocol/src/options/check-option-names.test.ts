import { describe, expect, it } from 'vitest';
import { checkOptionNames, optionNames } from './check-option-names.ts';

interface Options {
  baseUrl?: string;
  maxConcurrentSessions?: number;
  signal?: AbortSignal;
}
const names = optionNames<Options>({ baseUrl: true, maxConcurrentSessions: true, signal: true });
const check = (options: object): void => checkOptionNames('RolloutClient', options, names);

describe('checkOptionNames', () => {
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
    expect(() => check({ [given]: 1 })).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: `Expected \`options of RolloutClient\` to be known ones, got "${given}". Did you mean ${meant}?`,
      }) as Error,
    );
  });

  it.each(['retries', 'x', 'at'])('says what there is where %s is like none of them', (given) => {
    expect(() => check({ [given]: 1 })).toThrow(/There are baseUrl, maxConcurrentSessions, signal\.$/);
  });

  it('takes known names, and what is undefined', () => {
    expect(() => check({ baseUrl: 'x', signal: undefined, other: undefined })).not.toThrow();
  });
});
