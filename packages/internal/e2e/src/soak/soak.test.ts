import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

interface SoakReport {
  outcomes: Record<string, number>;
  aliveSessions: number;
  mostSignalListeners: number;
  openFiles?: number;
  resources: string[];
}

it('60 sessions leave nothing behind, and the process ends by itself', async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [
      '--conditions=@art/source',
      join(import.meta.dirname, 'soak.ts'),
      '--rollouts',
      '60',
      '--concurrency',
      '30',
    ],
    { timeout: 200_000 },
  );
  const report = JSON.parse(stdout) as SoakReport;
  expect(stderr).not.toMatch(/MaxListenersExceeded/);
  expect(report.outcomes).toEqual({ ok: 60 });
  expect(report.aliveSessions).toBe(0);
  expect(report.mostSignalListeners).toBeLessThan(10);
  expect(report.openFiles ?? 0).toBeLessThan(40);
  expect(report.resources.filter((name) => name !== 'PipeWrap' && name !== 'TTYWrap')).toEqual([]);
}, 240_000);
