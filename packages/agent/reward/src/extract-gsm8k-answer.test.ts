import { describe, expect, it } from 'vitest';
import { extractGsm8kAnswer, gsm8kSearchedCharacters } from './extract-gsm8k-answer.ts';

describe('strict', () => {
  it.each([
    ['So she has 18.\n#### 18', '18'],
    ['#### 18 eggs', '18'],
    ['#### 18.', '18.'],
    ['#### -3', '-3'],
    ['#### 3.25', '3.25'],
    ['#### 1,234,567', '1234567'],
    ['#### $1,234.50', '1234.50'],
    ['#### -$5', '-5'],
    ['#### 5 or rather #### 6', '6'],
    ['##### 7', '7'],
    ['#### 18\n\nI hope that 100 helps.', '18'],
  ])('reads %j as %j', (text, answer) => {
    expect(extractGsm8kAnswer(text)).toBe(answer);
  });

  it.each(['', '18', '####18', '####  18', '####\n18', '### 18', '#### eighteen', '#### **18**'])(
    'finds nothing in %j',
    (text) => {
      expect(extractGsm8kAnswer(text)).toBeUndefined();
    },
  );
});

describe('flexible', () => {
  it.each([
    ['The answer is 18', '18'],
    ['It costs $1,234.50 in all', '1234.50'],
    ['She pays -3, no, 4, I think, yes.', '4'],
    ['She has 18.', '18.'],
    ['10-3', '-3'],
    ['#### 5\nChecked 6 times', '6'],
    ['18 ... and , so .', '18'],
  ])('reads %j as %j', (text, answer) => {
    expect(extractGsm8kAnswer(text, 'flexible')).toBe(answer);
  });

  it.each(['', 'none', '.', 'well, no.'])('finds nothing in %j', (text) => {
    expect(extractGsm8kAnswer(text, 'flexible')).toBeUndefined();
  });
});

describe('the end of the response', () => {
  const answer = '#### 18';

  it('is searched for its last 300 characters', () => {
    const filler = gsm8kSearchedCharacters - answer.length;
    expect(gsm8kSearchedCharacters).toBe(300);
    expect(extractGsm8kAnswer(answer + 'x'.repeat(filler))).toBe('18');
    expect(extractGsm8kAnswer(answer + 'x'.repeat(filler + 1))).toBeUndefined();
  });

  it('counts an emoji as one character', () => {
    const filler = gsm8kSearchedCharacters - answer.length;
    expect(extractGsm8kAnswer(answer + '🦆'.repeat(filler))).toBe('18');
    expect(extractGsm8kAnswer(answer + '🦆'.repeat(filler + 1))).toBeUndefined();
  });

  it('may cut a number, as the reference does', () => {
    expect(extractGsm8kAnswer(`12345${'x'.repeat(298)}`, 'flexible')).toBe('45');
  });
});
