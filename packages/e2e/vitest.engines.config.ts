import engines from '@art/tooling/vitest-engines';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ...engines,
  test: { ...engines.test, globalSetup: ['src/real-vllm/machine-setup.ts'] },
});
