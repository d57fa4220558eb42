import { describe, expect, it } from 'vitest';
import { captureReply } from './capture-reply.ts';
import {
  bytesOf,
  plainChat,
  preparedCall,
  sampled,
  sglangChat,
  vllmChat,
  vllmChatEvents,
} from './engine-replies.fixture.ts';
import type { PreparedCall } from './prepare-call.ts';
import { StreamCapture } from './stream-capture.ts';
import { toCaptures, type CaptureContext } from './to-captures.ts';
import type { NewCapture } from '../store/capture-store.ts';

const prompt = [1, 2];

function context(rest: Partial<CaptureContext> = {}): CaptureContext {
  let next = 0;
  return {
    sessionId: 's',
    wire: 'chat',
    worker: 'http://w',
    timestampMs: 5,
    latencyMs: 6,
    announcedVersions: [undefined],
    engine: 'vllm',
    newCaptureId: () => `t${next++}`,
    ...rest,
  };
}

function captures(
  reply: object | Buffer,
  call: PreparedCall = preparedCall(),
  rest: Partial<CaptureContext> = {},
): NewCapture[] {
  const { captured } = captureReply(Buffer.isBuffer(reply) ? reply : bytesOf(reply), call);
  return toCaptures(call, captured, context(rest)).map((capture) => ({
    ...capture,
    messages: capture.messages.map((message) => Buffer.from(message).toString()),
  }));
}

describe('toCaptures', () => {
  it('makes a capture of each choice', () => {
    const choices = [sampled(2), sampled(3, 1)];
    const call = preparedCall({ n: 2, temperature: 0.5, top_p: 0.9, tools: [] });
    const [first, second] = captures(vllmChat(prompt, choices), call);
    expect(first).toEqual({
      captureId: 't0',
      sessionId: 's',
      choiceIndex: 0,
      choiceCount: 2,
      wire: 'chat',
      engine: 'vllm',
      worker: 'http://w',
      model: 'm',
      timestampMs: 5,
      latencyMs: 6,
      messages: ['{"role":"user","content":"Hi"}'],
      tools: '[]',
      responseMessage:
        '{"role":"assistant","content":"t0 t1 ","refusal":null,"annotations":null,"audio":null,"function_call":null,"reasoning":null}',
      promptTokenIds: Int32Array.from(prompt),
      completionTokenIds: Int32Array.from(choices[0]?.ids ?? []),
      logprobs: Float64Array.from(choices[0]?.logprobs ?? []),
      finishReason: 'stop',
      weightVersion: undefined,
      weightVersions: [],
      routedExperts: undefined,
      routingMatrices: undefined,
      usage: { prompt: 2, completion: 2 },
      temperature: 0.5,
      topP: 0.9,
      samplingParams: '{"temperature":0.5,"top_p":0.9,"n":2}',
      status: 'complete',
      problems: [],
      metadata: {},
      rawRequest: undefined,
      rawResponse: undefined,
    });
    expect(second).toMatchObject({ captureId: 't1', choiceIndex: 1, usage: { prompt: 2, completion: 3 } });
    const marked = captures(vllmChat(prompt, choices), call, { illFormedChoices: new Set([1]) });
    expect(marked.map(({ metadata }) => metadata)).toEqual([{}, { ill_formed: true }]);
  });

  it('knows no count of a choice of several without ids', () => {
    const choice = (index: number) => ({
      index,
      message: { role: 'assistant', content: 'a' },
      finish_reason: 'stop',
    });
    const reply = {
      model: 'm',
      choices: [0, 1].map(choice),
      usage: { prompt_tokens: 4, completion_tokens: 6 },
    };
    const usages = captures(reply, preparedCall({ n: 2 })).map(({ usage }) => usage);
    expect(usages).toEqual([0, 1].map(() => ({ prompt: 4, completion: undefined })));
  });

  it('takes the trainer’s weight version before one that the engine gives for the whole, and keeps the engine’s', () => {
    const call = preparedCall({}, { flavour: 'sglang' });
    const reply = sglangChat(prompt, [sampled(2)]);
    const spans = [{ version: '7', start: 0, end: 2 }];
    expect(captures(reply, call, { announcedVersions: [3] })[0]).toMatchObject({
      weightVersion: 3,
      weightVersions: spans,
    });
    expect(captures(reply, call)[0]).toMatchObject({ weightVersion: 7, weightVersions: spans });
    const text = Buffer.from(JSON.stringify(reply).replace('"7"', '"step-7"'));
    expect(captures(text, call)[0]).toMatchObject({
      weightVersion: undefined,
      weightVersions: [{ version: 'step-7', start: 0, end: 2 }],
    });
  });

  it('makes none of a call that failed', () => {
    expect(captures({ error: { message: 'no' } })).toEqual([]);
    expect(captures({ object: 'error', message: 'no', code: 400 })).toEqual([]);
    expect(captures(Buffer.from('<html>'))).toEqual([]);
  });

  it('makes a partial one of an answer that broke off, and none where nothing of it had come', () => {
    const call = preparedCall({ stream: true });
    const after = (count: number): NewCapture[] => {
      const capture = new StreamCapture(call);
      for (const event of vllmChatEvents(prompt, [sampled(4)]).slice(0, count))
        capture.push(Buffer.from(event));
      return toCaptures(call, capture.finish().captured, context());
    };
    expect(after(0)).toEqual([]);
    expect(after(1)).toEqual([]);
    expect(after(3)).toMatchObject([
      { status: 'partial', completionTokenIds: Int32Array.from(sampled(4).ids.slice(0, 2)) },
    ]);
    expect(after(6)).toMatchObject([{ status: 'complete' }]);
  });

  it('has no logprobs where there are no ids', () => {
    const [capture] = captures(plainChat(prompt, [sampled(2)]), preparedCall({}, { flavour: 'openai' }));
    expect(capture).toMatchObject({
      status: 'text_only',
      logprobs: undefined,
      completionTokenIds: new Int32Array(0),
    });
  });

  it('makes ids of its own', () => {
    const call = preparedCall();
    const { captured } = captureReply(bytesOf(vllmChat(prompt, [sampled(1)])), call);
    const { newCaptureId: _, ...rest } = context();
    const ids = [1, 2].map(() => toCaptures(call, captured, rest)[0]?.captureId);
    expect(ids[0]).toMatch(/^[\da-f-]{36}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });
});
