import { expect, it } from 'vitest';
import { nameAt } from './name-at.ts';

function read(name: string): string {
  const bytes = Buffer.from(`"${name}"`);
  const read = nameAt(bytes, 1, bytes.length - 1);
  // What is kept is not what may change.
  bytes.fill(0x78);
  return read;
}

it('reads names, again and again, whichever others share their place', () => {
  const names = [
    '',
    'a',
    'ab',
    'abc',
    'adc',
    'index',
    'indux',
    'delta',
    'ä',
    '😀',
    'x'.repeat(32),
    'x'.repeat(33),
  ];
  // One of these takes the place of the other.
  const rivals = ['a1b', 'a2b', 'a3b'];
  for (const name of [...names, ...rivals, ...names, ...rivals.toReversed()]) expect(read(name)).toBe(name);
});
