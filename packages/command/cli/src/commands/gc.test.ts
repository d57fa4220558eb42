import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRun } from '@art/journal';
import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { FakeAgent } from '../fake-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { decideRun, type GcOptions, runGc } from './gc.ts';
import { breakRun, finishRun } from './journaled-run.fixture.ts';

const holder = { pid: 7, host: 'h', startedAt: 'x', sinceMs: 0, claimId: 'c' };
const run = { runId: 'r', isFinished: true, openSessions: 0, heldBy: undefined, lastAtMs: 0 };
type Run = Parameters<typeof decideRun>[0];
const heldBy = (state: 'alive' | 'dead' | 'unknown') => ({ state, holder }) as unknown as Run['heldBy'];

describe('decideRun', () => {
  it.each<[string, Partial<Run>, boolean, number, 'remove' | RegExp | undefined]>([
    ['finished and old', {}, false, 1_000, 'remove'],
    ['finished and young', {}, false, 999, undefined],
    ['unfinished', { isFinished: false }, false, 1_000, /art resume r.*--unfinished/],
    ['unfinished, and asked for', { isFinished: false }, true, 1_000, 'remove'],
    [
      'with a session that may live',
      { isFinished: false, openSessions: 1 },
      true,
      1_000,
      /1 session that may/,
    ],
    ['finished, with sessions', { openSessions: 2 }, true, 1_000, /2 sessions that may live; "art stop r"/],
    ['held', { heldBy: heldBy('alive') }, true, 1_000, /process 7 on h/],
    ['held, as far as one can see', { heldBy: heldBy('unknown') }, true, 1_000, /process 7 on h/],
    ['of a process that died', { heldBy: heldBy('dead') }, false, 1_000, 'remove'],
  ])('%s', (_, change, unfinished, nowMs, expected) => {
    const decision = decideRun({ ...run, ...change }, { olderThan: 1_000, unfinished }, nowMs);
    if (expected === 'remove') expect(decision).toEqual({ kind: 'remove' });
    else if (expected === undefined) expect(decision).toEqual({ kind: 'keep', why: undefined });
    else expect(decision).toMatchObject({ kind: 'keep', why: expect.stringMatching(expected) as string });
  });
});

const dayMs = 86_400_000;

async function rig() {
  const cwd = await temporaryFolder();
  const context = capturedContext({ cwd });
  const directory = join(cwd, '.art/runs');
  const gc = (options: Partial<GcOptions> = {}, nowMs = Date.now() + 10 * dayMs) =>
    runGc(
      { olderThan: 7 * dayMs, unfinished: false, dryRun: false, json: false, ...options },
      context,
      nowMs,
    );
  return { cwd, agent: new FakeAgent(), context, directory, gc };
}

describe('art gc', () => {
  it('removes what is finished and old enough, and tells how much it was', async () => {
    const { agent, context, directory, gc } = await rig();
    await finishRun(agent, directory, 'done');
    expect(await gc({}, Date.now() + dayMs)).toBe(0);
    expect(existsSync(join(directory, 'done'))).toBe(true);
    expect(await gc({ dryRun: true })).toBe(0);
    expect(existsSync(join(directory, 'done'))).toBe(true);
    expect(context.output()).toMatch(/^would remove run done {2}\d/);
    expect(await gc()).toBe(0);
    expect(existsSync(join(directory, 'done'))).toBe(false);
    expect(context.output()).toMatch(/\nremoved run done {2}[\d.]+ k?B\n$/);
    expect(context.errors()).toMatch(/1 removed, [\d.]+ k?B\.\n$/);
  });

  it('never removes a run whose sessions may live, or that a process holds', async () => {
    const { agent, context, directory, gc } = await rig();
    await breakRun(agent, directory, 'broken');
    const journal = await finishRun(agent, directory, 'held');
    const held = await journal.open('held');
    expect(await gc({ unfinished: true, olderThan: 0 })).toBe(0);
    expect(context.output()).toMatch(/kept run broken: it has \d sessions? that may live; "art stop broken"/);
    expect(context.output()).toContain(`kept run held: it is held by process ${process.pid} on`);
    expect(existsSync(join(directory, 'broken'))).toBe(true);
    expect(existsSync(join(directory, 'held'))).toBe(true);
    await held.close();
  });

  it('removes what killed processes left behind, and nothing that looks otherwise', async () => {
    const { cwd, context, directory, gc, agent } = await rig();
    const journal = await finishRun(agent, directory, 'done');
    const temporary = `.4711-${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;
    const old = [
      join(directory, '.removed-x-1-2'),
      join(directory, 'never-begun'),
      join(directory, 'done', temporary),
      join(cwd, 'data/.temporary/1-x'),
    ];
    await mkdir(join(directory, '.removed-x-1-2'));
    await writeFile(join(directory, '.removed-x-1-2', '000001.jsonl'), 'x'.repeat(1_000));
    await mkdir(join(directory, 'never-begun'));
    await writeFile(join(directory, 'done', temporary), '');
    await mkdir(join(cwd, 'data/.temporary'), { recursive: true });
    await writeFile(join(cwd, 'data/.temporary/1-x'), 'xx');
    await writeFile(join(directory, 'notes.txt'), 'mine');
    const dev = join(cwd, '.art/dev');
    await mkdir(dev);
    await writeFile(join(dev, 'holder.json'), '{"pid":1,"host":"laptop","sinceMs":1,"facts":{}}');
    const now = Date.now();
    await gc({ data: 'data' }, now);
    expect(old.filter((path) => !existsSync(path))).toEqual([]);
    expect(existsSync(dev)).toBe(false);
    const twoHoursAgo = new Date(now - 7_200_000);
    for (const path of [...old, join(directory, 'done')]) await utimes(path, twoHoursAgo, twoHoursAgo);
    await gc({ data: 'data', json: true }, now);
    expect(old.filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(join(directory, 'notes.txt'))).toBe(true);
    expect(await readRun(journal, 'done')).toMatchObject({ isFinished: true });
    expect(context.output()).toContain('"what":"temporary"');
    expect(context.output()).toContain('"bytes":1000}');
  });

  it('says so where there is nothing', async () => {
    const { gc, context, directory } = await rig();
    expect(await gc()).toBe(0);
    expect(context.output()).toBe('');
    expect(context.errors()).toBe(`Nothing to remove in ${directory}.\n`);
  });
});
