import { expect, it } from 'vitest';
import { errorChain } from './error-chain.ts';

it('follows causes, the last of several tries, and all addresses that were tried', () => {
  const refused = new Error('refused');
  const addresses = new AggregateError([refused, new Error('also refused')]);
  const first = new Error('503');
  const last = new Error('400');
  const retried = Object.assign(new Error('gave up', { cause: addresses }), {
    lastError: last,
    errors: [first, last],
  });
  const outer = new Error('turn 3', { cause: retried });
  const chain = errorChain(outer);
  expect(chain.slice(0, 4)).toEqual([outer, retried, addresses, last]);
  expect(chain).toContain(refused);
  expect(chain).not.toContain(first);
});

it('ends where a chain leads back, goes too deep, or cannot be read', () => {
  const loop = new Error('loop');
  loop.cause = loop;
  expect(errorChain(loop)).toEqual([loop]);
  let deep = new Error('innermost');
  for (let depth = 0; depth < 100; depth += 1) deep = new Error('outer', { cause: deep });
  expect(errorChain(deep)).toHaveLength(32);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(errorChain(new Error('x', { cause: proxy }))).toHaveLength(2);
  const wide = new AggregateError(Array.from({ length: 100_000 }, () => ({})));
  expect(errorChain(wide)).toHaveLength(32);
  expect(errorChain('text')).toEqual([]);
});
