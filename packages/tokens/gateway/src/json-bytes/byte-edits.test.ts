import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteEdits, MemberCuts } from './byte-edits.ts';
import { JsonScanner } from './json-scanner.ts';

function cut(text: string, isCut: (name: string) => boolean): string {
  const scanner = new JsonScanner(Buffer.from(text));
  const edits = new ByteEdits();
  const walk = (): void => {
    const cuts = new MemberCuts(edits);
    for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
      cuts.begin(scanner.keyStart);
      const name = scanner.key();
      if (scanner.peek() === 0x7b) walk();
      else scanner.skipValue();
      cuts.end(scanner.at, isCut(name));
    }
    cuts.finish();
  };
  walk();
  return edits.apply(scanner.bytes).toString();
}

function cutValue(value: unknown, isCut: (name: string) => boolean): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !isCut(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, cutValue(inner, isCut)]));
}

describe('MemberCuts', () => {
  it('leaves what cutting the parsed object leaves, at any depth', () => {
    const name = fc.constantFrom('a', 'b', 'x', 'y', 'z');
    const { object } = fc.letrec<{ object: Record<string, unknown>; value: unknown }>((tie) => ({
      object: fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
      value: fc.oneof({ maxDepth: 3 }, fc.jsonValue({ maxDepth: 0 }), tie('object')),
    }));
    const isCut = (key: string): boolean => key > 'm';
    fc.assert(
      fc.property(object, fc.constantFrom(0, 2), (value, indent) => {
        const result = cut(JSON.stringify(value, null, indent), isCut);
        expect(JSON.parse(result)).toEqual(JSON.parse(JSON.stringify(cutValue(value, isCut))));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['{ "x" : 1 , "a" : 1.0 , "x":2, "b":[ 1 ] , "x" : 3 }', '{ "a" : 1.0, "b":[ 1 ] }'],
    ['{"x":1,"x":2}', '{}'],
    ['{ "x" : 1 }', '{  }'],
    ['{"a":{"x":1},"x":{"a":{"x":2}}}', '{"a":{}}'],
    ['{"x":{"x":1},"a":1}', '{"a":1}'],
    ['{"a":1}', '{"a":1}'],
  ])('of %s leaves %s', (text, left) => {
    expect(cut(text, (name) => name === 'x')).toBe(left);
  });
});
