import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import { isRunning } from '@art/tooling/is-running';

function processesWith(marker: string): string[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(marker) && !/^\s*\d+\s+Z/.test(line));
}

describe('no session outlives its host', () => {
  // SIGTERM ends a process as SIGINT does, and process.exit() as an error does.
  it.each(['SIGKILL', 'SIGINT', 'throw', 'close'])('ended by %s', async (ending) => {
    const marker = `host-${ending}-${process.pid}`;
    const host = spawn(
      process.execPath,
      ['--conditions=@art/source', join(import.meta.dirname, 'host-process.fixture.ts'), ending, marker],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const exited = once(host, 'exit');
    const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string];
    const { pids, logDir } = JSON.parse(line) as { pids: number[]; logDir: string };
    try {
      expect(pids.length).toBeGreaterThanOrEqual(6);
      if (ending.startsWith('SIG')) {
        for (const pid of pids) expect(isRunning(pid)).toBe(true);
        host.kill(ending as NodeJS.Signals);
      }
      const [code] = (await exited) as [number | null];
      // After close() nothing keeps the host alive, and nothing it waits for is forgotten (exit code 13).
      if (ending === 'close') expect(code).toBe(0);
      await eventually(() => expect(pids.filter(isRunning)).toEqual([]));
      // The warm ones too, and those that were still starting.
      await eventually(() => expect(processesWith(marker)).toEqual([]));
    } finally {
      rmSync(logDir, { recursive: true, force: true });
    }
  });
});
