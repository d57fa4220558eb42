import { expect, it } from 'vitest';
import { mayHave } from './may-have.ts';

const line = (value: unknown): string => JSON.stringify({ messages: [{ content: value }] });

it.each<[string, unknown, boolean]>([
  ['refund', 'The Refund is due', true],
  ['refund', 'nothing', false],
  ['a refund\n', 'the refund', true],
  // In arguments of a tool, which are JSON in a text, and are laid out anew.
  ['"amount": 12', '{"amount":12}', true],
  ['"amount": 12', '{"other":12}', false],
  // Numbers can be written in several ways, and no word is no reason to leave a line out.
  ['1000', '{"x":1e3}', true],
  ['é!', 'e', true],
  // Escapes of letters that some writers make.
  ['refund', '{"x":"\\u0072efund"}', true],
])('%j may stand in %j: %s', (text, value, may) => {
  expect(mayHave(text)(line(value))).toBe(may);
});
