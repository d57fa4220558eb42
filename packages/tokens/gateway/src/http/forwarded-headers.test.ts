import { expect, it } from 'vitest';
import { forwardedReplyHeaders, forwardedRequestHeaders } from './forwarded-headers.ts';

it("forwards what concerns the engine, the agent's own key included", () => {
  const headers = {
    host: 'gateway',
    connection: 'keep-alive, x-hop',
    'x-hop': 'one',
    'content-length': '7',
    'transfer-encoding': 'chunked',
    'accept-encoding': 'gzip',
    authorization: 'Bearer k',
    'x-api-key': 'k',
    'content-type': 'application/json',
    'x-own': ['a', 'b'],
  };
  const kept = { 'content-type': 'application/json', 'x-own': ['a', 'b'] };
  expect(forwardedRequestHeaders(headers, false)).toEqual({
    ...kept,
    authorization: 'Bearer k',
    'x-api-key': 'k',
  });
  expect(forwardedRequestHeaders(headers, true)).toEqual(kept);
});

it('returns what concerns the agent', () => {
  expect(
    forwardedReplyHeaders({
      'content-length': '7',
      connection: 'close',
      'transfer-encoding': 'chunked',
      server: 'uvicorn',
      'content-type': 'a/b',
      'retry-after': '3',
    }),
  ).toEqual({ 'content-type': 'a/b', 'retry-after': '3' });
});
