import { expect, it } from 'vitest';
import { loopbackWithoutProxy } from './without-proxy.ts';

const all = '127.0.0.1,localhost,::1';

it.each<[NodeJS.ProcessEnv, string | undefined]>([
  [{}, undefined],
  [{ NO_PROXY: 'x' }, undefined],
  [{ HTTP_PROXY: '' }, undefined],
  [{ HTTP_PROXY: 'http://p' }, all],
  [{ https_proxy: 'http://p' }, all],
  [{ HTTP_PROXY: 'http://p', no_proxy: '.corp, localhost' }, '.corp,localhost,127.0.0.1,::1'],
  [{ HTTP_PROXY: 'http://p', NO_PROXY: '*' }, undefined],
  [{ HTTP_PROXY: 'http://p', NO_PROXY: all }, undefined],
])('of %j is %j', (env, expected) => {
  expect(loopbackWithoutProxy(env)).toEqual(
    expected === undefined ? {} : { NO_PROXY: expected, no_proxy: expected },
  );
});
