import { hostname } from 'node:os';
import type { RunProcess } from '../records/run-record.ts';
import { artVersion } from './art-version.ts';

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
