import { defineProject, mergeConfig } from 'vitest/config';
import shared from './src/vitest-config.ts';

export default mergeConfig(shared, defineProject({ test: { name: 'tooling' } }));
