import { defineConfig } from 'vitest/config';
import shared from './vitest-config.ts';

const { projects: _ofTests, ...test } = shared.test ?? {};

/** Tests that need a real engine or trainer: a command of their own, `pnpm engines`, and no part of the tests. */
export default defineConfig({
  ...shared,
  // What looks at the machine before the first test is no test, and reads the sources all the same.
  environments: { __vitest__: { resolve: shared.ssr!.resolve! } },
  test: {
    ...test,
    name: 'engines',
    include: ['src/**/*.engine.ts'],
    reporters: ['verbose'],
    testTimeout: 1_800_000,
    hookTimeout: 900_000,
    // Two engines would not fit into the memory of a laptop.
    fileParallelism: false,
  },
});
