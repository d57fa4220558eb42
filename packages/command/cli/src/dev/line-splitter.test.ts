import { describe, expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

describe('LineSplitter', () => {
  it('joins lines that arrive in pieces, characters cut in two included', () => {
    const splitter = new LineSplitter();
    const bytes = Buffer.from('one\r\ntwö\n\nthr');
    const lines = Array.from(bytes, (byte) => splitter.push(Buffer.from([byte]))).flat();
    expect(lines).toEqual(['one', 'twö', '']);
    expect(splitter.push(Buffer.from('ee\nfour'))).toEqual(['three']);
    expect(splitter.flush()).toEqual(['four']);
    expect(splitter.flush()).toEqual([]);
  });

  it('does not collect a line without end', () => {
    const splitter = new LineSplitter();
    expect(splitter.push(Buffer.from('x'.repeat(200_000))).map((line) => line.length)).toEqual([
      65_536, 65_536, 65_536,
    ]);
    expect(splitter.flush()).toEqual(['x'.repeat(200_000 - 3 * 65_536)]);
  });
});
