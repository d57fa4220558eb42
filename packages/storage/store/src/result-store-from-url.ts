import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ArtError, describeValue, isBucketName, refuseOption, describeThrown } from '@art/ground';
import { FileResultStore } from './file/file-result-store.ts';
import { MountedResultStore } from './file/mounted-result-store.ts';
import { isEvasive } from './file/result-path.ts';
import { MemoryResultStore } from './memory-result-store.ts';
import { isResultStore, type ResultStore } from './result-store.ts';
import { registeredSchemes, storeDriver, type StoreDriver } from './store-driver.ts';

/**
 * The store that a URL names: `file:///absolute/path` for a {@link FileResultStore}, `memory:` for a new
 * {@link MemoryResultStore} that only its owner can see, `mount:///mnt/results?bucket=my-results&prefix=math/` for a bucket that is
 * mounted at that path, and `scheme:...` for a scheme given to `registerStoreDriver`.
 * @throws ArtError `ART_INVALID_OPTION` for anything else, and when a driver cannot open the URL
 */
export function resultStoreFromUrl(url: string): ResultStore {
  return storeOpenerOf(url)();
}

/** Opens the store for what a mounted bucket does not hold. */
type OpenOutside = () => Promise<ResultStore>;

/** Looks at a URL, and opens nothing yet. */
function storeOpenerOf(url: string, outside?: OpenOutside): () => ResultStore {
  if (typeof url !== 'string') return refuse(url, 'it is not a string');
  if (url === 'memory:') return () => new MemoryResultStore();
  if (url.startsWith('s3:')) {
    return refuse(
      url,
      'S3 is in another package; use new S3ResultStore() from @art/store-s3, the bucket comes with each request',
    );
  }
  if (url.startsWith('/') || url.startsWith('./') || url.startsWith('../')) {
    return refuse(url, `it is a path; write ${pathToFileURL(resolve(url)).href}`);
  }
  if (url.startsWith('file:')) return fileOpener(url);
  if (url.startsWith('mount:')) return mountOpener(url, outside);
  const driver = storeDriver(schemeOf(url));
  if (driver !== undefined) return () => openByDriver(driver, url);
  return refuse(url, 'no store has that scheme; a module that calls registerStoreDriver must run before');
}

function fileOpener(url: string): () => ResultStore {
  // `new URL` would read file:results as /results, a directory that nobody meant.
  if (!url.startsWith('file:///')) return refuse(url, 'it needs three slashes and an absolute path');
  const parsed = new URL(url);
  if (parsed.search !== '' || parsed.hash !== '') {
    return refuse(url, 'it has a query or a fragment; write "?" in a path as %3F and "#" as %23');
  }
  try {
    const store = new FileResultStore({ root: fileURLToPath(parsed) });
    return () => store;
  } catch (error) {
    return refuse(url, reasonOf(error));
  }
}

function mountOpener(url: string, outside: OpenOutside | undefined): () => ResultStore {
  const form = 'it needs the form mount:///mnt/results?bucket=my-results&prefix=math/';
  if (!url.startsWith('mount:///') || url.includes('#')) return refuse(url, form);
  const { pathname, searchParams } = new URL(url);
  const { bucket, prefix = '', ...others } = Object.fromEntries(searchParams);
  if (!isBucketName(bucket) || Object.keys(others).length > 0) return refuse(url, form);
  const folders = prefix.split('/');
  if (folders.pop() !== '' || folders.some(isEvasive))
    return refuse(url, 'its prefix needs a slash at its end, and names between slashes');
  try {
    const path = fileURLToPath(`file://${pathname}`).replace(/\/$/, '');
    if (path === '') return refuse(url, form);
    return () => new MountedResultStore({ path, bucket, prefix }, outside);
  } catch (error) {
    return refuse(url, reasonOf(error));
  }
}

function openByDriver(driver: StoreDriver, url: string): ResultStore {
  let store: unknown;
  try {
    store = driver(new URL(url));
  } catch (error) {
    return refuse(url, reasonOf(error), error);
  }
  if (isResultStore(store)) return store;
  return refuse(url, `its driver gave ${describeValue(store)} instead of an object with put, get and exists`);
}

/** Lower case, as in every URL; empty where there is none. */
function schemeOf(url: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? '';
}

function reasonOf(error: unknown): string {
  return describeThrown(error).message;
}

function refuse(url: unknown, why: string, cause?: unknown): never {
  const schemes = registeredSchemes().map((scheme) => `${scheme}:...`);
  const forms = ['file:///absolute/path', 'memory:', 'mount:///mnt/results?bucket=...', ...schemes];
  const expected = `one of ${forms.join(', ')}`;
  // A URL may hold a password.
  const got = typeof url === 'string' ? url.replace(/(:\/\/)[^/?#]*@/, '$1[redacted]@') : url;
  refuseOption('url', expected, got, {
    advice: `It cannot be used: ${why}.`,
    cause,
  });
}

/** The environment variable that names the store of an agent, as a URL. */
export const resultStoreVariable = 'ART_RESULT_STORE';

/**
 * The store that `ART_RESULT_STORE` names; undefined where it is not set or empty. Reads the environment when called.
 * @param env @default process.env
 * @param outside opens the store for what a mounted bucket does not hold @default none, and that is refused
 * @throws ArtError `ART_INVALID_OPTION`, see {@link resultStoreFromUrl}
 */
export function resultStoreFromEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
  outside?: () => Promise<ResultStore>,
): ResultStore | undefined {
  return openerFromEnvironment(env, outside)?.();
}

/**
 * Checks that `ART_RESULT_STORE` names a store that can be opened, for programs that open the store later: a misspelt
 * scheme is found at start. Opens nothing.
 * @param env @default process.env
 * @throws ArtError `ART_INVALID_OPTION`, see {@link resultStoreFromUrl}
 */
export function checkResultStoreVariable(
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  openerFromEnvironment(env);
}

function openerFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  outside?: OpenOutside,
): (() => ResultStore) | undefined {
  const url = env[resultStoreVariable];
  if (url === undefined || url === '') return undefined;
  const open = inItsWords(() => storeOpenerOf(url, outside));
  return () => inItsWords(open);
}

/** Names the variable in errors about its URL. */
function inItsWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!ArtError.isInstance(error)) throw error;
    throw new ArtError({
      code: error.code,
      message: `${resultStoreVariable}: ${error.message}`,
      cause: error,
    });
  }
}
