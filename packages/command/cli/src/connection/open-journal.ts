import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FileJournal, StoreJournal, type RolloutJournal } from '@art/journal';
import { resultStoreFromUrl } from '@art/store';
import { S3ResultStore } from '@art/store-s3';
import type { JournalPlace } from '../arguments/journal-argument.ts';
import type { CliContext } from '../cli-context.ts';
import { findDevConnection } from './dev-connection.ts';
import { localCredentials } from './sdk-environment.ts';

/** A journal, and how it is called in messages. */
export interface OpenedJournal extends AsyncDisposable {
  journal: RolloutJournal;
  where: string;
  /** The same journal where it is in a folder; undefined where it is in a store. */
  files: FileJournal | undefined;
}

const defaultDirectory = join('.art', 'runs');

/**
 * The journal that is named, else the nearest `.art/runs` in this folder or above it. Nothing is created.
 * @param endpoint S3 of a journal that is in a bucket @default the `art dev` whose bucket it is, else AWS
 */
export async function openJournal(
  place: JournalPlace | undefined,
  endpoint: string | undefined,
  context: Pick<CliContext, 'cwd'>,
): Promise<OpenedJournal> {
  const { bucket = '', prefix } = place?.kind === 'folder' ? {} : (place ?? {});
  switch (place?.kind) {
    case undefined:
      return inFolder((await nearestFolder(context.cwd)) ?? join(context.cwd, defaultDirectory));
    case 'folder':
      return inFolder(resolve(context.cwd, place.directory));
    case 'files':
      return inStore(new StoreJournal({ store: resultStoreFromUrl(place.url), bucket, prefix }), place);
    case 's3': {
      const store = new S3ResultStore(await s3Options(place.bucket, endpoint, context.cwd));
      return inStore(new StoreJournal({ store, bucket, prefix }), place, () => store.close());
    }
  }
}

function inFolder(directory: string): OpenedJournal {
  const files = new FileJournal({ directory });
  return {
    journal: files,
    where: directory,
    files,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function inStore(
  journal: StoreJournal,
  place: Exclude<JournalPlace, { kind: 'folder' }>,
  close: () => Promise<void> = () => Promise.resolve(),
): OpenedJournal {
  const path = [place.bucket, ...(place.prefix === undefined ? [] : [place.prefix])].join('/');
  return {
    journal,
    where: place.kind === 's3' ? `s3://${path}` : `${place.url}#${path}`,
    files: undefined,
    [Symbol.asyncDispose]: close,
  };
}

async function nearestFolder(from: string): Promise<string | undefined> {
  const candidate = join(from, defaultDirectory);
  const found = await stat(candidate).catch(() => undefined);
  if (found?.isDirectory() === true) return candidate;
  const parent = dirname(from);
  return parent === from ? undefined : nearestFolder(parent);
}

async function s3Options(
  bucket: string,
  endpoint: string | undefined,
  cwd: string,
): Promise<ConstructorParameters<typeof S3ResultStore>[0]> {
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
