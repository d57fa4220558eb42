import { compareKeys, type ListPage } from '@art/store';

import type { KeyRange } from '../backend/object-backend.ts';

/** S3 lists this many entries at most, and a backend is never asked for more. */
export const maxListEntries = 1_000;
const maxKeyBytes = 1_024;

export interface ListingRequest {
  bucket: string;
  prefix: string;
  /** Empty for none. */
  delimiter: string;
  startAfter: string | undefined;
  /** 0 to {@link maxListEntries}. */
  maxEntries: number;
}

export type ListingEntry = { kind: 'key'; key: string } | { kind: 'common-prefix'; prefix: string };

export interface Listing {
  /** In the order of their UTF-8 bytes. */
  entries: ListingEntry[];
  /** Where the next page continues, if there is one. */
  nextAfter: string | undefined;
}

/**
 * One page of a listing: keys, and in place of those that share a prefix up to the delimiter that prefix once. Behind a
 * common prefix the search jumps over everything below it instead of reading it.
 */
export async function collectListing(
  request: ListingRequest,
  listKeys: (range: KeyRange) => Promise<ListPage>,
): Promise<Listing> {
  const { bucket, prefix, maxEntries } = request;
  const entries: ListingEntry[] = [];
  let after = request.startAfter;
  let lastPrefix: string | undefined;
  if (maxEntries === 0) return { entries, nextAfter: undefined };
  for (;;) {
    const limit = Math.min(maxListEntries, maxEntries - entries.length + 1);
    const page = await listKeys({ bucket, prefix, startAfter: after, limit });
    for (const key of page.keys) {
      const entry = entryFor(key, request);
      const isRepeated = entry.kind === 'common-prefix' && entry.prefix === lastPrefix;
      if (!isRepeated && !isOfEarlierPage(entry, request.startAfter)) {
        if (entries.length === maxEntries) return { entries, nextAfter: after };
        entries.push(entry);
      }
      lastPrefix = entry.kind === 'common-prefix' ? entry.prefix : undefined;
      after = entry.kind === 'common-prefix' ? laterOf(endOf(entry.prefix), key) : key;
    }
    if (!page.truncated) return { entries, nextAfter: undefined };
  }
}

function entryFor(key: string, { prefix, delimiter }: ListingRequest): ListingEntry {
  const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return at === -1
    ? { kind: 'key', key }
    : { kind: 'common-prefix', prefix: key.slice(0, at + delimiter.length) };
}

/** A common prefix that is not behind the start belongs to an earlier page, though keys below it are behind it. */
function isOfEarlierPage(entry: ListingEntry, startAfter: string | undefined): boolean {
  return (
    entry.kind === 'common-prefix' && startAfter !== undefined && compareKeys(entry.prefix, startAfter) <= 0
  );
}

/** A text behind every key that starts with `prefix`: filled up with the last code point, which has four bytes. */
function endOf(prefix: string): string {
  return prefix + '\u{10ffff}'.repeat(Math.floor((maxKeyBytes - Buffer.byteLength(prefix)) / 4));
}

function laterOf(left: string, right: string): string {
  return compareKeys(left, right) >= 0 ? left : right;
}
