import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

import type { ObjectAddress, ObjectBackend } from '../backend/object-backend.ts';
import { s3Error } from '../wire/s3-error.ts';
import { xmlDocument, type XmlContent } from '../wire/xml-writer.ts';
import type { S3OperationName } from './s3-operation-name.ts';

/** One request as the operations see it: without HTTP server and router. */
export interface S3Call {
  /** Undefined for what no operation here is. */
  operation: S3OperationName | undefined;
  /** The object that it is about; with an empty key the bucket, with an empty bucket the service. */
  at: ObjectAddress;
  method: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Readable;
  /** To be called before `body` is read: tells a client that waits with `Expect: 100-continue` to send it. */
  askForBody(): void;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
  settings: S3Settings;
}

export interface S3Reply {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string | Readable;
}

/**
 * Stands between a request and its operation: may change either, throw instead (an S3Error is answered, a ConnectionFault ends
 * the connection), or take its time.
 */
export type S3Interceptor = (call: S3Call, operate: (call: S3Call) => Promise<S3Reply>) => Promise<S3Reply>;

export interface S3EndpointOptions {
  /**
   * Where objects are kept: `MemoryObjectBackend`, `FileObjectBackend` or your own.
   * @default new MemoryObjectBackend()
   */
  backend?: ObjectBackend | undefined;
  /** Buckets that are there from the start, in a backend that keeps them already as well. @default none */
  buckets?: readonly string[] | undefined;
  /**
   * True if every bucket with a valid name is there, empty until the first object comes. With `false` a misspelt name answers 404
   * NoSuchBucket, as it would on AWS. @default false
   */
  autoCreateBuckets?: boolean | undefined;
  /**
   * `false` answers like S3 to credentials without s3:ListBucket: 403 to lists, to HEAD of a bucket, and to GET and HEAD
   * of keys that are not there.
   * @default true
   */
  listBucketAllowed?: boolean | undefined;
  /** Answered by GetBucketLocation and in `x-amz-bucket-region`. @default 'us-west-2' */
  region?: string | undefined;
  /** Largest object, in bytes; more is refused with EntityTooLarge. @default 5_368_709_120 (S3's limit for one PUT) */
  maxObjectBytes?: number | undefined;
  /** @default every request goes straight to its operation */
  intercept?: S3Interceptor | undefined;
}

/** All options after the check, defaults filled in. */
export type S3Settings = {
  readonly [Option in keyof S3EndpointOptions]-?: NonNullable<S3EndpointOptions[Option]>;
};

export function xmlReply(root: string, content: XmlContent): S3Reply {
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/xml' },
    body: xmlDocument(root, content, { namespace: true }),
  };
}

/** The value of a header that is there once, or several joined by commas. */
export function s3HeaderOf(call: S3Call, name: string): string | undefined {
  const value = call.headers[name];
  return value === undefined ? undefined : String(value);
}

/** @throws S3Error NoSuchBucket */
export async function assertBucket({ settings, at: { bucket } }: S3Call): Promise<void> {
  const { autoCreateBuckets, backend } = settings;
  if (!autoCreateBuckets && !(await backend.hasBucket(bucket)))
    throw s3Error('NoSuchBucket', { details: { BucketName: bucket } });
}
