import shared from '@art/tooling/vitest';
import { defineConfig } from 'vitest/config';

/** What needs a real vLLM and PyTorch: a command of its own, and no part of the tests. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    name: 'engines',
    include: ['src/**/*.engine.ts'],
    reporters: ['verbose'],
    retry: 0,
    testTimeout: 1_800_000,
  },
});
