import { describeValue } from '@art/ground';
import { InvalidArgumentError } from 'commander';
import { bucketArgument } from './text-argument.ts';

/** Where the journal of runs is. */
export type JournalPlace = { kind: 'folder'; directory: string } | StorePlace;

/** Where in a store something is. */
export type StorePlace =
  /** In a bucket; `prefix` has its own default. */
  | { kind: 's3'; bucket: string; prefix: string | undefined }
  /** In a store of files, `url` is its `file:///root`. */
  | { kind: 'files'; url: string; bucket: string; prefix: string | undefined };

const expected =
  'a folder such as .art/runs, s3://bucket or s3://bucket/prefix, or file:///root#bucket for a store of files';

/** Reads `--journal`: a folder, or the URL of a store. */
export function journalArgument(text: string): JournalPlace {
  if (text.trim() === '') return refuse(text);
  if (text.startsWith('s3://')) return { kind: 's3', ...bucketAndPrefix(text, text.slice('s3://'.length)) };
  if (text.startsWith('file:')) {
    const at = text.indexOf('#');
    if (at === -1 || !text.startsWith('file:///')) return refuse(text);
    return { kind: 'files', url: text.slice(0, at), ...bucketAndPrefix(text, text.slice(at + 1)) };
  }
  // A scheme that is not known must not become the name of a folder.
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return refuse(text);
  return { kind: 'folder', directory: text };
}

function bucketAndPrefix(whole: string, path: string): { bucket: string; prefix: string | undefined } {
  const [bucket = '', ...parts] = path.replace(/\/$/, '').split('/');
  if (parts.some((part) => !/^[\w.-]+$/.test(part) || /^\.+$/.test(part))) return refuse(whole);
  return { bucket: bucketArgument(bucket), prefix: parts.length === 0 ? undefined : parts.join('/') };
}

function refuse(text: string): never {
  throw new InvalidArgumentError(`Expected ${expected}; got ${describeValue(text)}.`);
}
