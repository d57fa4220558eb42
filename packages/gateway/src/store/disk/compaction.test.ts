import { appendFile, readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { conversation, sampleTrace } from '@art/trajectories/testing';
import { useDiskDirectory } from './disk-directory.fixture.ts';

const { openStore, segments } = useDiskDirectory();

describe('DiskTraceStore compaction', () => {
  it('wins the space of deleted sessions back and loses nothing else', async () => {
    const options = { segmentBytes: 4_000, cacheBytes: 0 };
    const store = await openStore(options);
    await store.createSession({ sessionId: 'kept', metadata: { a: 1 } });
    await store.append(conversation('kept', 3));
    for (let round = 0; round < 60; round += 1) {
      await store.append(conversation(`s${round}`, 3));
      await store.append([sampleTrace({ traceId: `kept ${round}`, sessionId: 'kept' })]);
      if (round % 10 !== 0) await store.deleteSession(`s${round}`);
    }
    await vi.waitFor(() => expect(store.fileBytes).toBeLessThan(2 * store.stats().bytes + 2 * 4_000));
    await store.close();
    const again = await openStore(options);
    expect(again.recovery.problems).toEqual([]);
    expect(again.stats()).toMatchObject({ sessions: 7, traces: 3 + 60 + 18 });
    expect(await again.session('kept')).toMatchObject({ metadata: { a: 1 }, traceCount: 63 });
    expect((await again.tracesOf('kept')).slice(0, 3)).toEqual(conversation('kept', 3));
    expect((await again.tracesOf('kept')).slice(3).map((trace) => trace.traceId)).toEqual(
      Array.from({ length: 60 }, (_, round) => `kept ${round}`),
    );
    for (const round of [0, 10, 50]) {
      expect(await again.tracesOf(`s${round}`)).toEqual(conversation(`s${round}`, 3));
    }
    await again.append([sampleTrace({ traceId: 'late', sessionId: 's1' })]);
    expect(await again.session('s1')).toBeUndefined();
  });

  it('comes to an end where most of the log is about sessions without traces', async () => {
    const options = { segmentBytes: 2_000 };
    const store = await openStore(options);
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 60; index += 1) {
        const metadata = { text: 'x'.repeat(100), round };
        await store.createSession({ sessionId: `s${index}`, metadata });
      }
    }
    await store.append(conversation('t', 1));
    const newest = async (): Promise<string | undefined> => (await segments()).at(-1);
    await vi.waitFor(async () => {
      const before = await newest();
      for (let index = 0; index < 300; index += 1) await store.flush();
      expect(await newest()).toBe(before);
    });
    await store.close();
    const again = await openStore(options);
    for (let index = 0; index < 60; index += 1) {
      expect(await again.session(`s${index}`)).toMatchObject({ metadata: { round: 2 } });
    }
    expect(again.recovery).toMatchObject({ sessions: 61, traces: 1, problems: [] });
  });

  it('survives an end in the middle of it: records that are there twice count once', async () => {
    const first = await openStore({ segmentBytes: 1_500 });
    await first.append(conversation('s', 4));
    await first.append(conversation('t', 4));
    await first.close();
    const paths = await segments();
    expect(paths.length).toBeGreaterThan(1);
    // As if the oldest file had been copied to the end of the log, and not yet removed.
    await appendFile(paths.at(-1)!, await readFile(paths[0]!));
    const second = await openStore();
    expect(second.recovery).toMatchObject({ traces: 8, tornBytes: 0, problems: [] });
    expect(await second.tracesOf('s')).toEqual(conversation('s', 4));
    expect(await second.tracesOf('t')).toEqual(conversation('t', 4));
  });
});
