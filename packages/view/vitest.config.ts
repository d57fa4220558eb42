import shared from '@art/tooling/vitest';
import { defineProject, mergeConfig } from 'vitest/config';

export default mergeConfig(
  shared,
  defineProject({
    test: {
      name: 'view',
      globalSetup: ['src/testing/provided-chromium.fixture.ts'],
      // The page is built once in each worker, and not for each file.
      isolate: false,
    },
  }),
);
