import { expect, it } from 'vitest';
import { isSessionTarget, placeholderPath, placeholderUrl } from './session-path.ts';

const path = '/sessions/a-1/v1';

it.each([
  path,
  `${path}/chat/completions`,
  `${path}/models/org%20x`,
  `${path}/responses/r_1?include=a&b=%2e%2e/`,
])('%s is of the session', (target) => {
  expect(isSessionTarget(target, path)).toBe(true);
});

it.each([
  '/',
  '*',
  '/admin/workers',
  '/sessions/a-1',
  '/sessions/a-1/traces',
  '/sessions/a-12/v1/chat/completions',
  '/sessions/a-1/v12',
  '/sessions/other/v1/chat/completions',
  `${path}/../../other/v1/chat/completions`,
  `${path}/./x`,
  `${path}/x/..`,
  `${path}//x`,
  `${path}/%2e%2e/%2E%2E/other`,
  `${path}/%2E./x`,
  `${path}/..%2fadmin`,
  `${path}/..%5cadmin`,
  `${path}/..\\admin`,
  `${path}/%00`,
  `${path}/%0d%0ahost:x`,
  `${path}/x y`,
  `${path}/x#y`,
  `${path}/%zz`,
  `${path}?a b`,
  `http://elsewhere${path}/chat/completions`,
  `//elsewhere${path}/chat/completions`,
  `/.${path}/x`,
  `/x/..${path}/x`,
])('%s is not', (target) => {
  expect(isSessionTarget(target, path)).toBe(false);
});

it('a session whose id is the beginning of another one has no way into that', () => {
  expect(isSessionTarget('/sessions/a/b/v1/chat/completions', '/sessions/a/v1')).toBe(false);
});

it('an address that nobody has carries the path of the session', () => {
  expect(placeholderPath(placeholderUrl(path))).toBe(path);
  for (const url of [
    undefined,
    '',
    'http://127.0.0.1:1/v1',
    'http://reach.invalid.evil/x',
    'http://reach.invalid/../x',
  ])
    expect(placeholderPath(url)).toBeUndefined();
});
