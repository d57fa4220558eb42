import { describe, expect, it } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';
import { secretNames } from './secret-names.ts';

function redacted(value: unknown, leaveOut?: (name: string) => void) {
  const found: string[] = [];
  const add = (text: string): void => void found.push(text);
  const context = { names: secretNames(), found: { add, addUserInfo: add, addParameter: add }, leaveOut };
  return { value: redactSecrets(value, context), found };
}

describe('redactSecrets', () => {
  it.each([
    'sk-proj-abcdefghijklmnop1234',
    'sk-ant-api03-Ab1_Cd2-abcdefghijklmnop1234-xY',
    'rk_live_abcdefghijkl5678',
    'AKIAABCDEFGHIJKLMNOP',
    'ghp_abcdefghijklmnopqrstuv',
    'github_pat_abcdefghijklmnopqrstuv',
    'glpat-abcdefghijklmnopqrst',
    'xoxb-1234567890-abc',
    `AIza${'Sy'.repeat(17)}`,
    'hf_abcdefghijklmnopqrstuv',
    'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
    'dXNlcjpwdw==',
  ])('takes out %s, which a service gave', (key) => {
    const scheme = key.endsWith('==') ? 'Basic' : 'with';
    expect(redacted(`Call it ${scheme} ${key}, please.`)).toEqual({
      value: `Call it ${scheme} [redacted], please.`,
      found: [key],
    });
  });

  it.each([
    'Basic arithmetic is enough.',
    'Use sk-learn-pipelines here.',
    'The run sk-learn-experiment-2024 is new.',
    'A task-sk-1 of eyJ.',
  ])('leaves "%s" alone', (text) => expect(redacted(text)).toEqual({ value: text, found: [] }));

  it('leaves members under the names of secrets out where it is asked to', () => {
    const left: string[] = [];
    const given = {
      keywords: ['a'],
      api_key: 'k',
      openaiKey: 'o',
      token: 5,
      nested: [{ password: { x: 'y' } }],
      secret: null,
    };
    const { value } = redacted(given, (name) => left.push(name));
    expect(value).toEqual({ keywords: ['a'], token: 5, nested: [{}], secret: null });
    expect(left).toEqual(['api_key', 'openaiKey', 'password']);
  });
});
