import { describe, expect, it } from 'vitest';
import { Redaction } from './redaction.ts';

const line = (fields: object): string => `${JSON.stringify(fields)}\n`;

describe('Redaction', () => {
  it('takes known secrets out of lines, and leaves every other line as it is', () => {
    const redaction = new Redaction();
    const clean = line({ message: 'hello', n: 1.0 });
    expect(redaction.redactLine(clean)).toBe(clean);
    redaction.add(['sk-123456']);
    expect(redaction.redactLine(clean)).toBe(clean);
    expect(
      redaction.redactLine(
        line({ message: 'sk-123456', n: { 'sk-123456': [12345678901234567890n.toString()] } }),
      ),
    ).toBe(line({ message: '[redacted]', n: { '[redacted]': ['12345678901234567890'] } }));
  });

  it('replaces values, so that a line stays JSON and keeps its fields', () => {
    const redaction = new Redaction();
    redaction.add(['nsecret', 'message', 'a"b\\c d']);
    const redacted = redaction.redactLine(line({ message: 'line\nsecret and nsecret', x: 'a"b\\c d' }));
    expect(JSON.parse(redacted)).toEqual({ message: 'line\nsecret and [redacted]', x: '[redacted]' });
  });

  it('replaces the longer of two secrets that overlap, whichever came first', () => {
    const redaction = new Redaction();
    redaction.add(['abcdef']);
    redaction.add(['abcdefghi']);
    expect(redaction.redactLine(line({ m: 'abcdefghi' }))).toBe(line({ m: '[redacted]' }));
  });

  it('cleans lines that are no JSON', () => {
    const redaction = new Redaction();
    redaction.add(['sk-123456']);
    expect(redaction.redactLine('plain sk-123456\n')).toBe('plain [redacted]\n');
  });

  it('remembers secrets of rollouts that have ended for a while, and forgets them then', () => {
    const redaction = new Redaction();
    const inUse = redaction.add(['in-use-1']);
    redaction.add(['in-use-1'])();
    redaction.add(['secret-000'])();
    expect(redaction.redactLine('secret-000')).toBe('[redacted]');
    for (let n = 1; n <= 200; n += 1) redaction.add([`secret-${String(n).padStart(3, '0')}`])();
    expect(redaction.redactLine('secret-000 secret-001 in-use-1')).toBe('secret-000 [redacted] [redacted]');
    inUse();
    inUse();
    expect(redaction.redactLine('in-use-1')).toBe('[redacted]');
  });
});
