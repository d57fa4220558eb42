import { parseJson } from '@art/ground';
import { expect, it } from 'vitest';
import { conversation, fullTrace } from '../testing/sample-trace.ts';
import { fromTraceRecord } from './from-trace-record.ts';
import { toTraceRecord } from './to-trace-record.ts';
import type { TraceRecord } from './trace-record.ts';
import type { Trace } from './trace.ts';

function record(trace: Trace): TraceRecord {
  return parseJson(toTraceRecord(trace)) as unknown as TraceRecord;
}

it('gives a trace of its record', () => {
  const traces = conversation('s', 3);
  expect(traces.map((trace) => fromTraceRecord(record(trace)))).toEqual(
    traces.map((trace) => ({ ...trace, usage: { prompt: expect.any(Number), completion: 3 } })),
  );
});

it('keeps everything that a trace can have; texts are spelled anew', () => {
  const trace = fullTrace({ traceId: 't', sessionId: 's' });
  const back = fromTraceRecord(record(trace));
  expect({ ...back, messages: [], tools: '', usage: 0, rawRequest: '' }).toEqual({
    ...trace,
    messages: [],
    tools: '',
    usage: 0,
    rawRequest: '',
  });
  expect(back.messages.map((text) => parseJson(text))).toEqual(trace.messages.map((text) => parseJson(text)));
  expect(parseJson(back.tools!)).toEqual(parseJson(trace.tools!));
});

it.each([
  [{ completion_token_ids: [], logprobs: null }, 'text_only'],
  [{ completion_token_ids: [7], logprobs: null }, 'incomplete'],
  [{ completion_token_ids: [7], logprobs: [-1] }, 'complete'],
] as const)('judges a record that does not say how true it is: %j', (changes, capture) => {
  const { capture: _capture, ...rest } = record(fullTrace({ traceId: 't', sessionId: 's' }));
  expect(fromTraceRecord({ ...rest, ...changes }).capture).toBe(capture);
});
