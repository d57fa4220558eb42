import shared from '@art/tooling/vitest';
import { defineConfig } from 'vitest/config';

const { projects: _ofTests, ...test } = shared.test ?? {};

/** The tests of the gateway once more, through the sockets of sessions: `pnpm --filter @art/e2e reach-gateway`. */
export default defineConfig({
  ...shared,
  test: {
    ...test,
    name: 'reach',
    include: [
      'src/gateway/{lossless,engine-shapes,context-overflow,continued-turns,typescript-agents}.test.ts',
    ],
    setupFiles: ['src/reach/through-sockets-setup.ts'],
    // The report of the tests is another one.
    reporters: ['default'],
  },
});
