import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { makeDirectory } from '@art/ground';
import type { StoreWatch } from '../result-store.ts';
import { roleAbove } from './watched-directory.ts';
import { WatchedTree, type WatchedTreeOptions } from './watched-tree.ts';

export interface WatchKeysOptions extends WatchedTreeOptions {
  root: string;
  bucketDirectory: string;
  pollIntervalMs: number;
  signal: AbortSignal | undefined;
}

// Keeps the share of a processor that polling takes at a tenth, as long as a look takes less than 3 s.
const restPerLook = 9;
// The time of a look is that of the wall: a process that was stopped for an hour must not rest for nine.
const longestRestMs = 30_000;

/** Watches the keys of a bucket: file system events for speed, a look through the directories now and then for certainty. */
export async function watchKeys(options: WatchKeysOptions): Promise<StoreWatch> {
  const { root, signal } = options;
  const tree = new WatchedTree(options);
  const role = roleAbove(relative(root, options.bucketDirectory).split(sep));
  let realRoot: string;
  try {
    // The bucket may appear later, but the system can only watch for it in a directory that exists.
    await makeDirectory(root);
    // What is below is not followed through symbolic links; the root itself may be one.
    realRoot = await realpath(root);
    await tree.visit(realRoot, role, { silent: true, signal });
    signal?.throwIfAborted();
  } catch (error) {
    tree.close();
    throw error;
  }
  let isClosed = false;
  let timer = setTimeout(poll, options.pollIntervalMs);
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      tree.close();
    },
  };

  function poll(): void {
    const startedMs = performance.now();
    void tree
      .visit(realRoot, role, { silent: false })
      .catch(tryAgainNextTime)
      .finally(() => {
        if (isClosed) return;
        const tookMs = performance.now() - startedMs;
        const restMs = Math.min(tookMs * restPerLook, longestRestMs);
        timer = setTimeout(poll, Math.max(options.pollIntervalMs, restMs));
      });
  }
}

function tryAgainNextTime(): void {
  // No more file descriptors, a directory without access: what failed one look may be gone at the next.
}
