import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRuns } from './compile-runs.fixture.ts';
import { sharedRuns, type RunEnd } from './runs.ts';

const runs = sharedRuns()!;

// What follows a list in a reply; runs do not begin an item next to the end of their bytes.
const rest = `,"finish_reason":"stop"}],"padding":"${'.'.repeat(128)}"}`;

/** A stream of numbers from 0 to 1 that is the same in every run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

function ids(text: string, behind = `]${rest}`): RunEnd & { values: number[] } {
  const values: number[] = [];
  const bytes = Buffer.from(`[${text}${behind}`);
  const end = runs.tokenIds(bytes, 1, bytes.length, (read) => values.push(...read));
  return { ...end, at: end.at - 1, values };
}

function logprobs(text: string, behind = `]${rest}`): RunEnd & { values: number[] } {
  const values: number[] = [];
  const bytes = Buffer.from(`[${text}${behind}`);
  const end = runs.logprobs(bytes, 1, bytes.length, (read) => values.push(...read));
  return { ...end, at: end.at - 1, values };
}

it('the compiled text is that of runs.wat', async () => {
  // The formatter may have put it into other lines.
  const joined = (text: string): string => [...text.matchAll(/'([^']*)'/g)].map(([, part]) => part).join('');
  const committed = await readFile(join(import.meta.dirname, 'runs-wasm.ts'), 'utf8');
  expect(joined(committed)).toBe(joined(await compileRuns()));
});

describe('runs of token ids', () => {
  it.each([',', ', '])('have all but the last id of a list, with "%s" between them', (separator) => {
    const random = randoms(7);
    for (let round = 0; round < 300; round += 1) {
      const list = Array.from({ length: 1 + Math.floor(random() * 200) }, () =>
        Math.floor(random() * 10 ** Math.ceil(random() * 8)),
      );
      const text = list.join(separator);
      const { values, at } = ids(text);
      expect(values).toEqual(list.slice(0, -1));
      expect(text.slice(at)).toBe(String(list.at(-1)));
    }
  });

  it('go on over the windows of a long list', () => {
    const list = Array.from({ length: 200_000 }, (_, index) => (index * 48_271) % 151_643);
    const bytes = Buffer.from(`${list.join(',')}]${rest}`);
    const read: Int32Array[] = [];
    runs.tokenIds(bytes, 0, bytes.length, (values) => read.push(values.slice()));
    expect(Buffer.concat(read.map((part) => Buffer.from(part.buffer)))).toEqual(
      Buffer.from(Int32Array.from(list.slice(0, -1)).buffer),
    );
  });

  it.each([
    ['-1', '1,2,-1,3'],
    ['a fraction', '1,2,1.5,3'],
    ['an exponent', '1,2,1e3,3'],
    ['a leading zero', '1,2,03,3'],
    ['null', '1,2,null,3'],
    ['a text', '1,2,"3",3'],
    ['a list', '1,2,[3],3'],
    ['nothing', '1,2,,3'],
    ['nine digits', '1,2,123456789,3'],
    ['a space in front of the comma', '1,2,3 ,3'],
    ['a line', '1,2,\n3,3'],
  ])('end in front of %s', (_name, text) => {
    const { values, at } = ids(text);
    expect(values).toEqual([1, 2]);
    expect(at).toBe(4);
  });

  it('do not read beyond the end of their bytes', () => {
    const bytes = Buffer.from(Array.from({ length: 40 }, () => 12_345).join(','));
    for (let end = 0; end <= bytes.length; end += 1) {
      let count = 0;
      const { at } = runs.tokenIds(bytes, 0, end, (read) => {
        count += read.length;
        expect([...read]).toEqual(Array.from(read, () => 12_345));
      });
      expect(at).toBe(count * 6);
      expect(at).toBeLessThanOrEqual(end);
    }
  });
});

const plain = [
  ['vLLM', '{"token":" the","logprob":-0.25,"bytes":[32,116,104,101],"top_logprobs":[]}', -0.25],
  ['SGLang', '{"token":"x","bytes":[120],"logprob":-1.5e-05,"top_logprobs":[]}', -1.5e-5],
  ['no bytes', '{"token":"x","logprob":-2,"bytes":null}', -2],
  ['an empty list', '{"token":"","logprob":0,"bytes":[],"top_logprobs":[]}', 0],
  ['escapes', '{"token":"\\"\\\\\\n\\u00e4","logprob":-3.5,"bytes":[0,10,255]}', -3.5],
  ['a quote and a brace within', '{"token":"\\"}","logprob":-3.5}', -3.5],
  ['bytes of a rune', '{"token":"😀","logprob":-0.125,"bytes":[240,159,152,128]}', -0.125],
  ['many bytes', `{"token":"x","logprob":-1,"bytes":[${'0,10,200,'.repeat(30)}7]}`, -1],
  ['a long token', `{"token":"${'long \\"text\\" '.repeat(40)}","logprob":-1}`, -1],
  ['no logprob', '{"token":"x"}', Number.NaN],
] as const;

describe('runs of logprobs', () => {
  it.each(plain)('have what engines write: %s', (_name, text, logprob) => {
    const length = Buffer.byteLength(text);
    expect(logprobs(text)).toEqual({ values: [logprob], at: length, isBehindItem: true });
    expect(logprobs(`${text},${text}`)).toEqual({
      values: [logprob, logprob],
      at: length * 2 + 1,
      isBehindItem: true,
    });
  });

  it.each([
    ['white space', '{"token": "x", "logprob": -1}'],
    ['an unknown member', '{"token":"x","logprob":-1,"rank":3}'],
    ['other candidates', '{"token":"x","logprob":-1,"top_logprobs":[{"token":"y","logprob":-2}]}'],
    ['a token that is an id', '{"token":"token_id:17","logprob":-1}'],
    ['a token that is no text', '{"token":null,"logprob":-1}'],
    ['a logprob that is null', '{"token":"x","logprob":null}'],
    ['-inf as Python writes it', '{"token":"x","logprob":-Infinity}'],
    ['a leading zero', '{"token":"x","logprob":-01}'],
    ['no digit behind the point', '{"token":"x","logprob":-1.}'],
    ['no digit in front of the point', '{"token":"x","logprob":-.5}'],
    ['no digit in the exponent', '{"token":"x","logprob":-1e-}'],
    ['bytes that are no plain numbers', '{"token":"x","bytes":[1.5],"logprob":-1}'],
    ['a nested list', '{"token":"x","bytes":[[1]],"logprob":-1}'],
    ['a comma at the end', '{"token":"x","bytes":[1,],"logprob":-1}'],
    ['a comma at the end, far away', `{"token":"x","bytes":[${'1,'.repeat(8)}],"logprob":-1}`],
    ['a comma at the beginning', '{"token":"x","bytes":[,1],"logprob":-1}'],
    ['two commas', '{"token":"x","bytes":[1,,1],"logprob":-1}'],
    ['two commas, far away', `{"token":"x","bytes":[${'1,'.repeat(8)},1],"logprob":-1}`],
    ['a byte with a leading zero', '{"token":"x","bytes":[01],"logprob":-1}'],
    ['the same, far away', `{"token":"x","bytes":[${'10,'.repeat(5)}01],"logprob":-1}`],
    ['no bracket', '{"token":"x","bytes":[1,"logprob":-1}'],
    ['no comma', '{"token":"x""logprob":-1}'],
    ['a comma too many', '{"token":"x","logprob":-1,}'],
    ['no quote', '{"token":"x,"logprob":-1'],
    ['no object', '-1'],
    ['an empty object', '{}'],
  ])('end in front of what is spelled otherwise: %s', (_name, text) => {
    expect(logprobs(text)).toEqual({ values: [], at: 0, isBehindItem: false });
    const before = '{"token":"x","logprob":-1},';
    expect(logprobs(before + text)).toEqual({ values: [-1], at: before.length, isBehindItem: false });
  });

  it('go on over the windows of a long list', () => {
    const random = randoms(3);
    const texts = [' the', '\\"', '\\\\', 'ä😀', '', 'x'.repeat(90), '}]'];
    const list = Array.from({ length: 20_000 }, () => Math.fround(-random() * 9));
    const items = list.map((logprob, index) => {
      const token = texts[index % texts.length]!;
      return `{"token":"${token}","logprob":${logprob},"bytes":[${[...Buffer.from(token)].join(',')}],"top_logprobs":[]}`;
    });
    const text = items.join(',');
    const { values, at, isBehindItem } = logprobs(text);
    // Of 17 digits some may lie next to the middle between two doubles, where a run leaves them to others.
    expect(values).toEqual(list);
    expect(at).toBe(Buffer.byteLength(text));
    expect(isBehindItem).toBe(true);
  });

  it('do not read beyond the end of their bytes', () => {
    const item = '{"token":"abc","logprob":-0.123456789,"bytes":[97,98,99]}';
    const bytes = Buffer.from(`${item},${item},${item}`);
    for (let end = 0; end <= bytes.length; end += 1) {
      let count = 0;
      const { at } = runs.logprobs(bytes, 0, end, (read) => (count += read.length));
      expect(at).toBe(count * (item.length + 1));
      expect(at).toBeLessThanOrEqual(end);
    }
  });
});

describe('numbers', () => {
  function check(texts: readonly string[]): number {
    const { values } = logprobs(texts.map((text) => `{"logprob":${text}}`).join(','));
    const wrong = values.findIndex((value, index) => !Object.is(value, Number(texts[index])));
    expect(wrong === -1 ? 'right' : texts[wrong]).toBe('right');
    return values.length;
  }

  it('are read to the last bit, whatever they were printed from', () => {
    const random = randoms(11);
    const single = new Float32Array(1);
    const singleBits = new Uint32Array(single.buffer);
    const double = new Float64Array(1);
    const doubleBits = new Uint32Array(double.buffer);
    const bits = (): number => Math.floor(random() * 4_294_967_296);
    const digits = (count: number): string =>
      Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
    const kinds: (() => string)[] = [
      // Single precision, as engines compute it, printed as doubles: the exponents of 2^-40 to 2^6.
      () => {
        singleBits[0] = 0x8000_0000 | ((87 + Math.floor(random() * 46)) << 23) | (bits() >>> 9);
        return String(single[0]).replace('e-', 'e-0');
      },
      // Double precision.
      () => {
        doubleBits[0] = bits();
        doubleBits[1] = 0x8000_0000 | ((983 + Math.floor(random() * 46)) << 20) | (bits() >>> 12);
        return String(double[0]);
      },
      // More digits than any double has.
      () => `-${Math.floor(random() * 10)}.${digits(17)}`,
      () => `-0.000${digits(18)}`,
      () => `-0.${digits(1 + Math.floor(random() * 17))}`,
      () =>
        `-${Math.floor(random() * 10)}.${digits(1 + Math.floor(random() * 15))}e-${Math.floor(random() * 20)}`,
      () => String(-Math.floor(random() * 1e9)),
    ];
    for (const kind of kinds) {
      let read = 0;
      for (let round = 0; round < 400; round += 1) {
        read += check(Array.from({ length: 100 }, kind));
      }
      // Those that a run leaves to others end it: that is to be an exception.
      expect(read).toBeGreaterThan(36_000);
    }
  });

  it.each(['0', '-0', '-0.0', '0.0', '-0e-0', '1', '9007199254740993', '-1e-40', '-0.5', '-9999', '-9999.0'])(
    'also %s',
    (text) => {
      // What is longer than it can be read ends the run.
      expect(check([text])).toBe(text.length > 12 ? 0 : 1);
    },
  );

  it('leave the middle between two doubles, and what is next to it, to others', () => {
    // 2^53 + 1 is such a middle; 10^-16 of it is none, but so near to none of them as 19 digits allow.
    for (const text of ['900719925.4740993', '1152921504.606846977', '0.9007199254740993']) check([text]);
    // 4503599627370497.5 = (2^53 + 1)/2 + 0.5, spelled with a power of ten that is exact.
    expect(check(['450359962.73704975'])).toBe(1);
  });
});
