import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '@art/ground/testing';
import type { LineLog } from '../log/rollout-journal.ts';
import { FileJournal, type FileJournalOptions } from './file-journal.ts';
import { nodeFileSystem, type JournalFileSystem } from './journal-file-system.ts';

const acknowledged = (index: number): string =>
  JSON.stringify({ type: 'acknowledged', item: `item-${index}`, at_ms: 1 });
const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

const patiently = { interval: 2 };

let directory: string;
const logs: LineLog[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'art-journal-'));
});
afterEach(async () => {
  await Promise.all(logs.splice(0).map((log) => log.close()));
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
});

const journalOf = (options: FileJournalOptions = {}): FileJournal =>
  new FileJournal({ directory, ...options });
const keep = async (log: Promise<LineLog>): Promise<LineLog> => {
  logs.push(await log);
  return log;
};
const linesOf = async (source: AsyncIterable<readonly string[]>): Promise<string[]> =>
  (await Array.fromAsync(source)).flat().filter((line) => !line.includes('"owner"'));
const segment = (number: number): string =>
  join(directory, 'run', `${String(number).padStart(6, '0')}.jsonl`);
/** Rewrites who holds the last segment, as if another process had written it. */
async function pretend(number: number, holder: Record<string, unknown>): Promise<void> {
  const [first, ...rest] = (await readFile(segment(number), 'utf8')).split('\n');
  const owner = JSON.parse(first!) as { holder: object };
  await writeFile(
    segment(number),
    [JSON.stringify({ ...owner, holder: { ...owner.holder, ...holder } }), ...rest].join('\n'),
  );
}

