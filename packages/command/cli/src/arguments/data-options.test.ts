import { Command } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { columnsOption } from './data-options.ts';

function parsed(...texts: string[]) {
  const command = new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addOption(columnsOption());
  const given = texts.flatMap((text) => ['--columns', text]);
  return command.parse(given, { from: 'user' }).opts();
}

it('names columns, in one option or several', () => {
  expect(parsed('prompt = the question,expected=answer', 'tags=a=b').columns).toEqual({
    prompt: 'the question',
    expected: 'answer',
    tags: 'a=b',
  });
});

it.each(['prompt', 'prompt=', '=question', '', 'a=b,,c=d', '__proto__=x'])('refuses %j', (text) => {
  expect(() => parsed(text)).toThrow('Expected names such as prompt=question');
});

it('refuses two columns for one name', () => {
  expect(() => parsed('prompt=a,prompt=b')).toThrow('Expected one column for "prompt", got two.');
});
