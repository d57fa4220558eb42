import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NewCapture } from '../capture-store.ts';
import { sampleCapture } from '@art/trajectories/testing';
import { DiskCaptureStore } from './disk-capture-store.ts';
import { boundedDirectory, canMount, mountedDisk, type SmallDisk } from './small-disk.fixture.ts';

const mebibyte = 1_048_576;
const full = { code: 'ART_GATEWAY_STORE_FULL' };

async function openStore(directory: string): Promise<DiskCaptureStore> {
  const store = await DiskCaptureStore.open({ directory });
  onTestFinished(() => store.close());
  return store;
}

/** A capture of some 20 KB that no file system makes smaller. */
function bigCapture(sessionId: string, name = 'only'): NewCapture {
  const metadata = { noise: randomBytes(15_000).toString('base64') };
  return sampleCapture({ captureId: `${sessionId} ${name}`, sessionId, metadata });
}

/** Stores sessions until there is no more space; their ids. */
async function fill(store: DiskCaptureStore): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const id = `s${ids.length}`;
    try {
      await store.append([bigCapture(id)]);
    } catch (error) {
      expect(error).toMatchObject(full);
      return ids;
    }
    ids.push(id);
  }
}

/** Takes all space that is left, as another program may. */
async function takeTheRest(directory: string): Promise<string> {
  const path = join(directory, 'another-program');
  const file = await open(path, 'w');
  for (let bytes = mebibyte; bytes > 0;) {
    try {
      await file.write(randomBytes(bytes));
    } catch {
      bytes = Math.floor(bytes / 2);
    }
  }
  await file.close();
  return path;
}

const disks: [name: string, SmallDisk][] = [['a bounded directory', boundedDirectory]];
// Where it can be had: in a container as root, not on a developer's machine.
if (await canMount()) disks.push(['a file system that is full', mountedDisk]);

describe.each(disks)('on %s', (_name, smallDisk) => {
  it('all sessions can be deleted at once, and there is room again', async () => {
    const directory = await smallDisk(6 * mebibyte);
    const store = await openStore(directory);
    const ids = await fill(store);
    expect(ids.length).toBeGreaterThan(50);
    await takeTheRest(directory);
    await expect(store.append([bigCapture('new')])).rejects.toMatchObject(full);
    await expect(
      store.createSession({ sessionId: 'new', metadata: bigCapture('new').metadata }),
    ).rejects.toMatchObject(full);
    expect(await store.deleteSessions(ids)).toBe(ids.length);
    await store.append([bigCapture('new')]);
    await store.close();
    const again = await openStore(directory);
    expect(again.recovery).toMatchObject({ sessions: 1, captures: 1, problems: [] });
    expect(await again.isDeleted('s7')).toBe(true);
  });

  it('deleting some of them makes room', async () => {
    const store = await openStore(await smallDisk(6 * mebibyte));
    const ids = await fill(store);
    const kept = ids.filter((_id, index) => index % 3 !== 0);
    await store.deleteSessions(ids.filter((_id, index) => index % 3 === 0));
    await store.append([bigCapture('new')]);
    expect(store.stats()).toMatchObject({ sessions: kept.length + 1 });
    for (const id of kept) expect(await store.capturesOf(id)).toHaveLength(1);
  });

  it('they can be deleted one by one while another program keeps the disk full', async () => {
    const directory = await smallDisk(8 * mebibyte);
    const store = await openStore(directory);
    const small = Array.from({ length: 50 }, (_, index) => `small ${index}`);
    for (const id of small) await store.append([sampleCapture({ captureId: id, sessionId: id })]);
    await takeTheRest(directory);
    await expect(store.append([bigCapture('new')])).rejects.toMatchObject(full);
    for (const id of small) expect(await store.deleteSessions([id])).toBe(1);
    // Their space is free at once, anyone who has the rest.
    await store.append([bigCapture('new')]);
    await store.close();
    const again = await openStore(directory);
    expect(again.recovery).toMatchObject({ sessions: 1, problems: [] });
    expect(await again.isDeleted('small 49')).toBe(true);
  });

  it('a store that is opened there can delete', async () => {
    const directory = await smallDisk(6 * mebibyte);
    const store = await openStore(directory);
    const ids = await fill(store);
    await takeTheRest(directory);
    await store.close();
    const again = await openStore(directory);
    expect(await again.capturesOf(ids[0]!)).toHaveLength(1);
    expect(await again.deleteSessions(ids)).toBe(ids.length);
    await again.append([bigCapture('new')]);
  });
});
