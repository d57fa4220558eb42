import shared from '@art/tooling/vitest';
import { defineProject, mergeConfig } from 'vitest/config';

export default mergeConfig(shared, defineProject({ test: { name: 'training-stand-in' } }));
