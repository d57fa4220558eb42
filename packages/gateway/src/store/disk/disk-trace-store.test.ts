import { appendFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { conversation, fullTrace, sampleTrace } from '@art/trajectories/testing';
import { manualClock } from '../conformance/trace-store-check.ts';
import { DiskTraceStore } from './disk-trace-store.ts';
import { useDiskDirectory } from './disk-directory.fixture.ts';

const { openStore, segments, pathOf } = useDiskDirectory();

/** Has the next writes of segments fail, after they wrote a part, as on a disk that is full. */
async function failWrites(
  code: string,
  options: { rewind?: 'fails' } = {},
): Promise<{ restore: () => void }> {
  const probe = await open(pathOf('probe'), 'w');
  const prototype = Object.getPrototypeOf(probe) as typeof probe;
  await probe.close();
  const error = Object.assign(new Error(`${code}: no luck`), { code });
  const { writev } = prototype;
  const writes = vi.spyOn(prototype, 'writev').mockImplementation(async function (
    this: typeof probe,
    buffers,
    at,
  ) {
    await writev.call(this, [Buffer.from(buffers[0]!.buffer, buffers[0]!.byteOffset, 5)], at);
    throw error;
  });
  const rewinds = vi.spyOn(prototype, 'truncate');
  if (options.rewind === 'fails') rewinds.mockRejectedValue(error);
  return {
    restore: () => {
      writes.mockRestore();
      rewinds.mockRestore();
    },
  };
}

describe('DiskTraceStore, opened again', () => {
  it('has traces, sessions, their parameters, what was deleted, and goes on', async () => {
    const clock = manualClock();
    const first = await openStore({ now: clock.now });
    await first.createSession({
      sessionId: 's',
      metadata: { big: 2n ** 60n },
      samplingParams: { top_p: 0.9 },
    });
    await first.append(conversation('s', 5));
    await first.append([fullTrace({ traceId: 'full', sessionId: 'implicit' })]);
    await first.append(conversation('gone', 2));
    await first.deleteSession('gone');
    await first.finishSession('implicit');
    const before = { sessions: await first.sessions(), stats: first.stats() };
    await first.close();

    const second = await openStore({ now: clock.now });
    expect(second.recovery).toMatchObject({ sessions: 2, traces: 6, tornBytes: 0, problems: [] });
    expect({ sessions: await second.sessions(), stats: second.stats() }).toEqual(before);
    expect(await second.session('s')).toMatchObject({
      metadata: { big: 2n ** 60n },
      samplingParams: { top_p: 0.9 },
    });
    expect(await second.session('implicit')).toMatchObject({ finished: true, incompleteCount: 1 });
    expect(await second.tracesOf('s')).toEqual(conversation('s', 5));
    expect(await second.trace('full')).toEqual(fullTrace({ traceId: 'full', sessionId: 'implicit' }));
    await second.append([sampleTrace({ traceId: 'late', sessionId: 'gone' })]);
    expect(await second.session('gone')).toBeUndefined();
    await second.append(conversation('s', 8));
    expect(await second.tracesOf('s')).toEqual(conversation('s', 8));
    expect(second.stats().duplicateTraces).toBe(5);
  });

  it('keeps the time at which a session expires', async () => {
    const clock = manualClock();
    const first = await openStore({ now: clock.now, ttlMs: 1_000 });
    await first.append(conversation('s', 1));
    await first.close();
    clock.advance(1_000);
    const second = await openStore({ now: clock.now, ttlMs: 1_000 });
    expect(await second.session('s')).toBeUndefined();
  });

  it.each([1, 8, 9, 40, 200])('cuts off a record of which the last %d bytes are missing', async (missing) => {
    const first = await openStore();
    await first.append(conversation('s', 3));
    const whole = (await stat((await segments())[0]!)).size;
    await first.append([sampleTrace({ traceId: 'torn', sessionId: 's' })]);
    await first.close();
    const [path] = await segments();
    const size = (await stat(path!)).size;
    await truncate(path!, size - missing);

    const second = await openStore();
    expect(second.recovery).toMatchObject({ tornBytes: size - missing - whole, problems: [], traces: 3 });
    expect(await second.trace('torn')).toBeUndefined();
    const traces = [...conversation('s', 3), sampleTrace({ traceId: 'next', sessionId: 's' })];
    await second.append(traces.slice(3));
    await second.close();
    const third = await openStore();
    expect(third.recovery.tornBytes).toBe(0);
    expect(await third.tracesOf('s')).toEqual(traces);
  });

  it('does not take garbage behind the log for records', async () => {
    const first = await openStore();
    await first.append(conversation('s', 2));
    await first.close();
    await appendFile((await segments())[0]!, Buffer.alloc(5_000));
    const second = await openStore();
    expect(second.recovery).toMatchObject({ tornBytes: 5_000, traces: 2 });
  });

  it('gives up what cannot be read, and says so, where a file in the middle was altered', async () => {
    const first = await openStore({ segmentBytes: 1_000 });
    await first.append([sampleTrace({ traceId: 'a', sessionId: 'other' })]);
    for (const trace of conversation('s', 6)) await first.append([trace]);
    await first.close();
    const paths = await segments();
    expect(paths.length).toBeGreaterThan(3);
    const bytes = await readFile(paths[1]!);
    bytes[20]! ^= 1;
    await writeFile(paths[1]!, bytes);
    const second = await openStore();
    expect(second.recovery.problems).toEqual([
      expect.stringContaining(`${paths[1]}: ${bytes.length} bytes from byte 0`),
      expect.stringMatching(/session "s": \d+ traces behind a lost one/),
    ]);
    expect(await second.trace('a')).toBeDefined();
    const kept = await second.tracesOf('s');
    expect(kept).toEqual(conversation('s', 6).slice(0, kept.length));
  });
});

describe('DiskTraceStore and its directory', () => {
  it('is alone in it', async () => {
    await openStore();
    await expect(openStore()).rejects.toMatchObject({ code: 'ART_GATEWAY_STORE_LOCKED' });
  });

  it('can be followed by another one', async () => {
    await (await openStore()).close();
    await expect(openStore()).resolves.toBeInstanceOf(DiskTraceStore);
  });

  it('refuses a directory that is a file', async () => {
    await writeFile(pathOf('file'), '');
    await expect(openStore({ directory: pathOf('file') })).rejects.toMatchObject({
      code: 'ART_GATEWAY_STORE_FAILED',
    });
  });

  it.each([
    ['directory', ''],
    ['durability', 'sometimes'],
    ['segmentBytes', 0],
    ['cacheBytes', -1],
    ['maxBytes', 0],
  ])('refuses a wrong %s', async (name, value) => {
    await expect(openStore({ [name]: value })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining(name) as string,
    });
  });
});

