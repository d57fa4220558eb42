import { expect, it } from 'vitest';
import { tells } from './tells.ts';

it.each<[string, string, boolean]>([
  ['You get $64.90.', '64.90', true],
  ['You get 64.9 dollars', '64.90', true],
  ['You get $164.90', '64.90', false],
  ['You get $64.901', '64.90', false],
  ['It is $1,064.90', '1064.90', true],
  ['It comes on March 26, I hope', '26 March|March 26', true],
  ['on the 26th', '26 March|March 26', false],
  ['9 PINE\nROAD', 'Pine Road', true],
])('%j tells %s: %s', (text, fact, isTold) => {
  expect(tells(text, fact)).toBe(isTold);
});
