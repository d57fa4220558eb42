import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

import type { ObjectBackend } from '../backend/object-backend.ts';
import type { S3Address } from '../wire/s3-address.ts';
import { noSuchBucket } from '../wire/s3-error.ts';
import { xmlDocument, type XmlContent } from '../wire/xml-writer.ts';

/** What the operations know of their endpoint; `S3EndpointOptions` says what each means. */
export interface S3CallSettings {
  readonly backend: ObjectBackend;
  readonly autoCreateBuckets: boolean;
  readonly listBucketAllowed: boolean;
  readonly region: string;
  readonly maxObjectBytes: number;
}

/** One request as the operations see it: without HTTP server and router. */
export interface S3Call {
  method: string;
  address: S3Address;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Readable;
  /** To be called before `body` is read: tells a client that waits with `Expect: 100-continue` to send it. */
  askForBody(): void;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
  settings: S3CallSettings;
}

export interface S3Reply {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string | Readable;
}

export function xmlReply(root: string, content: XmlContent): S3Reply {
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/xml' },
    body: xmlDocument(root, content, { namespace: true }),
  };
}

/** The value of a header that is there once, or several joined by commas. */
export function headerOf(call: S3Call, name: string): string | undefined {
  const value = call.headers[name];
  return value === undefined ? undefined : String(value);
}

/** @throws S3Error NoSuchBucket */
export async function assertBucket(call: S3Call, bucket: string): Promise<void> {
  const { autoCreateBuckets, backend } = call.settings;
  if (!autoCreateBuckets && !(await backend.hasBucket(bucket))) throw noSuchBucket(bucket);
}
