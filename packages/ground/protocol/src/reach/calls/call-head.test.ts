import { expect, it } from 'vitest';
import { type CallHead, readAnswerHead, readCallHead, writeHead } from './call-head.ts';

const head: CallHead = {
  call: 1,
  method: 'POST',
  path: '/sessions/a/v1',
  headers: ['a', 'ü'],
  bodyBytes: 3,
};

it('heads come as they were sent', () => {
  expect(readCallHead(writeHead(head))).toEqual(head);
  expect(readAnswerHead(writeHead({ status: 200, headers: [] }))).toEqual({ status: 200, headers: [] });
});

it.each<[string, object]>([
  ['no number', { call: -1 }],
  ['a method with a line break', { method: 'GET /\r\n' }],
  ['CONNECT', { method: 'CONNECT' }],
  ['no path', { path: 1 }],
  ['a header with a line break', { headers: ['a', 'b\r\nc: d'] }],
  ['a name without a value', { headers: ['a'] }],
  ['a name that is none', { headers: ['a b', ''] }],
  ['a length that is none', { bodyBytes: 0.5 }],
])('a call with %s is refused', (_what, wrong) => {
  expect(() => readCallHead(writeHead({ ...head, ...wrong }))).toThrow(/Expected/);
});

it('an answer that Node cannot write is refused', () => {
  for (const status of [100, 600, '200'])
    expect(() => readAnswerHead(writeHead({ status, headers: [] } as never))).toThrow(/status/);
  expect(() => readAnswerHead(Buffer.from('x'))).toThrow(/JSON object/);
});
