import { defineConfig, type ViteUserConfig } from 'vitest/config';

/**
 * Tests run against the TypeScript sources of sibling packages, so nothing has to be built first.
 * `ssr.resolve.conditions` is the list that vitest consults for Node tests.
 */
const config: ViteUserConfig = defineConfig({
  ssr: { resolve: { conditions: ['@art/source', 'node', 'development|production'] } },
  test: {
    include: ['src/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.test-report.json' }]],
    restoreMocks: true,
  },
});

export default config;
