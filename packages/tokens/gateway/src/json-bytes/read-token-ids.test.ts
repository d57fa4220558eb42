import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from './json-scanner.ts';
import { readTokenIdLists, readTokenIds, unreadableTokenId } from './read-numbers.ts';

function read(text: string): ReturnType<typeof readTokenIds> {
  const scanner = new JsonScanner(Buffer.from(text));
  const ids = readTokenIds(scanner);
  scanner.finish();
  return ids;
}

describe('readTokenIds', () => {
  it('reads any ids in any layout', () => {
    const layouts: ((ids: number[]) => string)[] = [
      (ids) => JSON.stringify(ids),
      (ids) => `[${ids.join(', ')}]`,
      (ids) => ` [ ${ids.join(' ,\n\t')} ] `,
      (ids) => JSON.stringify(ids, null, 2),
    ];
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 0x7fff_ffff }), { maxLength: 40 }),
        fc.constantFrom(...layouts),
        (ids, layout) => {
          const result = read(layout(ids));
          expect(result?.values).toEqual(Int32Array.from(ids));
          expect(result?.problem).toBeUndefined();
        },
      ),
    );
  });

  it('reads 200,000 ids', () => {
    const ids = Int32Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 262_144);
    expect(read(`[${ids.join(',')}]`)?.values).toEqual(ids);
    // The scratch that it was read through does not show in the next.
    expect(read('[7]')?.values).toEqual(Int32Array.of(7));
  });

  it.each([
    ['[1,null,3]', [1, unreadableTokenId, 3], 'item 1'],
    ['[1.5]', [unreadableTokenId], 'item 0'],
    ['[1,-2]', [1, unreadableTokenId], 'item 1'],
    ['[2147483648,5]', [unreadableTokenId, 5], 'item 0'],
    ['[99999999999999999999,5]', [unreadableTokenId, 5], 'item 0'],
    ['["7",{"a":[1]},[2],4]', [unreadableTokenId, unreadableTokenId, unreadableTokenId, 4], 'item 0'],
    ['[1e-3,1e10,4]', [unreadableTokenId, unreadableTokenId, 4], 'item 0'],
    ['[NaN,Infinity,true,"",[],4]', [...Array.from({ length: 5 }, () => unreadableTokenId), 4], 'item 0'],
  ])('keeps the places and tells of the first that is none in %s', (text, values, problem) => {
    const result = read(text);
    expect([...(result?.values ?? [])]).toEqual(values);
    expect(result?.problem).toContain(problem);
  });

  it('takes whole numbers however they are spelled', () => {
    expect(read('[1.0,1e3, 12E0,-0,2147483647.0,50e-1]')).toEqual({
      values: Int32Array.of(1, 1000, 12, 0, 0x7f_ff_ff_ff, 5),
      problem: undefined,
    });
  });

  it.each(['[1,2', '[1 2]', '[1,]', '[01]', '[1,,2]', '[,1]', '[00]', '[12345678'])('refuses %s', (text) => {
    expect(() => read(text)).toThrow('Not JSON');
  });

  it('goes past a value that is no array', () => {
    expect(read('null')).toBeUndefined();
    expect(read('{"a":[1]}')).toBeUndefined();
  });
});

describe('readTokenIdLists', () => {
  const lists = (text: string): number[][] | undefined => {
    const scanner = new JsonScanner(Buffer.from(text));
    const found = readTokenIdLists(scanner);
    scanner.finish();
    return found?.map((list) => [...list.values]);
  };

  it('reads a list for each prompt, and a flat one as one', () => {
    expect(lists('[[1,2],[3]]')).toEqual([[1, 2], [3]]);
    expect(lists('[ [] , [3] ]')).toEqual([[], [3]]);
    expect(lists('[1,2]')).toEqual([[1, 2]]);
    expect(lists('[]')).toEqual([[]]);
    expect(lists('null')).toBeUndefined();
  });

  it('tells of a group that is none', () => {
    const found = readTokenIdLists(new JsonScanner(Buffer.from('[[1],null]')));
    expect(found?.[1]?.problem).toContain('group 1');
  });
});
