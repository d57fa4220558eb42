import { createRequire } from 'node:module';

/** All packages of the toolkit have one version. */
export const artVersion: string = (
  createRequire(import.meta.url)('@art/eval/package.json') as { version: string }
).version;