describe('FileJournal', () => {
  it('keeps a run to its owner', async () => {
    const log = await keep(journalOf().create('run', ['{"a":1}']));
    await log.commit('{"b":2}');
    await log.close();
    const names = await readdir(join(directory, 'run'));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names)
      expect([name, (await stat(join(directory, 'run', name))).mode & 0o777]).toEqual([name, 0o600]);
    expect((await stat(join(directory, 'run'))).mode & 0o777).toBe(0o700);
  });

  it('keeps lines in order, those that are waited for and those that are not', async () => {
    const journal = journalOf();
    const log = await keep(journal.create('run', ['{"type":"a"}']));
    log.append(acknowledged(1));
    await log.commit(acknowledged(2));
    log.append(acknowledged(3));
    await log.close();
    const expected = ['{"type":"a"}', acknowledged(1), acknowledged(2), acknowledged(3)];
    expect(await linesOf(journal.read('run'))).toEqual(expected);
    const again = await keep(journal.open('run'));
    await again.commit(acknowledged(4));
    expect(await linesOf(journal.read('run'))).toEqual([...expected, acknowledged(4)]);
    expect(await linesOf(again.read())).toContain(acknowledged(3));
    expect(await journal.list()).toEqual(['run']);
  });

  it('leaves a torn last line out, whichever process tore it', async () => {
    const journal = journalOf();
    await (await journal.create('run', [acknowledged(0)])).close();
    await appendFile(segment(1), '{"type":"acknow');
    const log = await keep(journal.open('run'));
    await log.commit(acknowledged(1));
    await appendFile(segment(2), acknowledged(2));
    expect(await linesOf(journal.read('run'))).toEqual([acknowledged(0), acknowledged(1)]);
  });

  it('starts a run once, and knows which there are', async () => {
    const journal = journalOf();
    await keep(journal.create('run', []));
    await expect(journal.create('run', [])).rejects.toThrow(withCode('ART_JOURNAL_EXISTS'));
    await expect(journal.open('other')).rejects.toThrow(withCode('ART_JOURNAL_NOT_FOUND'));
    await expect(linesOf(journal.read('other'))).rejects.toThrow(withCode('ART_JOURNAL_NOT_FOUND'));
    await expect(journal.heldBy('other')).rejects.toThrow(withCode('ART_JOURNAL_NOT_FOUND'));
    for (const runId of ['', '../x', 'a/b', '.hidden', 'x'.repeat(129)])
      await expect(journal.create(runId, [])).rejects.toThrow(withCode('ART_INVALID_OPTION'));
    expect(await new FileJournal({ directory: join(directory, 'none') }).list()).toEqual([]);
  });

  it('begins no run where a damaged one lies', async () => {
    const journal = journalOf();
    await (await journal.create('run', [])).close();
    await (await journal.open('run')).close();
    await rm(segment(1));
    await expect(journal.create('run', [])).rejects.toThrow(withCode('ART_JOURNAL_EXISTS'));
  });

  it('is held by one process at a time, and says by which', async () => {
    const journal = journalOf();
    const log = await keep(journal.create('run', []));
    await expect(journalOf().open('run')).rejects.toThrow(
      expect.objectContaining({
        code: 'ART_JOURNAL_LOCKED',
        message: expect.stringContaining(`process ${process.pid} on `) as string,
      }) as Error,
    );
    expect(await journal.heldBy('run')).toMatchObject({ state: 'alive', holder: { pid: process.pid } });
    await log.close();
    expect(await journal.heldBy('run')).toBeUndefined();
  });

  it('goes to exactly one of many that claim it at once', async () => {
    await (await journalOf().create('run', [])).close();
    const claims = await Promise.allSettled(Array.from({ length: 12 }, () => journalOf().open('run')));
    const won = claims.filter((claim) => claim.status === 'fulfilled');
    logs.push(...won.map((claim) => claim.value));
    expect(won).toHaveLength(1);
    for (const claim of claims)
      if (claim.status === 'rejected') expect(claim.reason).toMatchObject({ code: 'ART_JOURNAL_LOCKED' });
  });

  it('is free when its holder was killed, with everything that was confirmed', async () => {
    const journal = journalOf();
    await (await journal.create('run', [])).close();
    const child = spawn(
      process.execPath,
      ['--conditions=@art/source', join(import.meta.dirname, 'holding-process.fixture.ts'), directory, 'run'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    await expect(journal.open('run')).rejects.toThrow(withCode('ART_JOURNAL_LOCKED'));
    child.kill('SIGKILL');
    await exited;
    expect((await journal.heldBy('run'))?.state).toBe('dead');
    const log = await keep(journal.open('run'));
    expect(await linesOf(log.read())).toEqual([acknowledged(1)]);
  });

  it('knows a process from a later one with the same id', async () => {
    const journal = journalOf();
    await keep(journal.create('run', []));
    await pretend(1, { started_at: 'at another time' });
    expect((await journal.heldBy('run'))?.state).toBe('dead');
    await keep(journal.open('run'));
  });

  it.each([true, false])(
    'watches a holder on another machine before it takes over; alive: %s',
    async (isAlive) => {
      const clock = new ManualClock();
      const journal = journalOf({ clock });
      // Time stands still for the holder, so it gives no sign of life itself.
      await keep(journalOf({ clock: new ManualClock() }).create('run', []));
      await pretend(1, { machine: 'elsewhere' });
      expect((await journal.heldBy('run'))?.state).toBe('unknown');
      const claim = journal.open('run');
      claim.catch(() => undefined);
      let isOver = false;
      void claim.then(
        () => (isOver = true),
        () => (isOver = true),
      );
      await vi.waitFor(async () => {
        if (isAlive) await utimes(segment(1), new Date(), new Date(clock.epochMs()));
        clock.advance(500);
        expect(isOver).toBe(true);
      }, patiently);
      if (isAlive) await expect(claim).rejects.toThrow(withCode('ART_JOURNAL_LOCKED'));
      else await keep(claim);
    },
  );

  it('stops to write when it slept for so long that another process took over', async () => {
    const clock = new ManualClock();
    const log = await keep(journalOf({ clock }).create('run', []));
    await log.commit(acknowledged(1));
    await writeFile(segment(2), '');
    await log.commit(acknowledged(2));
    clock.advance(8_000);
    await expect(log.commit(acknowledged(3))).rejects.toThrow(withCode('ART_JOURNAL_LOST'));
    expect(log.broken.reason).toMatchObject({ code: 'ART_JOURNAL_LOST' });
    await expect(log.commit(acknowledged(4))).rejects.toThrow(withCode('ART_JOURNAL_LOST'));
  });

  it('ends with a typed error when the disk is full', async () => {
    let room = 3;
    const full: JournalFileSystem = {
      openForAppend: async (path) => {
        const file = await nodeFileSystem.openForAppend(path);
        const append = async (text: string): Promise<void> => {
          room -= 1;
          if (room >= 0) return file.append(text);
          await file.append(text.slice(0, 5));
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        };
        return { ...file, append };
      },
    };
    const journal = journalOf({ fileSystem: full });
    const log = await keep(journal.create('run', []));
    for (let index = 0; index < 3; index += 1) await log.commit(acknowledged(index));
    await expect(log.commit(acknowledged(3))).rejects.toThrow(
      expect.objectContaining({
        code: 'ART_JOURNAL_WRITE_FAILED',
        message: expect.stringContaining('no space left') as string,
      }) as Error,
    );
    expect(log.broken.aborted).toBe(true);
    log.append(acknowledged(4));
    await log.close();
    expect(await linesOf(journal.read('run'))).toEqual([0, 1, 2].map(acknowledged));
  });

  it.each([
    ['commit', 3, 3],
    ['interval', 0, 1],
    ['never', 0, 0],
  ] as const)(
    'with sync %s, forces %i of 3 commits to the disk at once, %i within a second',
    async (sync, atOnce, soon) => {
      let syncs = 0;
      const counting: JournalFileSystem = {
        openForAppend: async (path) => {
          const file = await nodeFileSystem.openForAppend(path);
          const count = async (): Promise<void> => {
            syncs += 1;
            await file.sync();
          };
          return { ...file, sync: count };
        },
      };
      const clock = new ManualClock();
      const log = await keep(journalOf({ sync, fileSystem: counting, clock }).create('run', []));
      for (let index = 0; index < 3; index += 1) await log.commit(acknowledged(index));
      expect(syncs).toBe(atOnce);
      clock.advance(1_000);
      await vi.waitFor(() => expect(syncs).toBe(soon), patiently);
      await log.close();
      expect(clock.timers).toBe(0);
    },
  );

  it('removes a run that nobody holds', async () => {
    const journal = journalOf();
    const log = await keep(journal.create('run', []));
    await expect(journal.remove('run')).rejects.toThrow(withCode('ART_JOURNAL_LOCKED'));
    await log.close();
    await journal.remove('run');
    expect(await readdir(directory)).toEqual([]);
  });

  it.each<[string, FileJournalOptions]>([
    ['directory', { directory: '' }],
    ['sync', { sync: 'often' as 'never' }],
    ['leaseMs', { leaseMs: 0 }],
  ])('refuses a wrong %s', (name, options) => {
    expect(() => new FileJournal(options)).toThrow(new RegExp(`Expected .${name}`));
  });
});
