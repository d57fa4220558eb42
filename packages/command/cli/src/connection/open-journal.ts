import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FileJournal, StoreJournal, type RolloutJournal } from '@art/journal';
import type { JournalPlace } from '../arguments/journal-argument.ts';
import type { CliContext } from '../cli-context.ts';
import { openStore } from './open-store.ts';

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
  if (place === undefined)
    return inFolder((await nearestFolder(context.cwd)) ?? join(context.cwd, defaultDirectory));
  if (place.kind === 'folder') return inFolder(resolve(context.cwd, place.directory));
  const { store, bucket, prefix, ...opened } = await openStore(place, endpoint, context.cwd);
  return {
    ...opened,
    journal: new StoreJournal({ store, bucket, prefix }),
    files: undefined,
  };
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

async function nearestFolder(from: string): Promise<string | undefined> {
  const candidate = join(from, defaultDirectory);
  const found = await stat(candidate).catch(() => undefined);
  if (found?.isDirectory() === true) return candidate;
  const parent = dirname(from);
  return parent === from ? undefined : nearestFolder(parent);
}
