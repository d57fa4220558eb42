import { expect, it } from 'vitest';
import { factsIn } from './facts-in.ts';

it.each<[string, string[]]>([
  ['You get $64.90 or 24.90, of $1,064.9 in all.', ['64.90', '24.90', '1064.90']],
  ['On 24 March, the 26th of March, Mar 3rd or 2026-02-01.', ['2-1', '3-24', '3-26', '3-3']],
  ['2 items within 30 days; 04107, W1001, size 42.', []],
])('%j has %j', (text, facts) => {
  expect([...factsIn(text)].toSorted()).toEqual(facts.toSorted());
});
