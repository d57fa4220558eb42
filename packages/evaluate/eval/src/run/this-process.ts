import { hostname } from 'node:os';
import { createRequire } from 'node:module';
import type { RunProcess } from '../records/run-record.ts';

/** All packages of the toolkit have one version. */
const artVersion: string = (createRequire(import.meta.url)('@art/eval/package.json') as { version: string })
  .version;

/** This process as the record of a run names it. */
export function thisProcess(): RunProcess {
  return {
    startedAtMs: Date.now(),
    pid: process.pid,
    host: hostname(),
    versions: {
      art: artVersion,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    },
  };
}
