import { expect, it } from 'vitest';
import { answerHeaders, requestHeaders } from './forwarded-headers.ts';

it('an agent sends none of its credentials, nothing of its connection, and no other host', () => {
  const headers = `Host a Authorization b X-Api-Key c api-key d x-goog-api-key e Cookie f Connection x-own,close X-Own g
    Transfer-Encoding chunked TE h Upgrade i Proxy-Authorization j Content-Length 1 Expect 100-continue`;
  const kept = ['Content-Type', 'application/json', 'x-art-label', 'solver', 'x-art-label', 'twice'];
  expect(requestHeaders([...headers.split(/\s+/), ...kept])).toEqual(kept);
});

it('an answer keeps all but its connection', () => {
  const kept = ['Content-Length', '3', 'Set-Cookie', 'a', 'Set-Cookie', 'b', 'Retry-After', '1'];
  expect(answerHeaders(['Connection', 'keep-alive', 'Keep-Alive', 'timeout=5', ...kept])).toEqual(kept);
});
