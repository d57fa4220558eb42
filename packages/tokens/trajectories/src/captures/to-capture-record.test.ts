import { parseJson } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { fullCapture, sampleCapture } from '../testing/sample-capture.ts';
import { toCaptureRecord } from './to-capture-record.ts';

describe('toTraceRecord', () => {
  it('writes the fields of the reference under their names and types', () => {
    const record = JSON.parse(toCaptureRecord(sampleCapture({ captureId: 't', sessionId: 's' }))) as object;
    expect(record).toMatchObject({
      trace_id: 't',
      session_id: 's',
      model: 'a-model',
      messages: [{ role: 'user', content: 'Hi' }],
      prompt_token_ids: [1, 2],
      response_message: { role: 'assistant', content: 'Hello' },
      completion_token_ids: [3, 4],
      logprobs: [-0.5, -0.25],
      routing_matrices: null,
      finish_reason: 'stop',
      weight_version: null,
      latency_ms: 12.5,
      token_counts: { prompt: 2, completion: 2 },
      timestamp: 1_700_000_000,
      metadata: {},
      raw_request: null,
      raw_response: null,
    });
  });

  it('splices messages, tools and numbers in as they came', () => {
    const capture = fullCapture({ captureId: 't', sessionId: 's' });
    const text = toCaptureRecord(capture);
    for (const part of [...capture.messages, capture.tools, capture.responseMessage, capture.rawRequest]) {
      expect(text).toContain(part);
    }
    const record = parseJson(text);
    expect(record).toMatchObject({
      weight_version: 41,
      weight_versions: [{ version: 'step-41', start: 0, end: 1 }],
      routed_experts: { data: 'AAEC', encoding: 'int32_base64', shape: [1, 2, 3] },
      routing_matrices: ['AA==', ''],
      capture: 'incomplete',
      capture_problems: ['usage.completion_tokens is missing'],
      token_counts: { prompt: 7, completion: 1 },
      metadata: { big: 1_152_921_504_606_846_976n },
      choice_index: 1,
      choice_count: 2,
    });
  });

  it('keeps to the types that readers insist on', () => {
    const capture = sampleCapture({
      captureId: 't',
      sessionId: 's',
      weightVersion: 3.7,
      promptTokenIds: new Int32Array(0),
      completionTokenIds: new Int32Array(0),
      logprobs: undefined,
      usage: { prompt: 12, completion: undefined },
      rawResponse: 'data: {"a":1}\n\n',
      rawRequest: '{"cut off":',
    });
    expect(JSON.parse(toCaptureRecord(capture))).toMatchObject({
      weight_version: null,
      prompt_token_ids: [],
      completion_token_ids: [],
      logprobs: null,
      token_counts: { prompt: 12 },
      raw_response: null,
      raw_request: null,
    });
  });

  it('leaves logprobs out, and says so, where JSON cannot hold one of them', () => {
    const logprobs = Float64Array.of(-0.5, Number.NEGATIVE_INFINITY);
    const record = JSON.parse(
      toCaptureRecord(sampleCapture({ captureId: 't', sessionId: 's', logprobs })),
    ) as object;
    expect(record).toMatchObject({ logprobs: null, capture_problems: [expect.stringContaining('not all')] });
  });
});
