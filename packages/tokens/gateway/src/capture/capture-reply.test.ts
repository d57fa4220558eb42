import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captureReply } from './capture-reply.ts';
import { captureStatus, type CapturedReply } from './captured-reply.ts';
import {
  bytesOf,
  plainChat,
  preparedCall,
  sampled,
  sglangChat,
  vllmChat,
  vllmCompletions,
} from './engine-replies.fixture.ts';
import type { InjectionPlan, PreparedCall } from './prepare-call.ts';

const prompt = [1, 2, 3];

function capture(
  reply: object | string,
  call: PreparedCall = preparedCall(),
): { text: string; captured: CapturedReply } {
  const bytes = typeof reply === 'string' ? Buffer.from(reply) : bytesOf(reply);
  const { body, captured } = captureReply(bytes, call);
  return { text: Buffer.from(body).toString(), captured };
}

function statuses(captured: CapturedReply): string[] {
  return captured.choices.map((choice) => captureStatus(choice, captured));
}

describe('captureReply', () => {
  it('reads a chat reply of vLLM and gives the agent what a plain server would', () => {
    const choice = sampled(5);
    const { text, captured } = capture(vllmChat(prompt, [choice]));
    expect(text).toBe(JSON.stringify(plainChat(prompt, [choice])));
    expect(captured).toMatchObject({
      model: 'm',
      promptTokenIds: Int32Array.from(prompt),
      usage: { prompt: 3, completion: 5 },
      ended: true,
      error: undefined,
    });
    expect(captured.choices).toHaveLength(1);
    expect(captured.choices[0]).toMatchObject({
      index: 0,
      tokenIds: Int32Array.from(choice.ids),
      logprobs: Float64Array.from(choice.logprobs),
      finishReason: 'stop',
      problems: [],
    });
    expect(statuses(captured)).toEqual(['complete']);
  });

  it('gives back the same bytes where the agent asked for everything', () => {
    const call = preparedCall({
      logprobs: true,
      return_token_ids: true,
      prompt_logprobs: 0,
      kv_transfer_params: { a: 1 },
      return_routed_experts: true,
    });
    const reply = JSON.stringify(vllmChat(prompt, [sampled(2)])).replace('"stop_reason":null,', '');
    const bytes = Buffer.from(reply);
    expect(captureReply(bytes, call).body).toBe(bytes);
  });

  it('gives back the same bytes where nothing is to be stripped, and still reads them', () => {
    const bytes = bytesOf(vllmChat(prompt, [sampled(2)]));
    const { body, captured } = captureReply(
      bytes,
      preparedCall({ logprobs: true }, { stripEngineFields: false }),
    );
    expect(body).toBe(bytes);
    expect(statuses(captured)).toEqual(['complete']);
  });

  it('keeps the logprobs that the agent asked for and takes out the ids', () => {
    const { text } = capture(
      vllmChat(prompt, [sampled(2)]),
      preparedCall({ logprobs: true, top_logprobs: 2 }),
    );
    const reply = JSON.parse(text) as { choices: Record<string, unknown>[] };
    expect(reply.choices[0]).toHaveProperty('logprobs.content.length', 2);
    expect(reply.choices[0]).not.toHaveProperty('token_ids');
    expect(reply).not.toHaveProperty('prompt_token_ids');
  });

  it('leaves the rest byte for byte: white space, numbers, escapes, repeated members', () => {
    const reply =
      '{ "id" : "x\\u0041", "big":1152921504606846976 ,"f": 1.0, "prompt_token_ids" : [1, 2],\n' +
      '"choices" :[ { "token_ids" : [ 7 ] , "index":0, "message":{"content":"😀\\n","x":1.0,"x":2} ,"finish_reason":"stop",' +
      '"logprobs":null, "token_ids":[8]} ], "usage":null ,"weight_version":"3"}\n';
    const { text, captured } = capture(reply);
    expect(text).toBe(
      '{ "id" : "x\\u0041", "big":1152921504606846976 ,"f": 1.0,\n' +
        '"choices" :[ { "index":0, "message":{"content":"😀\\n","x":1.0,"x":2} ,"finish_reason":"stop"} ], "usage":null}\n',
    );
    expect(captured.choices[0]?.message).toBe('{"content":"😀\\n","x":1.0,"x":2}');
    // Of repeated fields the last one counts.
    expect(captured.choices[0]?.tokenIds).toEqual(Int32Array.of(8));
    expect(captured.weightVersion).toBe('3');
  });

  it('reads every choice', () => {
    const choices = [sampled(3), sampled(5, 1), { ...sampled(2, 2), finishReason: 'length' }];
    const { text, captured } = capture(vllmChat(prompt, choices), preparedCall({ n: 3 }));
    expect(text).toBe(JSON.stringify(plainChat(prompt, choices)));
    expect(captured.choices.map((choice) => [...choice.tokenIds])).toEqual(
      choices.map((choice) => choice.ids),
    );
    expect(captured.choices.map((choice) => choice.finishReason)).toEqual(['stop', 'stop', 'length']);
    expect(statuses(captured)).toEqual(['complete', 'complete', 'complete']);
  });

  it('reads a choice whose index comes last', () => {
    const { captured } = capture(
      '{"choices":[{"token_ids":[2],"message":{},"finish_reason":"stop","index":1},{"token_ids":[1],"message":{},"finish_reason":"stop","index":0}]}',
      preparedCall({ n: 2 }),
    );
    expect(captured.choices.map((choice) => [choice.index, ...choice.tokenIds])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('reads a chat reply of SGLang', () => {
    const choices = [sampled(3), sampled(2, 1)];
    const call = preparedCall({ n: 2 }, { flavour: 'sglang' });
    const { text, captured } = capture(sglangChat(prompt, choices), call);
    expect(statuses(captured)).toEqual(['complete', 'complete']);
    expect(captured.choices.map((choice) => [...choice.tokenIds])).toEqual(
      choices.map((choice) => choice.ids),
    );
    expect(captured.promptTokenIds).toEqual(Int32Array.from(prompt));
    expect(captured.weightVersion).toBe('7');
    // Of the whole answer, and not by token.
    expect(captured.choices[1]?.weightVersions).toEqual([]);
    expect(text).not.toMatch(/token_ids|logprobs/);
    // Its ordinary additions stay.
    expect(text).toContain('"metadata":{"weight_version":"7"}');
    expect(text).toContain('"matched_stop":null');
  });

  it('reads the ids of SGLang from `meta_info` and from `sglext`', () => {
    const call = preparedCall({}, { flavour: 'sglang' });
    const meta =
      '{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop","prompt_token_ids":[1],"meta_info":{"id":"r",' +
      '"weight_version":"v2","weight_versions":[{"version":"v1","start":0,"end":1},{"version":"v2","start":1,"end":2}],' +
      '"output_token_logprobs":[[-0.5,10,null],[-0.25,11,"x"]],"routed_experts":"AAAA"}}],"usage":{"completion_tokens":2}}';
    const fromMeta = capture(meta, call);
    expect(fromMeta.captured.choices[0]).toMatchObject({
      tokenIds: Int32Array.of(10, 11),
      logprobs: Float64Array.of(-0.5, -0.25),
      problems: [],
      weightVersions: [
        { version: 'v1', start: 0, end: 1 },
        { version: 'v2', start: 1, end: 2 },
      ],
      routedExperts: { data: 'AAAA', encoding: 'int32_base64' },
    });
    expect(fromMeta.captured.weightVersion).toBe('v2');
    expect(fromMeta.text).not.toContain('meta_info');

    const ext =
      '{"choices":[{"index":0,"message":{},"finish_reason":"stop","logprobs":{"content":[{"logprob":-1}]}}],' +
      '"sglext":{"input_ids":[1,2],"output_ids":[[5]],"routed_experts":"QUJD","cached_tokens_details":{"a":1}},"usage":null}';
    const fromExt = capture(ext, call);
    expect(fromExt.captured.choices[0]).toMatchObject({
      tokenIds: Int32Array.of(5),
      promptTokenIds: Int32Array.of(1, 2),
      routedExperts: { data: 'QUJD', encoding: 'int32_base64' },
      problems: [],
    });
    expect(fromExt.text).toContain('"sglext":{"cached_tokens_details":{"a":1}}');
    expect(capture(ext.replace(',"cached_tokens_details":{"a":1}', ''), call).text).toBe(
      '{"choices":[{"index":0,"message":{},"finish_reason":"stop"}],"usage":null}',
    );
  });

  it('reads completions, each with its own prompt', () => {
    const call = preparedCall({ logprobs: 2 }, { endpoint: 'completions' });
    const one = capture(vllmCompletions(prompt, [sampled(3)]), call);
    expect(statuses(one.captured)).toEqual(['complete']);
    expect(one.captured.choices[0]?.message).toBe('{"role":"assistant","content":"t0 t1 t2 "}');
    expect(one.text).toContain('token_logprobs');
    expect(one.text).not.toContain('token_ids');

    const several = capture(
      '{"choices":[{"index":0,"text":"a","token_ids":[5],"prompt_token_ids":[1],"finish_reason":"stop","logprobs":{"token_logprobs":[-1]}},' +
        '{"index":1,"text":"b","token_ids":[6],"prompt_token_ids":[2,3],"finish_reason":"stop","logprobs":{"token_logprobs":[-1]}}],' +
        '"usage":{"prompt_tokens":3,"completion_tokens":2}}',
      preparedCall({ prompt: ['a', 'bc'] }, { endpoint: 'completions' }),
    );
    expect(statuses(several.captured)).toEqual(['complete', 'complete']);
    expect(several.captured.choices[1]?.promptTokenIds).toEqual(Int32Array.of(2, 3));
  });

  it('reads the nested lists of TensorRT-LLM', () => {
    const call = preparedCall({ prompt: ['a', 'b'], n: 2 }, { endpoint: 'completions', flavour: 'trtllm' });
    const choices = [0, 1, 2, 3].map(
      (index) =>
        `{"index":${index},"text":"","token_ids":[${index}],"finish_reason":"stop","logprobs":{"token_logprobs":[-1]}}`,
    );
    const { captured, text } = capture(
      `{"prompt_token_ids":[[1,2],[3]],"choices":[${choices.join(',')}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`,
      call,
    );
    expect(captured.choices.map((choice) => [...choice.promptTokenIds])).toEqual([[1, 2], [1, 2], [3], [3]]);
    expect(statuses(captured)).toEqual(['complete', 'complete', 'complete', 'complete']);
    expect(text).not.toContain('token_ids');
  });

  it('takes ids out of tokens that are spelled as ids', () => {
    const chat =
      '{"prompt_token_ids":[1],"choices":[{"index":0,"message":{},"finish_reason":"stop","logprobs":{"content":[' +
      '{"token":"token_id:10","logprob":-0.5},{"logprob":-1,"token":"token_id:11"}]}}]}';
    expect(capture(chat).captured.choices[0]?.tokenIds).toEqual(Int32Array.of(10, 11));
    const newer = chat.replaceAll(/"token":"token_id:(\d+)"/g, '"token_id":$1,"rank":1');
    expect(capture(newer).captured.choices[0]?.tokenIds).toEqual(Int32Array.of(10, 11));
    const completions =
      '{"choices":[{"index":0,"text":"","prompt_token_ids":[1],"finish_reason":"stop","logprobs":{"tokens":["token_id:7"],"token_logprobs":[-2]}}]}';
    const call = preparedCall({}, { endpoint: 'completions' });
    expect(capture(completions, call).captured.choices[0]).toMatchObject({
      tokenIds: Int32Array.of(7),
      problems: [],
    });
    // One token that is no id, and none of them is trusted.
    const mixed = capture(chat.replace('token_id:11', 'token_id:x'));
    expect(mixed.captured.choices[0]?.problems[0]).toMatch(/^no_token_ids: /);
  });

  it('reads weight versions wherever an engine puts them', () => {
    const spans = '[{"version":3,"start":0,"end":1},{"version":"4","start":1,"end":2}]';
    const expected = [
      { version: '3', start: 0, end: 1 },
      { version: '4', start: 1, end: 2 },
    ];
    const plain = JSON.stringify(plainChat(prompt, [sampled(2)]));
    const atTop = plain.replace('"created":1', `"created":1,"weight_version":4,"weight_versions":${spans}`);
    const inChoice = plain.replace('"index":0', `"index":0,"weight_versions":${spans}`);
    for (const reply of [atTop, inChoice]) {
      const { text, captured } = capture(reply);
      expect(captured.choices[0]?.weightVersions).toEqual(expected);
      expect(text).toBe(plain);
    }
    const inMetadata = plain.replace('"created":1', `"created":1,"metadata":{"weight_versions":${spans}}`);
    expect(capture(inMetadata).captured.choices[0]?.weightVersions).toEqual(expected);
    // Another shape is nothing to be guessed at.
    const other = capture(plain.replace('"index":0', '"index":0,"weight_versions":["3","4"]'));
    expect(other.captured.choices[0]?.weightVersions).toEqual([]);
  });

  it('keeps routed experts and routing matrices as they are', () => {
    const reply = JSON.stringify(vllmChat(prompt, [sampled(2)])).replace(
      '"routed_experts":null',
      '"routed_experts":"k05VTVBZAQ==","routing_matrices":["AA==",""]',
    );
    const { text, captured } = capture(reply);
    expect(captured.choices[0]).toMatchObject({
      routedExperts: { data: 'k05VTVBZAQ==', encoding: 'npy_base64' },
      routingMatrices: ['AA==', ''],
    });
    expect(text).toBe(JSON.stringify(plainChat(prompt, [sampled(2)])));
    const object = capture(reply.replace('"k05VTVBZAQ=="', '{"data":"x","shape":[1]}'));
    expect(object.captured.choices[0]?.routedExperts).toEqual({
      data: '{"data":"x","shape":[1]}',
      encoding: 'unknown',
    });
  });

  it('captures a plain server as text and does not touch its bytes', () => {
    const bytes = bytesOf({
      ...plainChat(prompt, [sampled(2)]),
      weight_version: 'x',
      kv_transfer_params: null,
    });
    const { body, captured } = captureReply(bytes, preparedCall({}, { flavour: 'openai' }));
    expect(body).toBe(bytes);
    expect(statuses(captured)).toEqual(['text_only']);
  });

  it('captures TensorRT-LLM without ids as text, and its logprobs go unless asked for', () => {
    const choice = sampled(2);
    const reply = { ...plainChat(prompt, [choice]), choices: vllmChatChoices(choice) };
    const { text, captured } = capture(reply, preparedCall({}, { flavour: 'trtllm' }));
    expect(statuses(captured)).toEqual(['text_only']);
    expect(text).not.toContain('logprobs');
  });

  it.each([
    ['<html>Bad Gateway</html>', 'Not JSON'],
    ['', 'Not JSON'],
    ['[1]', 'no object'],
    ['{"choices":[{"index":0,"token_ids":[1', 'Not JSON'],
    ['{"error":{"message":"overloaded","code":503}}', 'overloaded'],
    ['{"object":"error","message":"too long","code":400}', 'too long'],
  ])('passes %s on untouched, as no answer', (reply, error) => {
    const { text, captured } = capture(reply);
    expect(text).toBe(reply);
    expect(captured).toMatchObject({ choices: [], ended: false });
    expect(captured.error).toContain(error);
  });

  it('captures an answer of no tokens as complete', () => {
    const { captured } = capture(vllmChat(prompt, [{ ...sampled(0), finishReason: 'length' }]));
    expect(statuses(captured)).toEqual(['complete']);
  });

  it('reads whatever was generated, and strips what JSON would strip', () => {
    const generated = fc.record({
      prompt: fc.array(fc.integer({ min: 0, max: 0x7fff_ffff }), { minLength: 1, maxLength: 30 }),
      tokens: fc.array(
        fc.tuple(
          fc.integer({ min: 0, max: 0x7fff_ffff }),
          fc.double({ min: -9999, max: 0, noNaN: true }),
          fc.string({ unit: 'grapheme' }),
        ),
        { maxLength: 30 },
      ),
    });
    fc.assert(
      fc.property(
        fc.array(generated, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(0, 1),
        (all, indent) => {
          const promptIds = all[0]?.prompt ?? [];
          const choices = all.map(({ tokens }) => ({
            ids: tokens.map(([id]) => id),
            logprobs: tokens.map(([, logprob]) => (logprob === 0 ? 0 : logprob)),
            texts: tokens.map(([, , text]) => text),
            finishReason: 'stop',
          }));
          const reply = JSON.stringify(vllmChat(promptIds, choices), null, indent);
          const { text, captured } = capture(reply, preparedCall({ n: choices.length }));
          expect(JSON.parse(text)).toEqual(plainChat(promptIds, choices));
          expect([...captured.promptTokenIds]).toEqual(promptIds);
          expect(captured.choices.map((choice) => [...choice.tokenIds])).toEqual(
            choices.map(({ ids }) => ids),
          );
          expect(captured.choices.map((choice) => [...(choice.logprobs ?? [])])).toEqual(
            choices.map(({ logprobs }) => logprobs),
          );
          expect(statuses(captured)).toEqual(choices.map(() => 'complete'));
        },
      ),
    );
  });

  it('leaves any JSON without engine fields as it is', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.constantFrom<InjectionPlan['flavour']>('vllm', 'sglang', 'trtllm', 'openai'),
        (text, flavour) => {
          const bytes = Buffer.from(text);
          expect(captureReply(bytes, preparedCall({}, { flavour })).body).toBe(bytes);
        },
      ),
    );
  });
});

function vllmChatChoices(choice: ReturnType<typeof sampled>): unknown {
  const { choices } = vllmChat(prompt, [choice]) as { choices: Record<string, unknown>[] };
  for (const each of choices) delete each['token_ids'];
  return choices;
}
