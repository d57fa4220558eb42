import { describe, expect, it } from 'vitest';
import { createPaint } from './paint.ts';
import { sessionPrefix } from './session-prefix.ts';

const stream = (isTTY: boolean) => ({ write: () => true, isTTY });

describe('createPaint', () => {
  it.each([
    ['a terminal', true, {}, true],
    ['a file', false, {}, false],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['a file with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['a file with both', false, { NO_COLOR: '1', FORCE_COLOR: '1' }, true],
  ])('%s', (_, isTTY, env, coloured) => {
    expect(createPaint(stream(isTTY), env)('red', 'x')).toBe(coloured ? '\u001b[31mx\u001b[39m' : 'x');
  });
});

it('a session keeps its colour, and sessions differ', () => {
  const paint = createPaint(stream(true), {});
  const ids = Array.from({ length: 20 }, (_, index) => `${index}0000000-0000-4000-8000-000000000000`);
  expect(sessionPrefix(ids[0]!, paint)).toBe(sessionPrefix(ids[0]!, paint));
  expect(new Set(ids.map((id) => sessionPrefix(id, paint).slice(0, 5))).size).toBeGreaterThan(3);
  expect(sessionPrefix(ids[0]!, (_, text) => text)).toBe('[00000000]');
});
