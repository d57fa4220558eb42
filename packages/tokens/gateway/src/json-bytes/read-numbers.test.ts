import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from './json-scanner.ts';
import { readNumber, readNumbers } from './read-numbers.ts';

function read(text: string): number {
  const scanner = new JsonScanner(Buffer.from(text));
  const value = readNumber(scanner);
  scanner.finish();
  return value;
}

describe('readNumber', () => {
  it('reads every double to the bit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(read(JSON.stringify(value)), Object.is(value, -0) ? 0 : value)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads what 32-bit logprobs look like to the bit', () => {
    fc.assert(
      fc.property(fc.float({ min: -50, max: 0, noNaN: true }), (value) => {
        expect(read(`${value}`)).toBe(value + 0);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['-0.0', -0],
    ['1.0', 1],
    ['-9999.0', -9999],
    ['-1e-07', -1e-7],
    ['0.30000000000000004', 0.30000000000000004],
    ['9007199254740993', 9007199254740992],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['NaN', Number.NaN],
    ['null', Number.NaN],
    ['true', Number.NaN],
    ['"1"', Number.NaN],
    ['[1]', Number.NaN],
    ['{"a":1}', Number.NaN],
  ])('reads %s', (text, value) => {
    expect(read(text)).toBe(value);
  });

  it.each(['01', '1.', '-', '1e', ''])('refuses %s', (text) => {
    expect(() => read(text)).toThrow('Not JSON');
  });
});

describe('readNumbers', () => {
  it('keeps the place of what is no number', () => {
    const scanner = new JsonScanner(Buffer.from('[ null , -0.5,"x", -1 ]'));
    expect([...(readNumbers(scanner) ?? [])]).toEqual([Number.NaN, -0.5, Number.NaN, -1]);
    scanner.finish();
  });

  it('goes past another value', () => {
    const scanner = new JsonScanner(Buffer.from('{"a":[1]}'));
    expect(readNumbers(scanner)).toBeUndefined();
    scanner.finish();
  });
});
