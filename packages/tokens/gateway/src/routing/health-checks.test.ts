import { expect, it } from 'vitest';
import { showsHealth } from './health-checks.ts';

it.each([
  [200, 'vllm', true],
  [404, 'vllm', true],
  [405, undefined, true],
  [503, 'vllm', false],
  [500, 'openai', false],
  [401, 'openai', true],
  [401, 'sglang', false],
] as const)('a worker that answers /health with %s, flavour %s: %s', (status, flavour, alive) => {
  expect(showsHealth(status, flavour)).toBe(alive);
});
