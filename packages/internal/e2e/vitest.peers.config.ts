import shared from '@art/tooling/vitest';
import { defineConfig } from 'vitest/config';

const { projects: _ofTests, ...test } = shared.test ?? {};

/** Code of others against ours, by their own tests: `pnpm peers`, which runs when what it reads has changed. */
export default defineConfig({
  ...shared,
  test: {
    ...test,
    name: 'peers',
    include: ['src/**/*.peer.ts'],
    globalSetup: ['src/interop/python-setup.ts'],
    // The report of the tests is another one.
    reporters: ['verbose'],
  },
});
