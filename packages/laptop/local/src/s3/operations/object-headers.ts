import type { IncomingHttpHeaders } from 'node:http';

import {
  defaultContentType,
  type ObjectDescription,
  type ObjectProperties,
} from '../backend/object-backend.ts';
import { contentEncodings } from '../body/request-body.ts';
import { s3Error } from '../wire/s3-error.ts';

/** Headers of a PUT that come back on GET as they were sent. */
const keptHeaders = ['cache-control', 'content-disposition', 'content-language', 'expires'] as const;
const metadataPrefix = 'x-amz-meta-';
/** User Guide, "Working with object metadata": 2 KB of names and values together. */
const maxMetadataBytes = 2_048;

/** Reads the headers of a PUT about its object. @throws S3Error MetadataTooLarge */
export function readObjectHeaders(
  headers: IncomingHttpHeaders,
): Pick<ObjectProperties, 'contentType' | 'headers' | 'metadata'> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = headers[name];
    if (value !== undefined) kept[name] = value;
  }
  // aws-chunked says how the body came over the wire, not what the object is.
  const encodings = contentEncodings(headers).filter((encoding) => encoding !== 'aws-chunked');
  if (encodings.length > 0) kept['content-encoding'] = encodings.join(',');
  const metadata: Record<string, string> = {};
  let metadataBytes = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(metadataPrefix)) continue;
    const text = String(value);
    metadata[name.slice(metadataPrefix.length)] = text;
    metadataBytes += name.length - metadataPrefix.length + text.length;
  }
  if (metadataBytes > maxMetadataBytes) {
    throw s3Error('MetadataTooLarge', {
      details: { Size: metadataBytes, MaxSizeAllowed: maxMetadataBytes },
    });
  }
  return { contentType: headers['content-type'] ?? defaultContentType, headers: kept, metadata };
}

/** The headers of a GET or HEAD of the object, without those that depend on the range. */
export function objectHeaders(description: ObjectDescription): Record<string, string> {
  const metadata = Object.entries(description.metadata).map(([name, value]) => [
    metadataPrefix + name,
    value,
  ]);
  return {
    ...description.headers,
    ...(Object.fromEntries(metadata) as Record<string, string>),
    'content-type': description.contentType,
    etag: `"${description.etag}"`,
    'last-modified': new Date(description.lastModifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
  };
}

export function checksumHeaders(checksum: ObjectProperties['checksum']): Record<string, string> {
  if (checksum === undefined) return {};
  return { [`x-amz-checksum-${checksum.algorithm}`]: checksum.value, 'x-amz-checksum-type': 'FULL_OBJECT' };
}
