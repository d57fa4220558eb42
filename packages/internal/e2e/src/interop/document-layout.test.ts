import { parseJson } from '@art/ground';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPythonMissing, pythonExecutable } from './provided-python.fixture.ts';
import { startTwinAgents, type Twin, type TwinAgents } from './twin-agents.fixture.ts';

let twins: TwinAgents;

/** The same request to both agents; answers what each of them stored, with the name of its bucket blanked. */
async function documents(payload: string, inputId: string): Promise<Record<Twin, string>> {
  const stored = async (twin: Twin): Promise<string> => {
    const bucket = `bucket-of-${twin}`;
    const rollout = JSON.stringify({
      exp_id: 'layout',
      input_id: inputId,
      s3_bucket: bucket,
      temperature: 0.7,
    });
    const reply = await twins.send(twin, `{${payload},"_rollout":${rollout}}`);
    expect(reply).toMatchObject({ status: 200 });
    const { result_key } = JSON.parse(reply.body) as { result_key: string };
    expect(result_key).toBe(`layout/${inputId}/${twins.sessionId}.json`);
    return (await twins.stored(bucket, result_key)).replaceAll(bucket, 'BUCKET');
  };
  const [python, typescript] = await Promise.all([stored('python'), stored('typescript')]);
  return { python, typescript };
}

const withoutTraceback = (text: string): string =>
  text.replace(/"traceback": "(?:[^"\\]|\\.)*"/, '"traceback": ""');

const identical: [name: string, value: string][] = [
  ['a plain reward', '{"rewards":1}'],
  ['rewards of turns', '{"rewards":[0,0.5,0.25],"rollout_data":[{"tokens":[1,2,3]}]}'],
  ['an empty object', '{}'],
  ['empty containers inside', '{"list":[],"object":{},"lists":[[],[[]]],"objects":[{}]}'],
  ['nested types', '{"a":{"b":[1,{"c":null,"d":[true,false,"x"]},[2,[3]]]}}'],
  ['floats', '{"f":[0.1,-2.5,3.141592653589793,1e300,5e-324,1.7976931348623157e308,123456.789,0.0001]}'],
  ['integers', '{"i":[0,-1,9007199254740991,-9007199254740991]}'],
  [
    'integers that a double cannot hold',
    '{"i":[9007199254740993,-36893488147419103232,123456789012345678901234567890]}',
  ],
  ['accents, scripts and emoji', '{"t":"é ß 日本語 עברית 😀 👩‍🔬","ключ":"значение","naïve":1}'],
  [
    'escapes',
    '{"t":"quote \\" back \\\\ slash / \\b\\f\\n\\r\\t\\u0000\\u001f\\u007f\\u0080\\u2028\\ufeff"}',
  ],
  ['half a surrogate pair', '{"t":["\\ud83d","\\ude00","\\ud83d x"]}'],
  ['odd member names', '{"":1,"a b":2,"constructor":3,"a.b":4,"\\n":5}'],
  ['a repeated member', '{"a":1,"b":2,"a":3}'],
  ['its own status and stop reason', '{"stop_reason":"max_tokens","status_code":418,"rewards":0}'],
  [
    'reserved fields, which are overwritten in place',
    '{"payload":1,"z":2,"result_key":"x","s3_bucket":3,"input_id":null}',
  ],
  ['deep nesting', `{"d":${'['.repeat(200)}${']'.repeat(200)}}`],
  ['a long text', `{"t":"${'0123456789é'.repeat(20_000)}"}`],
];

/** JavaScript has one number type and orders members that look like array indexes; the values are the same. */
const written = {
  'a float without fraction': { value: '1.0', python: '1.0', typescript: '1' },
  'a large float': { value: '1e16', python: '1e+16', typescript: '10000000000000000' },
  'a small float': { value: '0.00001', python: '1e-05', typescript: '0.00001' },
  'a negative exponent': { value: '1e-7', python: '1e-07', typescript: '1e-7' },
  'negative zero': { value: '-0.0', python: '-0.0', typescript: '0' },
  'integer-like names': {
    value: '{"b":0,"2":0,"1":0}',
    python: '{"b":0,"2":0,"1":0}',
    typescript: '{"1":0,"2":0,"b":0}',
  },
};

