import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';

/** A directory that holds no more than so many bytes; gone with the test. */
export type SmallDisk = (bytes: number) => Promise<string>;

/** A file system in memory, which only root may mount. */
export const mountedDisk: SmallDisk = async (bytes) => {
  const directory = await mkdtemp(join(tmpdir(), 'art-small-disk-'));
  const { status, stderr } = mount(bytes, directory);
  if (status !== 0) throw new Error(`mount: ${stderr}`);
  onTestFinished(async () => {
    // Stores of the test may be open yet.
    spawnSync('umount', ['--lazy', directory]);
    await rm(directory, { recursive: true, force: true });
  });
  return directory;
};

/** True if {@link mountedDisk} works here. */
export async function canMount(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const directory = await mkdtemp(join(tmpdir(), 'art-mount-'));
  const isMounted = mount(65_536, directory).status === 0;
  if (isMounted) spawnSync('umount', [directory]);
  await rm(directory, { recursive: true });
  return isMounted;
}

function mount(bytes: number, directory: string): { status: number | null; stderr: string } {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory], { encoding: 'utf8' });
}

/** An ordinary directory whose files together take no more: what is written beyond that fails as on a full disk. */
export const boundedDirectory: SmallDisk = async (bytes) => {
  const directory = await mkdtemp(join(tmpdir(), 'art-bounded-'));
  const probe = await open(join(directory, 'probe'), 'w');
  const prototype = Object.getPrototypeOf(probe) as typeof probe;
  await probe.close();
  await rm(join(directory, 'probe'));
  const { write, writev } = prototype;
  const check = (more: number): void => {
    const used = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
    if (used + more > bytes) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  };
  vi.spyOn(prototype, 'writev').mockImplementation(async function (this: typeof probe, buffers, at) {
    check(buffers.reduce((sum, { byteLength }) => sum + byteLength, 0));
    return await writev.call(this, buffers, at);
  });
  vi.spyOn(prototype, 'write').mockImplementation(async function (this: typeof probe, ...args: unknown[]) {
    check((args[0] as Uint8Array).byteLength);
    return await (write as (...all: unknown[]) => Promise<never>).apply(this, args);
  });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await rm(directory, { recursive: true, force: true });
  });
  return directory;
};
