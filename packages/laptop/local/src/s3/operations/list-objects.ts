import { assertListAllowed } from './bucket-operations.ts';
import { collectListing, maxListEntries, type ListingEntry } from './collect-listing.ts';
import { assertBucket, xmlReply, type S3Call, type S3Reply } from './s3-call.ts';
import { invalidArgument } from '../wire/s3-error.ts';
import type { XmlContent } from '../wire/xml-writer.ts';

/** How many objects are looked at at once for their size and etag. */
const describedAtOnce = 32;
const tokenVersion = 'v1:';

/** ListObjects and ListObjectsV2, which differ in how they name the place of a page. */
export async function listObjects(call: S3Call): Promise<S3Reply> {
  const { query, settings } = call;
  const { bucket } = call.at;
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const marker = query.get('marker') ?? '';
  const token = query.get('continuation-token') ?? undefined;
  const startAfter = query.get('start-after') ?? undefined;
  const maxEntries = readMaxKeys(query.get('max-keys') ?? '');
  const encodingType = query.get('encoding-type') ?? undefined;
  if (encodingType !== undefined && encodingType !== 'url') {
    throw invalidArgument('encoding-type', encodingType, 'url');
  }
  const encode = (text: string): string => (encodingType === undefined ? text : encodeListed(text));
  const isFirstVersion = call.operation === 'ListObjects';
  const after = isFirstVersion
    ? marker || undefined
    : token === undefined
      ? startAfter
      : readContinuationToken(token);
  await assertBucket(call);
  assertListAllowed(call);
  const { entries, nextAfter } = await collectListing(
    { bucket, prefix, delimiter, startAfter: after, maxEntries },
    (range) => settings.backend.list(range, call),
  );
  const last = entries.at(-1);
  const lastName = last && encode(last.kind === 'key' ? last.key : last.prefix);
  return xmlReply('ListBucketResult', {
    Name: bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxKeys: maxEntries,
    EncodingType: encodingType,
    ...(isFirstVersion
      ? {
          Marker: encode(marker),
          // Without a delimiter the last key of the page is the marker of the next, so S3 leaves it out.
          NextMarker: nextAfter === undefined || delimiter === '' ? undefined : lastName,
        }
      : {
          ContinuationToken: token,
          StartAfter: startAfter === undefined ? undefined : encode(startAfter),
          KeyCount: entries.length,
          NextContinuationToken: nextAfter === undefined ? undefined : writeContinuationToken(nextAfter),
        }),
    IsTruncated: nextAfter !== undefined,
    Contents: await describeKeys(call, entries, encode),
    CommonPrefixes: entries
      .filter((entry) => entry.kind === 'common-prefix')
      .map((entry) => ({ Prefix: encode(entry.prefix) })),
  });
}

async function describeKeys(
  call: S3Call,
  entries: readonly ListingEntry[],
  encode: (text: string) => string,
): Promise<XmlContent[]> {
  const keys = entries.flatMap((entry) => (entry.kind === 'key' ? [entry.key] : []));
  const described: XmlContent[] = [];
  for (let start = 0; start < keys.length; start += describedAtOnce) {
    const batch = keys.slice(start, start + describedAtOnce);
    described.push(
      ...(await Promise.all(batch.map((key) => describeKey(call, { ...call.at, key }, encode)))),
    );
  }
  return described.filter((content) => content !== undefined);
}

/** Undefined for a key that was deleted since it was listed. */
async function describeKey(
  call: S3Call,
  at: { bucket: string; key: string },
  encode: (text: string) => string,
): Promise<XmlContent> {
  const description = await call.settings.backend.describe(at, call);
  if (description === undefined) return undefined;
  return {
    Key: encode(at.key),
    LastModified: new Date(description.lastModifiedMs).toISOString(),
    ETag: `"${description.etag}"`,
    ChecksumAlgorithm: description.checksum?.algorithm.toUpperCase(),
    ChecksumType: description.checksum && 'FULL_OBJECT',
    Size: description.sizeBytes,
    StorageClass: 'STANDARD',
  };
}

function readMaxKeys(text: string): number {
  if (text === '') return maxListEntries;
  if (!/^\d{1,10}$/.test(text)) throw invalidArgument('max-keys', text, 'an integer from 0 to 2147483647');
  return Math.min(maxListEntries, Number(text));
}

/** Percent-encoded like a path: both decoders in use, with and without "+" for a space, read it back the same. */
function encodeListed(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/');
}

/** Opaque to clients: where the next page starts. Holds no state, so it survives a restart of the endpoint. */
export function writeContinuationToken(after: string): string {
  return Buffer.from(tokenVersion + after).toString('base64url');
}

/** @throws S3Error InvalidArgument */
export function readContinuationToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  if (!text.startsWith(tokenVersion) || writeContinuationToken(text.slice(tokenVersion.length)) !== token) {
    throw invalidArgument('continuation-token', token, 'a NextContinuationToken of this endpoint');
  }
  return text.slice(tokenVersion.length);
}