describe('DiskTraceStore, when writing fails', () => {
  it.each(['ENOSPC', 'EDQUOT'])(
    'says that the disk is full (%s), keeps what it has and goes on',
    async (code) => {
      const store = await openStore();
      await store.append(conversation('s', 2));
      const failing = await failWrites(code);
      await expect(store.append(conversation('s', 4).slice(2))).rejects.toMatchObject({
        code: 'ART_GATEWAY_STORE_FULL',
      });
      await expect(store.append(conversation('new', 1))).rejects.toMatchObject({
        code: 'ART_GATEWAY_STORE_FULL',
      });
      await expect(store.createSession({ sessionId: 'created' })).rejects.toMatchObject({
        code: 'ART_GATEWAY_STORE_FULL',
      });
      failing.restore();
      expect(await store.tracesOf('s')).toEqual(conversation('s', 2));
      expect(await store.session('new')).toBeUndefined();
      expect(await store.session('created')).toBeUndefined();
      await store.append(conversation('s', 4).slice(2));
      await store.close();
      const again = await openStore();
      expect(again.recovery).toMatchObject({ tornBytes: 0, problems: [] });
      expect(await again.tracesOf('s')).toEqual(conversation('s', 4));
    },
  );

  it('goes on in another file where it cannot take back what it began to write', async () => {
    const store = await openStore();
    await store.append(conversation('s', 1));
    const failing = await failWrites('EIO', { rewind: 'fails' });
    await expect(store.append(conversation('s', 2).slice(1))).rejects.toMatchObject({
      code: 'ART_GATEWAY_STORE_FAILED',
    });
    failing.restore();
    await store.append(conversation('s', 2).slice(1));
    await store.close();
    const again = await openStore();
    expect(again.recovery.problems).toHaveLength(1);
    expect(await again.tracesOf('s')).toEqual(conversation('s', 2));
  });

  it('fails one append of a group without the others', async () => {
    const store = await openStore();
    const wrong = sampleTrace({ traceId: 'wrong', sessionId: 's', metadata: { no: Number.NaN } });
    const outcomes = await Promise.allSettled([
      store.append(conversation('s', 1)),
      store.append([wrong]),
      store.append(conversation('s', 2).slice(1)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await store.close();
    expect(await (await openStore()).tracesOf('s')).toEqual(conversation('s', 2));
  });
});
