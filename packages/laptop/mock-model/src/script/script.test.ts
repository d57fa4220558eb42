import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtError } from '@art/ground';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MockMessage, mockRequest } from '../mock-request.ts';
import { readScript } from './read-script.ts';
import { type MockRule, ruleScript } from './rule-script.ts';

const message = (role: MockMessage['role'], text: string): MockMessage => ({ role, text, toolCalls: [] });
const ask = (...messages: MockMessage[]) => mockRequest('chat', { messages, tools: [] }, {}, {});

describe('rules', () => {
  const reply = ruleScript([
    {
      when: '^What is (?<sum>.+)\\?$',
      turns: [
        { toolCalls: [{ name: 'calculator', arguments: { expression: '{sum}', as: ['{1}'] } }] },
        'It is {result}; {"json": {other}}',
      ],
    },
    { when: 'again', turns: ['I said {question}'] },
  ]);

  it('say their turns one after the other, with the groups of the question and what tools answered', () => {
    const question = message('user', 'What is 1 + 1?');
    expect(reply(ask(question))).toEqual({
      toolCalls: [{ name: 'calculator', arguments: { expression: '1 + 1', as: ['1 + 1'] } }],
    });
    const second = [question, message('assistant', ''), message('tool', '2')];
    expect(reply(ask(...second))).toEqual({ text: 'It is 2; {"json": {other}}' });
    // The last turn repeats itself, and a new question begins anew.
    expect(reply(ask(...second, message('assistant', '')))).toEqual({ text: 'It is 2; {"json": {other}}' });
    expect(reply(ask(...second, message('user', 'again')))).toEqual({ text: 'I said again' });
    expect(reply(ask(message('user', 'Who?')))).toBe('No rule of the script fits the question "Who?".');
  });

  it.each([
    [[], 'must not have fewer than 1 items'],
    [[{ turns: [] }], '/0/turns'],
    [[{ when: '(', turns: ['x'] }], 'no regular expression'],
    [[{ turns: [{ txt: 'x' }] }], '/0/turns/0'],
    [[{ turns: [{ error: { status: 200 } }] }], '/0/turns/0'],
  ])('%j are none', (rules, why) => {
    expect(() => ruleScript(rules as MockRule[])).toThrow(why);
  });
});

it('a script is JSON or a module', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'art-script-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const json = await readScript(write('a.json', '[{"turns":["hello"]}]'));
  expect(json(ask(message('user', 'x')))).toEqual({ text: 'hello' });
  const module = await readScript(write('b.mjs', 'export default ({ question }) => question.toUpperCase();'));
  expect(module(ask(message('user', 'x')))).toBe('X');
  for (const path of [
    write('c.json', '{'),
    write('d.mjs', 'export const reply = 1;'),
    write('e.mjs', 'throw new Error("no");'),
    join(folder, 'none.json'),
  ]) {
    await expect(readScript(path)).rejects.toSatisfy(
      (error) =>
        ArtError.isInstance(error) && error.code === 'ART_INVALID_OPTION' && error.message.includes(path),
    );
  }
});
