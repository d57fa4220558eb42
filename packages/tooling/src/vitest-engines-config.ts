import { defineConfig } from 'vitest/config';
import shared from './vitest-config.ts';

const { projects: _ofTests, ...test } = shared.test ?? {};

/** What needs a real engine or trainer: a command of its own, `pnpm engines`, and no part of the tests. */
export default defineConfig({
  ...shared,
  test: {
    ...test,
    name: 'engines',
    include: ['src/**/*.engine.ts'],
    reporters: ['verbose'],
    retry: 0,
    testTimeout: 1_800_000,
    hookTimeout: 900_000,
    // Two engines would not fit into the memory of a laptop.
    fileParallelism: false,
  },
});
