import fc from 'fast-check';
import { expect, it } from 'vitest';

import { StopTextGuard, withoutStopText, withoutStopToken } from './turn-text.ts';

it('gives out everything before a stop text, in whatever pieces it comes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', '\n'), { maxLength: 12 }),
      fc.constantFrom(['aab'], ['ab\n', 'bb'], []),
      (pieces, stops) => {
        const text = pieces.join('');
        const first = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
        const guard = new StopTextGuard(stops);
        const given = pieces.map((piece) => guard.push(piece)).join('');
        // Nothing of a stop text is out, whether or not the engine stopped at it.
        expect(text.startsWith(given)).toBe(true);
        if (first.length > 0) expect(given.length).toBeLessThanOrEqual(Math.min(...first));
        expect(given + guard.finish(undefined)).toBe(text);
      },
    ),
  );
});

it('takes the stop text off the end only where it stopped the answer', () => {
  const guard = new StopTextGuard(['END']);
  expect(guard.push('one EN')).toBe('one ');
  expect(guard.push('D')).toBe('');
  expect(guard.finish({ reason: 'stop', matched: 'END' })).toBe('');
  expect(withoutStopText('one END', { reason: 'stop', matched: 'END' })).toBe('one ');
  expect(withoutStopText('one END', { reason: 'length' })).toBe('one END');
});

it('drops the token that ended the answer and no other', () => {
  const stops = new Set([9]);
  expect(withoutStopToken([1, 9, 9], undefined, stops)).toEqual(Int32Array.of(1, 9));
  expect(withoutStopToken([1, 7], { reason: 'stop', matched: 7 }, stops)).toEqual(Int32Array.of(1));
  expect(withoutStopToken([1, 7], { reason: 'length' }, stops)).toEqual(Int32Array.of(1, 7));
  expect(withoutStopToken([], undefined, stops)).toEqual(Int32Array.of());
});
