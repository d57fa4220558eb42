import { expect, it } from 'vitest';
import { addedText } from './session-files.ts';

it.each([
  ['a line at the end', 'id-1\n', 'id-1\nid-2\n', 'id-2\n'],
  ['a line that was there', 'id-1\n', 'id-1\nid-1\n', 'id-1\n'],
  ['an element', '["id11"]', '["id11","id12"]', ',"id12"'],
  ['a file that is new', '', 'id-1', 'id-1'],
  ['a file that is written again', '{"id":"abc1"}', '{"id":"abc1"}', '{"id":"abc1"}'],
  ['another text, which is longer', 'one', 'two words', 'two words'],
])('knows what a session has added: %s', (_, former, text, added) => {
  expect(addedText(former, text)).toBe(added);
});
