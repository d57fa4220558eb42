import shared from '@art/tooling/vitest';
import { defineConfig } from 'vitest/config';

/** What needs a real engine: a command of its own, `pnpm engines`, and no part of the tests. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    name: 'engines',
    include: ['src/**/*.engine.ts'],
    globalSetup: ['src/real-vllm/machine-setup.ts'],
    reporters: ['verbose'],
    retry: 0,
    testTimeout: 300_000,
    hookTimeout: 900_000,
    // Two engines would not fit into the memory of a laptop.
    fileParallelism: false,
  },
});
