import { appendFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { appended, manualClock } from '../conformance/capture-store-check.ts';
import { describe, expect, it, vi } from 'vitest';
import { conversation, fullCapture, sampleCapture } from '@art/trajectories/testing';
import { DiskCaptureStore } from './disk-capture-store.ts';
import { useDiskDirectory } from './disk-directory.fixture.ts';

const { openStore, sessionFiles, pathOf } = useDiskDirectory();

/** Has the next writes of files fail, after they wrote a part, as on a disk that is full. */
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

describe('DiskCaptureStore, opened again', () => {
  it('has captures, sessions, their parameters, what was deleted, and continues', async () => {
    const clock = manualClock();
    const first = await openStore({ now: clock.now });
    await first.createSession({
      sessionId: 's',
      metadata: { big: 2n ** 60n },
      samplingParams: { top_p: 0.9 },
    });
    await first.append(conversation('s', 5));
    clock.advance(1);
    await first.append([fullCapture({ captureId: 'full', sessionId: 'implicit' })]);
    await first.append(conversation('gone', 2));
    await first.deleteSessions(['gone']);
    await first.finishSession('implicit', { done: true });
    const before = { sessions: await first.sessions(), stats: first.stats() };
    await first.close();

    const second = await openStore({ now: clock.now });
    expect(second.recovery).toMatchObject({ sessions: 2, captures: 6, tornBytes: 0, problems: [] });
    expect({ sessions: await second.sessions(), stats: second.stats() }).toEqual(before);
    expect(await second.session('s')).toMatchObject({
      metadata: { big: 2n ** 60n },
      samplingParams: { top_p: 0.9 },
    });
    expect(await second.session('implicit')).toMatchObject({
      finished: true,
      incompleteCount: 1,
      metadata: { done: true },
    });
    expect(appended(await second.capturesOf('s'))).toEqual(conversation('s', 5));
    expect(appended(await second.capture('full'))).toEqual(
      fullCapture({ captureId: 'full', sessionId: 'implicit' }),
    );
    await second.append([sampleCapture({ captureId: 'late', sessionId: 'gone' })]);
    expect(await second.session('gone')).toBeUndefined();
    await second.append(conversation('s', 8));
    expect(appended(await second.capturesOf('s'))).toEqual(conversation('s', 8));
    expect(second.stats().duplicateCaptures).toBe(5);
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
    const whole = (await stat((await sessionFiles())[0]!)).size;
    await first.append([sampleCapture({ captureId: 'torn', sessionId: 's' })]);
    await first.close();
    const [path] = await sessionFiles();
    const size = (await stat(path!)).size;
    await truncate(path!, size - missing);

    const second = await openStore();
    expect(second.recovery).toMatchObject({ tornBytes: size - missing - whole, problems: [], captures: 3 });
    expect(await second.capture('torn')).toBeUndefined();
    const captures = [...conversation('s', 3), sampleCapture({ captureId: 'next', sessionId: 's' })];
    await second.append(captures.slice(3));
    await second.close();
    const third = await openStore();
    expect(third.recovery.tornBytes).toBe(0);
    expect(appended(await third.capturesOf('s'))).toEqual(captures);
  });

  it('does not take garbage behind the log for records', async () => {
    const first = await openStore();
    await first.append(conversation('s', 2));
    await first.close();
    await appendFile((await sessionFiles())[0]!, Buffer.alloc(5_000));
    const second = await openStore();
    expect(second.recovery).toMatchObject({ tornBytes: 5_000, captures: 2 });
  });

  it('gives up what cannot be read, and says so, where a record in the middle was altered', async () => {
    const first = await openStore();
    for (const capture of conversation('s', 6)) await first.append([capture]);
    const [path] = await sessionFiles();
    await first.append([sampleCapture({ captureId: 'a', sessionId: 'other' })]);
    await first.close();
    const bytes = await readFile(path!);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    await writeFile(path!, bytes);
    const second = await openStore();
    expect(second.recovery.problems).toEqual([
      expect.stringMatching(/\d+ bytes from byte \d+ on are damaged/),
    ]);
    expect(second.recovery.problems[0]).toContain(path);
    expect(await readFile(`${path}.damaged`)).toEqual(bytes);
    expect(await second.capture('a')).toBeDefined();
    const kept = await second.capturesOf('s');
    expect(kept.length).toBeLessThan(6);
    expect(appended(kept)).toEqual(conversation('s', 6).slice(0, kept.length));
    await second.append(conversation('s', 6));
    await second.close();
    const third = await openStore();
    expect(third.recovery.problems).toEqual([]);
    expect(appended(await third.capturesOf('s'))).toEqual(conversation('s', 6));
  });

  it('says so where a record was altered while it is open', async () => {
    const store = await openStore({ cacheBytes: 0 });
    await store.append(conversation('s', 3));
    await store.append(conversation('t', 1));
    const [one, other] = await sessionFiles();
    for (const path of [one!, other!]) {
      const bytes = await readFile(path);
      bytes[20]! ^= 1;
      await writeFile(path, bytes);
    }
    await expect(store.capturesOf('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_STORE_FAILED' });
  });
});

describe('DiskCaptureStore, where many work on it at the same time', () => {
  it('keeps every session in order, whatever else is asked, evicted and deleted', async () => {
    const store = await openStore({ cacheBytes: 3_000 });
    const turns = 8;
    await Promise.all(
      Array.from({ length: 24 }, async (_, lane) => {
        const sessionId = `s${lane}`;
        for (const capture of conversation(sessionId, turns)) {
          const reading = [store.capturesOf(sessionId), store.capturesOf(`s${(lane + 1) % 24}`)];
          await store.append([capture]);
          await Promise.all(reading);
        }
        if (lane % 3 === 0)
          await Promise.all([store.deleteSessions([sessionId]), store.capturesOf(sessionId)]);
      }),
    );
    await store.close();
    const again = await openStore();
    expect(again.recovery).toMatchObject({ sessions: 16, captures: 16 * turns, tornBytes: 0, problems: [] });
    for (let lane = 0; lane < 24; lane += 1) {
      const expected = lane % 3 === 0 ? [] : conversation(`s${lane}`, turns);
      expect(appended(await again.capturesOf(`s${lane}`))).toEqual(expected);
    }
    expect(await sessionFiles()).toHaveLength(16);
  });

  it('evicts nobody who is just being written to', async () => {
    const clock = manualClock();
    const store = await openStore({ now: clock.now, maxSessions: 2, idleMs: 1_000 });
    await store.append(conversation('a', 1));
    await store.append(conversation('b', 1));
    clock.advance(2_000);
    const outcomes = await Promise.allSettled([
      store.append(conversation('a', 2).slice(1)),
      store.append(conversation('c', 1)),
      store.append(conversation('a', 3).slice(2)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(appended(await store.capturesOf('a'))).toEqual(conversation('a', 3));
    expect(await store.session('b')).toBeUndefined();
  });
});

describe('DiskCaptureStore and its directory', () => {
  it('is alone in it', async () => {
    await openStore();
    await expect(openStore()).rejects.toMatchObject({ code: 'ART_FOLDER_HELD' });
  });

  it('can be followed by another one', async () => {
    await (await openStore()).close();
    await expect(openStore()).resolves.toBeInstanceOf(DiskCaptureStore);
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
    ['cacheBytes', -1],
    ['maxBytes', 0],
  ])('refuses a wrong %s', async (name, value) => {
    await expect(openStore({ [name]: value })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining(name) as string,
    });
  });
});

describe('DiskCaptureStore, when writing fails', () => {
  it.each(['ENOSPC', 'EDQUOT'])(
    'says that the disk is full (%s), keeps what it has and continues',
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
      expect(appended(await store.capturesOf('s'))).toEqual(conversation('s', 2));
      expect(await store.session('new')).toBeUndefined();
      expect(await store.session('created')).toBeUndefined();
      await store.append(conversation('s', 4).slice(2));
      await store.close();
      const again = await openStore();
      expect(again.recovery).toMatchObject({ tornBytes: 0, problems: [] });
      expect(appended(await again.capturesOf('s'))).toEqual(conversation('s', 4));
    },
  );

  it('continues where it cannot take back at once what it began to write', async () => {
    const store = await openStore();
    await store.append(conversation('s', 1));
    const failing = await failWrites('EIO', { rewind: 'fails' });
    const next = conversation('s', 2).slice(1);
    for (let tries = 0; tries < 2; tries += 1)
      await expect(store.append(next)).rejects.toMatchObject({ code: 'ART_GATEWAY_STORE_FAILED' });
    failing.restore();
    await store.append(next);
    await store.close();
    const again = await openStore();
    expect(again.recovery).toMatchObject({ tornBytes: 0, problems: [] });
    expect(appended(await again.capturesOf('s'))).toEqual(conversation('s', 2));
  });

  it('fails one append of a group without the others', async () => {
    const store = await openStore();
    const wrong = sampleCapture({ captureId: 'wrong', sessionId: 's', metadata: { no: Number.NaN } });
    const outcomes = await Promise.allSettled([
      store.append(conversation('s', 1)),
      store.append([wrong]),
      store.append(conversation('s', 2).slice(1)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await store.close();
    expect(appended(await (await openStore()).capturesOf('s'))).toEqual(conversation('s', 2));
  });
});
