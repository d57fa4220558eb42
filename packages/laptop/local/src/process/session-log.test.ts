import { closeSync, existsSync, mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionLog } from './session-log.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'session-log-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('SessionLog', () => {
  it('follows its process to the name of its session', async () => {
    const log = new SessionLog(directory, 1);
    const descriptor = log.openForChild();
    writeSync(descriptor, 'before\n');
    log.assign('session');
    writeSync(descriptor, 'after\n');
    closeSync(descriptor);
    await log.note('a word');
    expect(log.path).toBe(join(directory, 'session.log'));
    expect(readFileSync(log.path, 'utf8')).toBe('before\nafter\n[local runtime] a word\n');
  });

  it('keeps the log of an earlier process of the same session', () => {
    const names = [1, 2, 3].map((start) => {
      const log = new SessionLog(directory, start);
      closeSync(log.openForChild());
      log.assign('session');
      return basename(log.path);
    });
    expect(names).toEqual(['session.log', 'session.2.log', 'session.3.log']);
  });

  it('shows the last lines only, also of a long file and of none', () => {
    const log = new SessionLog(directory, 1);
    expect(log.tail(3)).toEqual([]);
    const descriptor = log.openForChild();
    for (let line = 1; line <= 10_000; line += 1) writeSync(descriptor, `line ${line}\n`);
    closeSync(descriptor);
    expect(log.tail(3)).toEqual(['line 9998', 'line 9999', 'line 10000']);
    log.discard();
    expect(existsSync(log.path)).toBe(false);
    log.discard();
  });
});
