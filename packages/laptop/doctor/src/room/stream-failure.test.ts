import { expect, it } from 'vitest';
import type { AskedAnswer } from './ask.ts';
import { streamFailure } from './stream-failure.ts';

const answer = (text: string, type = 'text/event-stream; charset=utf-8'): AskedAnswer => ({
  status: 200,
  headers: { 'content-type': type },
  text,
  json: undefined,
  tookMs: 1,
});

it.each([
  ['event: error\ndata: {"error":"boom"}\n\n'],
  ['data: hel\n\nevent: error\ndata: no\n\n'],
  ['data: {"error":"boom","error_type":"Error","message":"An error occurred during streaming"}\n\n'],
  ['data: {"type":"error","errorText":"no key"}\r\n\r\n'],
  ['data: {"error":{"message":"no key","code":401}}\n\n'],
  [''],
  [': ping\n\n'],
])('%j is no answer', (text) => {
  expect(streamFailure(answer(text))).toBeDefined();
});

it.each([
  ['data: hel\n\ndata: lo\n\n'],
  ['data: {"text":"the word error","error":null}\n\n'],
  ['data: {"answer":"x","error":"none of yours"}\n\n'],
  ['event: message\ndata: error\n\n'],
])('%j is one', (text) => {
  expect(streamFailure(answer(text))).toBeUndefined();
});

it('says nothing of what is no stream', () => {
  expect(streamFailure(answer('{"error":"boom"}', 'application/json'))).toBeUndefined();
});
