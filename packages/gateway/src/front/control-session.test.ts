import { expect, it } from 'vitest';
import { controlSession } from './control-session.ts';

it.each([
  ['GET', '/sessions', undefined],
  ['GET', '/sessions/', undefined],
  ['GET', '/sessions?since=1', undefined],
  ['GET', '/sessions/a', 'a'],
  ['GET', '/sessions/a%2Fb:c%20d/', 'a/b:c d'],
  ['GET', '/sessions/a/b/traces?limit=1', 'a/b'],
  ['GET', '/sessions/traces', 'traces'],
  ['GET', '/sessions/a/export.jsonl', 'a'],
  ['DELETE', '/sessions/a/traces', 'a/traces'],
  ['POST', '/sessions/batch_delete', undefined],
  ['DELETE', '/sessions/batch_delete', 'batch_delete'],
  ['POST', '/trajectories', undefined],
  ['POST', '/trajectories/a/finish', 'a'],
  ['GET', '/trajectories/a/finish', 'a/finish'],
  ['GET', '/trajectories/a/b/export.parquet', 'a/b'],
  ['DELETE', '/trajectories/a', 'a'],
  ['GET', '/traces/a', undefined],
  ['GET', '/admin/workers', undefined],
])('%s %s is about %s', (method, url, sessionId) => {
  expect(controlSession(method, url)).toBe(sessionId);
});
