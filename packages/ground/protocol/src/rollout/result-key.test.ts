import { describe, expect, it } from 'vitest';
import { buildResultKey } from './result-key.ts';

const sessionId = 'a856c62e-0000-4000-8000-000000000001';
const invalid = expect.objectContaining({ code: 'ART_INVALID_RESULT_KEY' }) as Error;

describe('buildResultKey', () => {
  it('interpolates the parts as the Python app does', () => {
    expect(buildResultKey({ expId: 'exp1', inputId: 'in1', sessionId })).toBe(`exp1/in1/${sessionId}.json`);
    expect(buildResultKey({ expId: 'run/step-1', inputId: 'gsm8k/test/7', sessionId })).toBe(
      `run/step-1/gsm8k/test/7/${sessionId}.json`,
    );
    expect(buildResultKey({ expId: 'é 中 &+%', inputId: 'a..b', sessionId })).toBe(
      `é 中 &+%/a..b/${sessionId}.json`,
    );
  });

  it.each([
    ['expId', ''],
    ['inputId', ''],
    ['sessionId', ''],
    ['expId', '..'],
    ['inputId', 'a/../b'],
    ['inputId', './a'],
    ['expId', '/a'],
    ['expId', 'a/'],
    ['inputId', 'a//b'],
    ['inputId', 'a\nb'],
    ['inputId', 'a\u0000'],
    ['inputId', '\u007f'],
    ['inputId', '\ud800'],
    ['sessionId', 'a/b'],
    ['inputId', 5],
  ])('refuses %s = %j', (part, value) => {
    const parts = { expId: 'e', inputId: 'i', sessionId, [part]: value };
    expect(() => buildResultKey(parts)).toThrowError(invalid);
  });

  it('counts the 1,024 bytes in UTF-8', () => {
    const room = 1_024 - `e//${sessionId}.json`.length;
    expect(buildResultKey({ expId: 'e', inputId: 'x'.repeat(room), sessionId })).toHaveLength(1_024);
    expect(() => buildResultKey({ expId: 'e', inputId: 'x'.repeat(room + 1), sessionId })).toThrowError(
      /1025/,
    );
    expect(() => buildResultKey({ expId: 'e', inputId: 'é'.repeat(room), sessionId })).toThrowError(invalid);
  });
});
