import shared from '@art/tooling/vitest';
import { defineProject, mergeConfig } from 'vitest/config';

export default mergeConfig(
  shared,
  defineProject({
    test: {
      name: 'view',
      globalSetup: ['src/testing/provided-chromium.fixture.ts'],
      // The files share one browser, and do not compete for it.
      maxWorkers: 1,
      // Longer than what a test waits for in its page, so that a failure names what did not come.
      testTimeout: 300_000,
      expect: { poll: { timeout: 120_000 } },
    },
  }),
);
