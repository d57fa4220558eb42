import { resultStoreFromUrl, type ResultStore } from '@art/store';
import type { S3ResultStoreOptions } from '@art/store-s3';
import type { StorePlace } from '../arguments/journal-argument.ts';
import { findDevConnection } from './dev-connection.ts';
import { localCredentials } from './sdk-environment.ts';

/** A store, where in it things are, and how that is called in messages. */
export interface OpenedStore extends AsyncDisposable {
  store: ResultStore;
  bucket: string;
  prefix: string | undefined;
  where: string;
}

/**
 * Opens the store that is named.
 * @param endpoint S3 of a bucket @default the `art dev` whose bucket it is, else AWS
 */
export async function openStore(
  place: StorePlace,
  endpoint: string | undefined,
  cwd: string,
): Promise<OpenedStore> {
  const { bucket, prefix } = place;
  const path = [bucket, ...(prefix === undefined ? [] : [prefix])].join('/');
  if (place.kind === 'files')
    return {
      store: resultStoreFromUrl(place.url),
      bucket,
      prefix,
      where: `${place.url}#${path}`,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  const { S3ResultStore } = await import('@art/store-s3');
  const store = new S3ResultStore(await s3Options(bucket, endpoint, cwd));
  return { store, bucket, prefix, where: `s3://${path}`, [Symbol.asyncDispose]: () => store.close() };
}

async function s3Options(
  bucket: string,
  endpoint: string | undefined,
  cwd: string,
): Promise<S3ResultStoreOptions> {
  const found = findDevConnection(cwd);
  const dev = found.kind === 'running' ? found.connection : undefined;
  const isDev = endpoint === undefined ? dev?.bucket === bucket : dev?.endpoint === endpoint;
  if (dev === undefined || !isDev) return { endpoint };
  return {
    endpoint: dev.endpoint,
    region: dev.region,
    clientConfig: { credentials: localCredentials },
  };
}