describe.skipIf(isPythonMissing)('what both apps store for the same request', () => {
  beforeAll(async () => {
    twins = await startTwinAgents(pythonExecutable);
  });
  afterAll(async () => {
    await twins[Symbol.asyncDispose]();
  });

  it.each(identical)('is the same byte for byte: %s', async (name, value) => {
    const { python, typescript } = await documents(`"do":"return","value":${value}`, name);
    expect(typescript).toBe(python);
    expect(typescript).toMatch(/^\{\n {2}"/);
  });

  it('is the same byte for byte but for the traceback when the handler throws', async () => {
    const { python, typescript } = await documents('"do":"throw"', 'throws');
    expect(withoutTraceback(typescript)).toBe(withoutTraceback(python));
    expect(withoutTraceback(typescript)).toContain('"stop_reason": "the tool failed",\n  "traceback": ""');
    for (const text of [python, typescript]) {
      expect((JSON.parse(text) as { traceback: string }).traceback).toMatch(/Error: the tool failed/);
    }
  });

  it('has the same members when the handler returns no object', async () => {
    const { python, typescript } = await documents('"do":"list"', 'list');
    expect(Object.keys(JSON.parse(typescript) as object)).toEqual(Object.keys(JSON.parse(python) as object));
    for (const text of [python, typescript]) {
      expect(JSON.parse(text)).toMatchObject({ status_code: 500, input_id: 'list' });
      expect((JSON.parse(text) as { stop_reason: string }).stop_reason).toMatch(
        /^Return value must be an? (?:dict|object) when/,
      );
    }
  });

  it('differs for a NaN on purpose: Python stores what is no JSON, we null', async () => {
    const { python, typescript } = await documents('"do":"nan"', 'nan');
    expect(python).toContain('"rewards": [\n    1,\n    NaN\n  ]');
    expect(parseJson(python)).toMatchObject({ rewards: [1, Number.NaN], status_code: 200 });
    expect(JSON.parse(typescript)).toMatchObject({ rewards: [1, null], status_code: 200 });
  });

  it('differs for a NaN in the request: the handler gets the number, our document keeps its name', async () => {
    const request = '"do":"return","value":{"rewards":1},"weight":NaN,"limits":[Infinity,-Infinity]';
    const { python, typescript } = await documents(request, 'nan in');
    expect(python).toContain('"weight": NaN');
    expect(JSON.parse(typescript)).toMatchObject({
      status_code: 200,
      payload: { weight: 'NaN', limits: ['Infinity', '-Infinity'] },
    });
    const named = python.replaceAll(/(?<= )(NaN|-?Infinity)(?=,|\n)/g, '"$1"');
    expect(typescript).toBe(named);
  });

  describe('differs in spelling only', () => {
    it.each(Object.entries(written))('%s', async (name, { value, python, typescript }) => {
      const texts = await documents(`"do":"return","value":{"v":${value}}`, name);
      expect({ python: spelling(texts.python), typescript: spelling(texts.typescript) }).toEqual({
        python,
        typescript,
      });
      // What a reader gets is the same, in either language; -0 and 0 are equal numbers.
      expect(String(parsedValue(texts.typescript))).toBe(String(parsedValue(texts.python)));
    });
  });
});

/** How the value of `v` was spelled, without white space. */
function spelling(text: string): string {
  return /^\{"v":(.*?),"status_code"/.exec(text.replaceAll(/\s/g, ''))![1]!;
}

function parsedValue(text: string): unknown {
  const { v } = JSON.parse(text) as { v: unknown };
  return typeof v === 'object'
    ? Object.entries(v as object)
        .toSorted()
        .join(';')
    : v;
}
