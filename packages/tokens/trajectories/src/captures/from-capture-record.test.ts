import { parseJson } from '@art/ground';
import { expect, it } from 'vitest';
import { conversation, fullCapture } from '../testing/sample-capture.ts';
import { fromCaptureRecord } from './from-capture-record.ts';
import { toCaptureRecord } from './to-capture-record.ts';
import type { CaptureRecord } from './capture-record.ts';
import type { Capture } from './capture.ts';

function record(capture: Capture): CaptureRecord {
  return parseJson(toCaptureRecord(capture)) as unknown as CaptureRecord;
}

it('gives a capture of its record', () => {
  const captures = conversation('s', 3);
  expect(captures.map((capture) => fromCaptureRecord(record(capture)))).toEqual(
    captures.map((capture) => ({ ...capture, usage: { prompt: expect.any(Number), completion: 3 } })),
  );
});

it('keeps everything that a capture can have; texts are spelled anew', () => {
  const capture = fullCapture({ captureId: 't', sessionId: 's' });
  const back = fromCaptureRecord(record(capture));
  expect({ ...back, messages: [], tools: '', usage: 0, rawRequest: '' }).toEqual({
    ...capture,
    messages: [],
    tools: '',
    usage: 0,
    rawRequest: '',
  });
  expect(back.messages.map((text) => parseJson(text))).toEqual(
    capture.messages.map((text) => parseJson(text)),
  );
  expect(parseJson(back.tools!)).toEqual(parseJson(capture.tools!));
});

it.each([
  [{ completion_token_ids: [], logprobs: null }, 'text_only'],
  [{ completion_token_ids: [7], logprobs: null }, 'incomplete'],
  [{ completion_token_ids: [7], logprobs: [-1] }, 'complete'],
] as const)('judges a record that does not say how true it is: %j', (changes, capture) => {
  const { capture: _capture, ...rest } = record(fullCapture({ captureId: 't', sessionId: 's' }));
  expect(fromCaptureRecord({ ...rest, ...changes }).status).toBe(capture);
});
