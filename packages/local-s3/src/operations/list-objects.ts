import { assertListAllowed } from './bucket-operations.ts';
import { collectListing, maxListEntries, type Listing } from './collect-listing.ts';
import { assertBucket, xmlReply, type S3Call, type S3Reply } from './s3-call.ts';
import { invalidArgument } from '../wire/s3-error.ts';
import type { XmlContent } from '../wire/xml-writer.ts';

/** How many objects are looked at at once for their size and etag. */
const describedAtOnce = 32;
const tokenVersion = 'v1:';

/** ListObjectsV2. */
export async function listObjectsV2(call: S3Call, bucket: string): Promise<S3Reply> {
  const token = call.query.get('continuation-token');
  const startAfter = call.query.get('start-after');
  const list = await prepare(call, bucket);
  const listing = await list.collect(
    token === null ? (startAfter ?? undefined) : readContinuationToken(token),
  );
  return xmlReply('ListBucketResult', {
    ...list.echo,
    ContinuationToken: token ?? undefined,
    StartAfter: startAfter === null ? undefined : list.encode(startAfter),
    KeyCount: listing.entries.length,
    IsTruncated: listing.nextAfter !== undefined,
    NextContinuationToken:
      listing.nextAfter === undefined ? undefined : writeContinuationToken(listing.nextAfter),
    ...(await list.render(listing)),
  });
}

/** ListObjects, the first version: pages by `marker`. */
export async function listObjectsV1(call: S3Call, bucket: string): Promise<S3Reply> {
  const marker = call.query.get('marker') ?? '';
  const list = await prepare(call, bucket);
  const listing = await list.collect(marker === '' ? undefined : marker);
  const last = listing.entries.at(-1);
  return xmlReply('ListBucketResult', {
    ...list.echo,
    Marker: list.encode(marker),
    IsTruncated: listing.nextAfter !== undefined,
    // Without a delimiter the last key of the page is the marker of the next, so S3 leaves it out.
    NextMarker:
      listing.nextAfter === undefined || list.delimiter === '' || last === undefined
        ? undefined
        : list.encode(last.kind === 'key' ? last.key : last.prefix),
    ...(await list.render(listing)),
  });
}

async function prepare(call: S3Call, bucket: string) {
  const { query } = call;
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const maxEntries = readMaxKeys(query.get('max-keys'));
  const encodingType = query.get('encoding-type') ?? undefined;
  if (encodingType !== undefined && encodingType !== 'url') {
    throw invalidArgument('encoding-type', encodingType, 'url');
  }
  const encode = (text: string): string => (encodingType === undefined ? text : encodeListed(text));
  await assertBucket(call, bucket);
  assertListAllowed(call);
  return {
    delimiter,
    encode,
    echo: {
      Name: bucket,
      Prefix: encode(prefix),
      Delimiter: delimiter === '' ? undefined : encode(delimiter),
      MaxKeys: maxEntries,
      EncodingType: encodingType,
    },
    collect: (startAfter: string | undefined) =>
      collectListing({ bucket, prefix, delimiter, startAfter, maxEntries }, (range) =>
        call.settings.backend.list(range, call),
      ),
    render: async (listing: Listing): Promise<Record<string, XmlContent>> => ({
      Contents: await describeKeys(call, bucket, listing, encode),
      CommonPrefixes: listing.entries
        .filter((entry) => entry.kind === 'common-prefix')
        .map((entry) => ({ Prefix: encode(entry.prefix) })),
    }),
  };
}

async function describeKeys(
  call: S3Call,
  bucket: string,
  listing: Listing,
  encode: (text: string) => string,
): Promise<XmlContent[]> {
  const keys = listing.entries.flatMap((entry) => (entry.kind === 'key' ? [entry.key] : []));
  const described: XmlContent[] = [];
  for (let start = 0; start < keys.length; start += describedAtOnce) {
    const batch = keys.slice(start, start + describedAtOnce);
    described.push(...(await Promise.all(batch.map((key) => describeKey(call, { bucket, key }, encode)))));
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

function readMaxKeys(text: string | null): number {
  if (text === null || text === '') return maxListEntries;
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
