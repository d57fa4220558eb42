import { parseRolloutConfig } from '@art/protocol';
import { expect, it } from 'vitest';
import { readPromptNames, promptReader } from './prompt-reader.ts';

const withPrompts = (prompts: Record<string, string>) =>
  promptReader(parseRolloutConfig({ _rollout: { prompts } }));

it('gives the text in the code, and keeps nothing, where no prompt is replaced', () => {
  for (const read of [promptReader(undefined), promptReader(parseRolloutConfig({ _rollout: {} }))]) {
    expect([read('system', 'first'), read('system', 'second')]).toEqual(['first', 'second']);
    expect(readPromptNames(read)).toBeUndefined();
  }
});

it('gives the text of the rollout, and knows what was asked for', () => {
  const read = withPrompts({ system: 'replaced', idle: 'nobody asks' });
  expect([read('system', 'default'), read('user', 'as it is'), read('toString', 'own')]).toEqual([
    'replaced',
    'as it is',
    'own',
  ]);
  expect(readPromptNames(read)).toEqual({ system: 'default', user: 'as it is', toString: 'own' });
  expect(readPromptNames(withPrompts({}))).toEqual({});
});

it('refuses what is no prompt, and one that is not constant', () => {
  const read = withPrompts({});
  for (const [name, text] of [
    ['', 'text'],
    ['system', 5],
  ] as [string, string][])
    expect(() => read(name, text)).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION' }) as Error);
  read('system', 'Answer task 1.');
  expect(() => read('system', 'Answer task 2.')).toThrow('the same text each time');
});
