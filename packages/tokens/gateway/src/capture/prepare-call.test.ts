import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareCall } from './prepare-call.fixture.ts';
import type { InjectionPlan, ReadPlan, PreparedCall } from './prepare-call.ts';

function prepare(body: string, plan: Partial<ReadPlan & InjectionPlan> = {}): PreparedCall {
  const prepared = prepareCall(Buffer.from(body), {
    flavour: 'vllm',
    endpoint: 'chat',
    addLogprobs: true,
    addTokenIds: true,
    model: undefined,
    samplingParams: {},
    ...plan,
  });
  if (prepared === undefined) throw new Error('not prepared');
  return { ...prepared, messages: prepared.messages.map((message) => Buffer.from(message).toString()) };
}

function sent(body: string, plan: Partial<ReadPlan & InjectionPlan> = {}): string {
  return Buffer.from(prepare(body, plan).body).toString();
}

describe('prepareCall', () => {
  it('leaves every byte of the agent alone and adds at the end', () => {
    const body =
      ' {"temperature": 1.0,\n"seed":1152921504606846976 ,"x":1e-07,"x":2,"messages":[{"role":"user","content":"😀\\u00e9"}]\t} ';
    expect(sent(body)).toBe(body.replace('\t} ', ',"logprobs":true,"return_token_ids":true\t} '));
  });

  it('adds nothing to what asks for everything itself', () => {
    const body = Buffer.from('{"logprobs":true,"return_token_ids":true}');
    const prepared = prepareCall(body, {
      flavour: 'vllm',
      endpoint: 'chat',
      addLogprobs: true,
      addTokenIds: true,
      model: undefined,
      samplingParams: {},
    });
    expect(prepared?.body).toBe(body);
  });

  it('asks for what the agent refused, and remembers that it did', () => {
    const call = prepare('{"logprobs":false,"top_logprobs":2,"return_token_ids":false}');
    expect(Buffer.from(call.body).toString()).toBe(
      '{"logprobs":true,"top_logprobs":2,"return_token_ids":true}',
    );
    expect(call.clientWants).toMatchObject({ logprobs: false, topLogprobs: 2, tokenIds: false });
  });

  it('sets every one of repeated members that it must set', () => {
    expect(sent('{"logprobs":true,"logprobs":false,"return_token_ids":null}')).toBe(
      '{"logprobs":true,"logprobs":true,"return_token_ids":true}',
    );
    // The last one counts, and it is right.
    expect(sent('{"logprobs":false,"logprobs":true,"return_token_ids":true}')).toBe(
      '{"logprobs":false,"logprobs":true,"return_token_ids":true}',
    );
  });

  it('puts the model and the session parameters over the agent, repeated members and escapes included', () => {
    const body = '{"model":"a","temperature":0.5,"temperatur\\u0065":0.25,"top_k":3}';
    const plan = {
      flavour: 'openai',
      model: 'b"c',
      samplingParams: { temperature: 0.7, stop: ['\n'], seed: 2n ** 60n },
    };
    expect(sent(body, plan as Partial<ReadPlan & InjectionPlan>)).toBe(
      '{"model":"b\\"c","temperature":0.7,"temperatur\\u0065":0.7,"top_k":3,"stop":["\\n"],"seed":1152921504606846976}',
    );
  });

  it('lets no session parameter switch the capture off', () => {
    const call = prepare('{"messages":[]}', { samplingParams: { logprobs: false, return_token_ids: false } });
    expect(JSON.parse(Buffer.from(call.body).toString())).toMatchObject({
      logprobs: true,
      return_token_ids: true,
    });
  });

  it('refuses a session parameter that is no JSON', () => {
    expect(() => prepare('{}', { samplingParams: { top_p: Number.NaN } })).toThrow(
      expect.objectContaining({ code: 'ART_JSON_WRITE' }),
    );
  });

  it.each([
    ['vllm', 'chat', '{}', { logprobs: true, return_token_ids: true }],
    [
      'vllm',
      'chat',
      '{"stream":true}',
      { logprobs: true, return_token_ids: true, stream_options: { include_usage: true } },
    ],
    ['vllm', 'completions', '{}', { logprobs: 1, return_token_ids: true }],
    ['vllm', 'completions', '{"logprobs":5}', { logprobs: 5, return_token_ids: true }],
    ['vllm', 'completions', '{"logprobs":0}', { logprobs: 0, return_token_ids: true }],
    ['vllm', 'completions', '{"logprobs":null}', { logprobs: 1, return_token_ids: true }],
    ['sglang', 'chat', '{}', { logprobs: true, return_token_ids: true }],
    [
      'sglang',
      'chat',
      '{"stream":true}',
      {
        logprobs: true,
        return_input_ids_in_sglext: true,
        return_output_ids_in_sglext: true,
        stream_options: { include_usage: true },
      },
    ],
    [
      'sglang',
      'completions',
      '{"stream":true}',
      { logprobs: 1, return_token_ids: true, stream_options: { include_usage: true } },
    ],
    ['trtllm', 'chat', '{"stream":true}', { logprobs: true }],
    ['trtllm', 'completions', '{}', { logprobs: 1 }],
    ['openai', 'chat', '{"stream":true}', {}],
    ['openai', 'completions', '{}', {}],
  ] as const)('asks %s for a capture of %s %s', (flavour, endpoint, body, added) => {
    const call = prepare(body, { flavour, endpoint });
    expect(JSON.parse(Buffer.from(call.body).toString())).toEqual({ ...JSON.parse(body), ...added });
    const givesIds = flavour === 'vllm' || flavour === 'sglang';
    expect(call.expects).toEqual({ tokenIds: givesIds, logprobs: givesIds });
  });

  it('adds what is switched on only', () => {
    expect(sent('{"stream":true}', { addLogprobs: false, addTokenIds: false })).toBe('{"stream":true}');
    expect(sent('{}', { addTokenIds: false })).toBe('{"logprobs":true}');
    expect(prepare('{}', { addTokenIds: false }).expects).toEqual({ tokenIds: false, logprobs: false });
    expect(sent('{"logprobs":false}', { addLogprobs: false })).toBe(
      '{"logprobs":false,"return_token_ids":true}',
    );
  });

  it.each([
    ['{"include_usage":false, "x":1.0}', '{"include_usage":true, "x":1.0}', false],
    ['{"x":1.0}', '{"x":1.0,"include_usage":true}', false],
    ['null', '{"include_usage":true}', false],
    ['{ "include_usage":true}', '{ "include_usage":true}', true],
    ['[1]', '[1]', false],
  ])('asks for usage in stream_options %s', (options, expected, wants) => {
    const call = prepare(`{"stream":true,"stream_options":${options}}`);
    expect(Buffer.from(call.body).toString()).toContain(`"stream_options":${expected},`);
    expect(call.clientWants.usage).toBe(wants);
  });

  it('tells what the call is', () => {
    const call = prepare(
      '{"model":"\\u006d","stream":1,"n":3,"temperature":0.5,"top_p":1.0,"tools":[{"a":1.0}],' +
        '"messages":[ {"role":"user","content":"a"} , {"n":1.0} ]}',
    );
    expect(call).toMatchObject({
      model: 'm',
      stream: true,
      choiceCount: 3,
      promptCount: 1,
      temperature: 0.5,
      topP: 1,
      tools: '[{"a":1.0}]',
      messages: ['{"role":"user","content":"a"}', '{"n":1.0}'],
    });
  });

  it('counts what is sent, not what the agent said', () => {
    expect(prepare('{"n":3}', { samplingParams: { n: 2, temperature: 0.1 } })).toMatchObject({
      choiceCount: 2,
      temperature: 0.1,
    });
    expect(prepare('{"n":null,"tools":null}')).toMatchObject({ choiceCount: 1, tools: undefined });
  });

  it('takes the messages that are sent', () => {
    expect(prepare('{"messages":[1, 2],"messages":[ {"a" : 1} ]}').messages).toEqual(['{"a" : 1}']);
    expect(prepare('{"messages":"x"}').messages).toEqual([]);
    expect(prepare('{"messages":[1]}', { samplingParams: { messages: [{ b: 2 }] } }).messages).toEqual([
      '{"b":2}',
    ]);
  });

  it.each([
    ['"Say \\"1.0\\""', 1, ['{"role":"user","content":"Say \\"1.0\\""}']],
    ['[1,2,3]', 1, []],
    ['["a","b"]', 2, []],
    ['["a"]', 1, ['{"role":"user","content":"a"}']],
    ['[[1,2],[3]]', 2, []],
    ['[]', 1, []],
    ['5', 1, []],
  ])('reads the prompt %s', (prompt, count, messages) => {
    const call = prepare(`{"prompt":${prompt},"n":2}`, { endpoint: 'completions' });
    expect(call).toMatchObject({ promptCount: count, choiceCount: count * 2, messages });
  });

  it.each(['', 'null', '[1]', '"x"', '{"a":1', '{"a":1}}', '<html>', '{"a":01}'])(
    'does not touch %s, which is no JSON object',
    (body) => {
      const plan: ReadPlan & InjectionPlan = {
        flavour: 'vllm',
        endpoint: 'chat',
        addLogprobs: true,
        addTokenIds: true,
        model: 'm',
        samplingParams: { temperature: 1 },
      };
      expect(prepareCall(Buffer.from(body), plan)).toBeUndefined();
    },
  );

  it('refuses what is nested too deep to be captured', () => {
    expect(() => prepare(`{"a":${'['.repeat(600)}${']'.repeat(600)}}`)).toThrow(
      expect.objectContaining({ code: 'ART_GATEWAY_BAD_REQUEST' }),
    );
  });

  it('takes a byte array that is no Buffer', () => {
    const bytes = new Uint8Array(Buffer.from('xx{"a":1}')).subarray(2);
    const prepared = prepareCall(bytes, {
      flavour: 'openai',
      endpoint: 'chat',
      addLogprobs: true,
      addTokenIds: true,
      model: 'm',
      samplingParams: {},
    });
    expect(Buffer.from(prepared?.body ?? []).toString()).toBe('{"a":1,"model":"m"}');
  });

  it('changes of any body no more than it must', () => {
    const json = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('logprobs', 'return_token_ids', 'temperature', 'stream', 'n')),
      fc.jsonValue({ maxDepth: 3 }),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const given = JSON.parse(text) as Record<string, unknown>;
        const result = JSON.parse(sent(text, { samplingParams: { temperature: 0.5 } })) as Record<
          string,
          unknown
        >;
        for (const name of Object.keys(given)) {
          const isOurs = ['logprobs', 'return_token_ids', 'temperature', 'stream_options'].includes(name);
          if (!isOurs) expect(result[name]).toEqual(given[name]);
        }
        expect(result['temperature']).toBe(0.5);
        expect(Boolean(result['logprobs'])).toBe(true);
        expect(Boolean(result['return_token_ids'])).toBe(true);
      }),
    );
  });
});
