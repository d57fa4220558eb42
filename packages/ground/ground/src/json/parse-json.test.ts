import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.ts';

describe('parseJson', () => {
  it.each([
    ['{"a":[1,2.5,-3e2,"x",true,false,null]}'],
    [' [ ] '],
    ['"\\u00e9\\n\\"\\\\\\/"'],
    ['{"a":{},"b":[]}'],
    ['0'],
    ['-0.5e-7'],
  ])('reads plain JSON as JSON.parse does: %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
    // A NaN beside it forces the tolerant reader, which must agree.
    expect((parseJson(`[NaN,${text}]`) as unknown[])[1]).toEqual(JSON.parse(text));
  });

  it('reads what Python writes and JSON forbids', () => {
    expect(parseJson('[NaN, Infinity, -Infinity]')).toEqual([Number.NaN, Infinity, -Infinity]);
  });

  it('keeps integers past 2^53 exact, and leaves floats alone', () => {
    expect(parseJson('[9007199254740991, 9007199254740993, -18446744073709551616]')).toEqual([
      9_007_199_254_740_991,
      9_007_199_254_740_993n,
      -18_446_744_073_709_551_616n,
    ]);
    expect(parseJson('[0.30000000000000004, 12345678901234567.5, 12345678901234567e2]')).toEqual([
      0.1 + 0.2,
      Number('12345678901234567.5'),
      Number('12345678901234567e2'),
    ]);
    expect(parseJson('{"text":"12345678901234567890"}')).toEqual({ text: '12345678901234567890' });
  });

  it('takes "__proto__" for a name like any other', () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1},"n":NaN}']) {
      const value = parseJson(text) as object;
      expect(Object.keys(value)).toContain('__proto__');
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  it('takes the last of duplicate names, as Python and JSON.parse do', () => {
    expect(parseJson('{"a":1,"a":NaN}')).toEqual({ a: Number.NaN });
  });

  it('reads long strings with escapes', () => {
    const text = JSON.stringify('a"b\\c\u0001é😀'.repeat(50_000));
    expect((parseJson(`[NaN,${text}]`) as unknown[])[1]).toBe(JSON.parse(text));
  });

  it.each([
    ['', 1, 1, 'expected a value'],
    ['{"a":1,}', 1, 8, 'member name'],
    ['[1 2]', 1, 4, 'expected "," or "]"'],
    ['{"a" 1}', 1, 6, 'expected ":"'],
    ['{\n  "a": nul\n}', 2, 8, 'expected a value'],
    ['[1] x', 1, 5, 'end of the text'],
    ['"abc', 1, 5, 'not closed'],
    ['"a\u0001b"', 1, 3, 'control character'],
    ['"a\\x"', 1, 3, 'unknown escape'],
    ['"\\u12g4"', 1, 2, 'unknown escape'],
    ['[01]', 1, 3, 'expected "," or "]"'],
    ['[.5]', 1, 2, 'expected a value'],
    ['[+1]', 1, 2, 'expected a value'],
    ['NaNa', 1, 4, 'end of the text'],
    ["{'a':1}", 1, 2, 'member name'],
  ])('refuses %j with the place', (text, line, column, what) => {
    expect(() => parseJson(text)).toThrowError(
      expect.objectContaining({
        code: 'ART_JSON_PARSE',
        message: expect.stringMatching(`line ${line}, column ${column}: .*${what}`) as string,
      }) as Error,
    );
  });

  it('reads names with escapes right after one that ends with a backslash', () => {
    // JSON.parse of Node 24 gives "x\\\\" for all of them.
    for (const name of ['x\\\\', 'x\\t', 'x\\u0041', 'x\\"']) {
      const text = `{"a":"\\n","${name}":1}`;
      expect(Object.keys(parseJson(text) as object)).toEqual(['a', JSON.parse(`"${name}"`)]);
    }
    expect(parseJson('{"a":"b\\\\"}')).toEqual({ a: 'b\\' });
    expect(() => parseJson('{"a\\')).toThrow(/unknown escape/);
    expect(() => parseJson('{"a\\"')).toThrow(/not closed/);
  });

  it('refuses integers whose reading would take forever', () => {
    const digits = '9'.repeat(4_300);
    expect(parseJson(digits)).toBe(BigInt(digits));
    expect(() => parseJson(`[${digits}9]`)).toThrow(/column 2: an integer of more than 4300 digits/);
  });

  it.each([
    ['plain JSON', '0'],
    ["Python's dialect", 'NaN'],
  ])('reads nesting as deep as can be written, and no deeper, in %s', (_name, leaf) => {
    const nested = (levels: number): string =>
      `${'[{"a":'.repeat(levels / 2)}${leaf}${'}]'.repeat(levels / 2)}`;
    expect(parseJson(nested(1_000))).toBeDefined();
    for (const levels of [1_002, 200_000]) {
      expect(() => parseJson(nested(levels))).toThrow(
        expect.objectContaining({
          code: 'ART_JSON_PARSE',
          message: expect.stringContaining('nested deeper than 1000 levels') as string,
        }),
      );
    }
    expect(parseJson(`[${'[],'.repeat(5_000)}"${'['.repeat(5_000)}",${leaf}]`)).toHaveLength(5_002);
  });
});

