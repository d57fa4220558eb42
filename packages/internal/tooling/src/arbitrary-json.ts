import fc from 'fast-check';

/** Names that mean something to JavaScript, to the wire format or to a reader of secrets. */
export const oddNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toJSON',
  '_rollout',
  '_agentcore_runtime',
  'exp_id',
  'input_id',
  's3_bucket',
  'invocation_id',
  'status_code',
  'headers',
  'api_key',
  '',
];

export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  // Code units: unpaired surrogates among them.
  fc
    .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom('\\', '"', '\u2028', 'NaN', '9007199254740993', '/..', ...oddNames),
);

export const anyName = fc.oneof(anyText, fc.constantFrom(...oddNames));

// An integer past 2^53 is read as a bigint, so a number of that size would come back as another type.
const anyNumber = fc.oneof(
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Object.is(value, -0) ? 0 : value))
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 1e21),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).filter((value) => !Number.isSafeInteger(Number(value))),
  fc.constantFrom(1e21, 5e-324, 1.797_693_134_862_315_7e308, Number.MAX_SAFE_INTEGER),
);

const fragments = '{ } [ ] " \\ , : - . e 0 1 NaN -Infinity \\u00 \u0000 {"a": "a":1,"a":2 \ufeff'.split(' ');

/** Any value that the codec can write and read back as it was. */
export const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(anyName, tie('value')), { maxLength: 5 }).map(toRecord),
  ),
})).value;

/** An object with exactly these members, whatever their names. */
export function toRecord(members: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, value] of members) {
    Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return record;
}

/** A text with a few characters replaced, taken out or doubled. */
export function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(),
    drop: fc.integer({ min: 0, max: 4 }),
    insert: fc.oneof(fc.constantFrom(...fragments, '9'.repeat(20), '[['.repeat(600)), anyText),
  });
  return fc.tuple(text, fc.array(edit, { maxLength: 4 })).map(([given, edits]) => {
    let result = given;
    for (const { at, drop, insert } of edits) {
      const from = result.length === 0 ? 0 : at % result.length;
      result = result.slice(0, from) + insert + result.slice(from + drop);
    }
    return result;
  });
}
