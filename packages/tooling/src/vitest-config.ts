import { join } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { SecondTryReporter } from './second-try-reporter.ts';

/**
 * Tests run against the TypeScript sources of sibling packages, so nothing has to be built first.
 * `ssr.resolve.conditions` is the list that vitest consults for Node tests.
 */
const config: ViteUserConfig = defineConfig({
  ssr: { resolve: { conditions: ['@art/source', 'node', 'development|production'] } },
  test: {
    include: ['src/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.test-report.json' }], new SecondTryReporter()],
    // Thousands of tests with real processes and sockets on a shared machine: one that fails twice is broken, one that
    // fails once is named in the closing line. At a desk every failure shows.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // Time-outs are for what hangs: a busy machine is slow, not wrong.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Hundreds of agents are started as processes: what the first of them compiled serves the others, for half of their time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/art-compile') },
    // A process of its own for each file takes longer than the tests in it. What files share they restore.
    isolate: false,
    setupFiles: [join(import.meta.dirname, 'patient-wait-for.ts')],
    restoreMocks: true,
  },
});

export default config;
