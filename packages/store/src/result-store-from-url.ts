import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ArtError, describeValue } from '@art/protocol';
import { FileResultStore } from './file/file-result-store.ts';
import { MemoryResultStore } from './memory-result-store.ts';
import type { ResultStore } from './result-store.ts';

/**
 * The store that a URL names: `file:///absolute/path` for a {@link FileResultStore}, `memory:` for a new
 * {@link MemoryResultStore} that only its owner can see.
 * @throws ArtError `ART_INVALID_OPTION` for anything else
 */
export function resultStoreFromUrl(url: string): ResultStore {
  if (typeof url !== 'string') return refuse(url, 'it is not a string');
  if (url === 'memory:') return new MemoryResultStore();
  if (url.startsWith('s3:')) {
    return refuse(
      url,
      'S3 is in another package; use new S3ResultStore() from @art/store-s3, the bucket comes with each request',
    );
  }
  if (url.startsWith('/') || url.startsWith('./') || url.startsWith('../')) {
    return refuse(url, `it is a path; write ${pathToFileURL(resolve(url)).href}`);
  }
  if (!url.startsWith('file:')) return refuse(url, 'no store has that scheme');
  // `new URL` would read file:results as /results, a directory that nobody meant.
  if (!url.startsWith('file:///')) return refuse(url, 'it needs three slashes and an absolute path');
  const parsed = new URL(url);
  if (parsed.search !== '' || parsed.hash !== '') {
    return refuse(url, 'it has a query or a fragment; write "?" in a path as %3F and "#" as %23');
  }
  try {
    return new FileResultStore({ root: fileURLToPath(parsed) });
  } catch (error) {
    return refuse(url, error instanceof Error ? error.message : String(error));
  }
}

function refuse(url: unknown, why: string): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected the URL of a result store, file:///absolute/path or memory:, got ${describeValue(url)}: ${why}.`,
  });
}
