import shared from '@art/tooling/vitest';
import { defineProject, mergeConfig } from 'vitest/config';

export default mergeConfig(
  shared,
  defineProject({
    // Real sockets on a machine that may be busy: limits are for what hangs, not for what is slow.
    test: {
      name: 'local-s3',
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 20_000 } },
    },
  }),
);