describe('parseJson of texts from strangers', () => {
  const refused: [string, RegExp][] = [
    ['{"a":1,"b":2,"a":3}', /column 14: the member "a" occurs twice/],
    ['[{"_rollout":{}}, {"x":[1,{"k":1,"k":1}]}]', /the member "k" occurs twice/],
    ['{"_rollout":1,"\\u005frollout":2}', /the member "_rollout" occurs twice/],
    ['{"a\\"b":1,"a\\"b":2}', /occurs twice/],
    ['{"":1,"":2}', /the member "" occurs twice/],
    ['{"__proto__":1}', /"__proto__" is refused/],
    ['{"a":[{"__pro\\u0074o__":{}}]}', /"__proto__" is refused/],
    ['{"constructor":{"prototype":{}}}', /"prototype" is refused/],
  ];

  it.each(refused)('refuses %s', (text, message) => {
    for (const body of [text, `[NaN,${text}]`]) {
      expect(() => parseJson(body, { strict: true })).toThrow(
        message.source.startsWith('column') ? /twice/ : message,
      );
      expect(() => parseJson(body)).not.toThrow();
    }
    expect(() => parseJson(text, { strict: true })).toThrow(message);
  });

  it.each([
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"constructor":"x","prototype":{}}',
    '{"constructor":{"x":{"prototype":1}}}',
    '["a","a",{"text":"\\"a\\": {","other":"text"}]',
    '{"hasOwnProperty":1,"toString":2,"":3}',
    '[]',
    '"\\\\"',
  ])('takes %s', (text) => {
    for (const body of [text, `[NaN,${text}]`]) {
      expect(parseJson(body, { strict: true })).toEqual(parseJson(body));
    }
  });

  it.each([
    ['{"_rollout":1,"_rollout":2}', false],
    ['{"_rollout":{"a":[{"b":1,"b":2}]}}', false],
    ['{"x":{"__proto__":1}}', false],
    ['{"a":1,"a":2,"_rollout":{"a":1}}', true],
    ['{"x":{"_rollout":{"a":1,"a":2},"_rollout":1}}', true],
    ['[{"_rollout":1,"_rollout":2}]', true],
  ])('may look for repeated names in some members only: %s is fine: %s', (text, isFine) => {
    for (const body of [text, text.replace(/\}$/, ',"n":NaN}').replace(/\]$/, ',NaN]')]) {
      const read = (): unknown => parseJson(body, { strict: { uniqueIn: ['_rollout'] } });
      if (isFine) expect(read()).toEqual(parseJson(body));
      else expect(read).toThrow(expect.objectContaining({ code: 'ART_JSON_PARSE' }));
    }
  });
});
