import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const otherDevice = '/dev/shm';

/** True where a folder of another file system is at hand without rights to mount one. */
export const hasOtherDevice = deviceOf(otherDevice) !== deviceOf(tmpdir());

/** A folder that stands on another file system than the one above it, as a mount does. */
export function mountedFolder(): string {
  const target = mkdtempSync(join(otherDevice, 'art-mount-'));
  const parent = mkdtempSync(join(tmpdir(), 'art-mount-'));
  onTestFinished(() => [target, parent].forEach((path) => rmSync(path, { recursive: true })));
  const path = join(parent, 'results');
  mkdirSync(join(target, 'bucket'));
  symlinkSync(join(target, 'bucket'), path);
  return path;
}

function deviceOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.dev;
}
