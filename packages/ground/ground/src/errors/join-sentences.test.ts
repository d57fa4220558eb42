import { describe, expect, it } from 'vitest';
import { joinSentences } from './join-sentences.ts';

describe('joinSentences', () => {
  it.each<[(string | undefined)[], string]>([
    [['It failed', 'Try again.'], 'It failed. Try again.'],
    [['See the logs.', 'Try again'], 'See the logs. Try again.'],
    [['It said so..', ' ', undefined, 'Why?', 'Now!'], 'It said so. Why? Now!'],
    [[''], ''],
  ])('%j', (parts, text) => {
    expect(joinSentences(...parts)).toBe(text);
  });
});
