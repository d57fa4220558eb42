import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { JsonScanner } from './json-scanner.ts';
import { JsonSyntaxError } from './json-syntax-error.ts';

function skip(text: string | Buffer): number {
  const scanner = new JsonScanner(Buffer.from(text));
  scanner.skipValue();
  scanner.finish();
  return scanner.at;
}

function failure(text: string): JsonSyntaxError {
  try {
    skip(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error(`${text} was taken for JSON`);
}

describe('JsonScanner', () => {
  it('goes past any JSON, however it is laid out', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (text, indent) => {
        const pretty = ` \r\n\t${JSON.stringify(JSON.parse(text), null, indent)}\n`;
        expect(skip(text)).toBe(Buffer.byteLength(text));
        expect(skip(pretty)).toBe(Buffer.byteLength(pretty));
      }),
    );
  });

  it('ends wherever the text breaks off, within an escape too', () => {
    for (const filler of ['', 'x'.repeat(47), 'x'.repeat(48), 'x'.repeat(200)]) {
      const text = `{"a\\\\":["${filler}\\"\\u00e9\\\\",1.5e3,true,{"b":null}]}`;
      expect(skip(text)).toBe(text.length);
      for (let length = 0; length < text.length; length += 1) {
        const scanner = new JsonScanner(Buffer.from(text), 0, length);
        expect(() => scanner.skipValue()).toThrow(JsonSyntaxError);
        expect(() => skip(text.slice(0, length))).toThrow(JsonSyntaxError);
      }
    }
  });

  it('takes for JSON what JSON.parse takes, and nothing else', () => {
    const tokens = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\""',
      '1',
      '-0',
      '1.5e3',
      '01',
      '.5',
      'true',
      'null',
      ' ',
    ];
    const pieces = fc.constantFrom(...tokens);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        let isTaken = true;
        try {
          skip(text);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonSyntaxError);
          isTaken = false;
        }
        expect(isTaken).toBe(isJson);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['', 0],
    ['{', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{a:1}', 1],
    ['[1}', 2],
    ['"abc', 4],
    [`"${'x'.repeat(100)}`, 101],
    ['"abc\\"', 6],
    ['01', 0],
    ['1.', 2],
    ['1e+', 3],
    ['-', 0],
    ['+1', 0],
    ['tru', 0],
    ['1 2', 2],
  ])('refuses %s at byte %i', (text, offset) => {
    const error = failure(text);
    expect(error.offset).toBe(offset);
    expect(error.code).toBe('ART_JSON_PARSE');
    expect(error.message).toContain(`byte ${offset}: expected`);
  });

  it('takes the literals that Python writes', () => {
    expect(skip('[NaN, Infinity, -Infinity]')).toBe(26);
  });

  it('begins after a byte order mark', () => {
    const scanner = new JsonScanner(Buffer.from('\uFEFF{"a":1}'));
    expect(scanner.firstMember()).toBe(true);
    expect(scanner.key()).toBe('a');
  });

  it('goes 512 levels deep and says so at the next, without recursion', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(skip(nested(512))).toBe(1024);
    expect(failure(nested(513)).tooDeep).toBe(true);
    expect(failure('['.repeat(1_000_000)).tooDeep).toBe(true);
    expect(failure(`${'{"a":'.repeat(513)}1${'}'.repeat(513)}`).tooDeep).toBe(true);
    expect(failure('[1').tooDeep).toBe(false);
  });

  it('finds the ends of texts with escapes near and far', () => {
    const parts = fc.constantFrom('a', '\\', '"', '😀', '\n', 'x'.repeat(60), 'y'.repeat(300));
    fc.assert(
      fc.property(fc.array(fc.array(parts, { maxLength: 20 }), { minLength: 1, maxLength: 6 }), (texts) => {
        const values = texts.map((text) => text.join(''));
        const scanner = new JsonScanner(Buffer.from(JSON.stringify(values)));
        const read: (string | undefined)[] = [];
        for (let more = scanner.firstItem(); more; more = scanner.nextItem()) read.push(scanner.readString());
        expect(read).toEqual(values);
      }),
    );
  });

  it('decodes names with escapes, and knows them by either spelling', () => {
    const scanner = new JsonScanner(Buffer.from('{"log\\u0070robs":1,"\\ud83d\\ude00":2}'));
    expect(scanner.firstMember()).toBe(true);
    expect(scanner.key()).toBe('logprobs');
    expect(scanner.keyIs('logprobs')).toBe(true);
    scanner.skipValue();
    expect(scanner.nextMember()).toBe(true);
    expect(scanner.key()).toBe('😀');
    expect(scanner.keyIs('logprobs')).toBe(false);
  });

  it('does not read past its end, though the buffer continues', () => {
    const bytes = Buffer.from('"abc"def"');
    const scanner = new JsonScanner(bytes, 0, 3);
    expect(() => scanner.skipValue()).toThrow(JsonSyntaxError);
  });
});

describe('long texts', () => {
  it('end where JSON.parse has them end, whatever is escaped in them', () => {
    const pieces = [
      '\\n',
      '\\"',
      '\\\\',
      '\\u00e4',
      'ä',
      '😀',
      'x'.repeat(60),
      ' a line of words ',
      '{}[],:',
    ];
    let state = 5;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 4_294_967_296) * below);
    };
    for (let round = 0; round < 500; round += 1) {
      const texts = Array.from({ length: 3 }, () =>
        Array.from({ length: random(40) }, () => pieces[random(pieces.length)]!).join(''),
      );
      const json = `["${texts.join('","')}"]`;
      const scanner = new JsonScanner(Buffer.from(json));
      const read: (string | undefined)[] = [];
      for (let more = scanner.firstItem(); more; more = scanner.nextItem()) read.push(scanner.readString());
      expect(read).toEqual(JSON.parse(json));
    }
  });

  it('are searched once, however many escapes they have', () => {
    const bytes = Buffer.from(
      JSON.stringify(`${'a line of some seventy letters '.repeat(3)}\n`.repeat(1_000)),
    );
    const indexOf = vi.spyOn(bytes, 'indexOf');
    new JsonScanner(bytes).skipString();
    expect(indexOf).toHaveBeenCalledOnce();
  });
});
