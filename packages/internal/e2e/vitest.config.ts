import { availableParallelism } from 'node:os';
import shared from '@art/tooling/vitest';
import { defineProject, mergeConfig } from 'vitest/config';

export default mergeConfig(
  shared,
  defineProject({
    test: {
      name: 'e2e',
      globalSetup: ['src/interop/python-setup.ts'],
      // These tests wait for other processes more than they compute; alone, one keeps half of a small machine idle.
      maxWorkers: Math.max(2, availableParallelism() - 1),
    },
  }),
);
