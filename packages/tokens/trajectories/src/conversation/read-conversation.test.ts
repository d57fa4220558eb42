import { describe, expect, it } from 'vitest';
import type { TrainingRow } from '../rows/training-row.ts';
import type { CaptureRecord } from '../captures/capture-record.ts';
import { readConversation } from './read-conversation.ts';

const system = { role: 'system', content: 'Be brief.' };
const user = { role: 'user', content: 'Hello?' };
const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };

function capture(given: Partial<CaptureRecord>): CaptureRecord {
  return {
    trace_id: 't1',
    session_id: 's',
    model: 'm',
    messages: [system, user],
    prompt_token_ids: [1, 2],
    response_message: {
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [{ index: 0, ...call }],
    },
    completion_token_ids: [5, 6],
    logprobs: [-0.1, -2],
    routing_matrices: null,
    finish_reason: 'tool_calls',
    weight_version: 3,
    latency_ms: 10,
    token_counts: { prompt: 2, completion: 2 },
    timestamp: 1_000.5,
    metadata: {},
    raw_request: null,
    raw_response: { choices: [{ logprobs: { content: [{ token: 'a' }, { token: 'dd' }] } }] },
    ...given,
  };
}

describe('readConversation', () => {
  it('has each message once, although each call repeats those before, and agents write them in another way', () => {
    const result = { role: 'tool', tool_call_id: 'c1', content: '2' };
    const answer = { role: 'assistant', content: 'Two.' };
    const later = capture({
      trace_id: 't2',
      timestamp: 1_001,
      messages: [system, user, { tool_calls: [call], role: 'assistant', content: '' }, result],
      response_message: answer,
    });
    const { messages, calls } = readConversation([later, capture({})], []);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(calls).toMatchObject([
      { captureId: 't1', startedAtMs: 1_000_500, prompt: [0, 1], answer: 2, weightVersion: 3 },
      { captureId: 't2', prompt: [0, 1, 2, 3], answer: 4 },
    ]);
  });

  it('joins tokens with their texts, logprobs and what of them trains', () => {
    const row = {
      loss_mask: [0, 1, 1, 0],
      turn_spans: [{ trace_id: 't1', start: 1, end: 3 }],
    } as unknown as TrainingRow;
    const { calls } = readConversation([capture({})], [row]);
    expect(calls[0]?.tokens).toEqual({
      ids: [5, 6],
      logprobs: [-0.1, -2],
      texts: ['a', 'dd'],
      lossMask: [1, 1],
    });
  });

  it('has no texts, masks or tokens where they are not known or do not fit', () => {
    const bare = capture({ raw_response: null, logprobs: null });
    expect(readConversation([bare], []).calls[0]?.tokens).toEqual({
      ids: [5, 6],
      logprobs: null,
      texts: null,
      lossMask: null,
    });
    const text = capture({ completion_token_ids: [], token_counts: { prompt: 9, completion: 4 } });
    expect(readConversation([text], []).calls[0]).toMatchObject({
      tokens: null,
      promptTokens: 9,
      completionTokens: 4,
    });
  });

  it('knows no number of tokens that nobody counted, and counts the prompt of several choices once', () => {
    const text = capture({ completion_token_ids: [], prompt_token_ids: [], token_counts: {} });
    expect(readConversation([text], []).calls[0]).toMatchObject({
      promptTokens: null,
      completionTokens: null,
    });
    const choices = [0, 1].map((choice_index) => capture({ choice_index, trace_id: `t${choice_index}` }));
    expect(readConversation(choices, []).calls.map(({ promptTokens }) => promptTokens)).toEqual([2, 0]);
  });
});
