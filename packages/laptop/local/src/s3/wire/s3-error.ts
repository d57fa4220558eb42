import { xmlDocument } from './xml-writer.ts';

/** An answer that S3 would give as an error. The codes are those of the S3 API reference, "Error responses". */
export class S3Error extends Error {
  readonly statusCode: number;
  readonly s3Code: string;
  /** Further elements of the error document, like `Key`. */
  readonly details: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: number,
    s3Code: string,
    message: string,
    extra: { details?: Record<string, string>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'S3Error';
    this.statusCode = statusCode;
    this.s3Code = s3Code;
    this.details = extra.details ?? {};
    this.headers = extra.headers ?? {};
  }

  toXml(resource: string, requestId: string): string {
    return xmlDocument('Error', {
      Code: this.s3Code,
      Message: this.message,
      ...this.details,
      Resource: resource,
      RequestId: requestId,
    });
  }
}

/** Errors of the endpoint itself: the status of each code, and the message where it is always the same. */
const ownErrors = {
  AccessDenied: [403],
  BadDigest: [400],
  BucketAlreadyOwnedByYou: [
    409,
    'Your previous request to create the named bucket succeeded and you already own it.',
  ],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size'],
  IncompleteBody: [400],
  InternalError: [500],
  InvalidArgument: [400],
  InvalidBucketName: [
    400,
    'The specified bucket is not valid: expected 3 to 63 lower-case letters, digits, dots and hyphens, starting and ending with a letter or digit.',
  ],
  InvalidDigest: [400, 'The Content-MD5 you specified is not valid: expected 16 bytes in base64.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400],
  InvalidURI: [400, "Couldn't parse the specified URI: expected percent-encoded UTF-8."],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedTrailerError: [400],
  MalformedXML: [400],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411],
  NoSuchBucket: [404, 'The specified bucket does not exist.'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NotImplemented: [501],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  ServiceUnavailable: [503],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} satisfies Record<string, [status: number, message?: string]>;

/** An error of the endpoint's own. */
export function s3Error(
  code: keyof typeof ownErrors,
  { message, details = {}, ...extra }: OwnErrorParts = {},
): S3Error {
  const [statusCode, usualMessage = code]: [number, string?] = ownErrors[code];
  const texts = Object.entries(details).map(([name, value]): [string, string] => [name, String(value)]);
  return new S3Error(statusCode, code, message ?? usualMessage, {
    ...extra,
    details: Object.fromEntries(texts),
  });
}

interface OwnErrorParts {
  /** In place of the usual one. */
  message?: string;
  /** Further elements of the error document. */
  details?: Readonly<Record<string, string | number>>;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

export function preconditionFailed(condition: 'If-Match' | 'If-None-Match' | 'If-Unmodified-Since'): S3Error {
  return s3Error('PreconditionFailed', { details: { Condition: condition } });
}

export function noSuchKey(key: string): S3Error {
  return s3Error('NoSuchKey', { details: { Key: key } });
}

export function accessDenied(why: string): S3Error {
  return s3Error('AccessDenied', { message: `Access Denied: ${why}` });
}

export function invalidArgument(name: string, value: string, expected: string): S3Error {
  const message = `Expected ${name} to be ${expected}, got ${JSON.stringify(value)}.`;
  return s3Error('InvalidArgument', { message, details: { ArgumentName: name, ArgumentValue: value } });
}

export function invalidRequest(message: string): S3Error {
  return s3Error('InvalidRequest', { message });
}

export function notImplemented(what: string): S3Error {
  return s3Error('NotImplemented', { message: `The local S3 endpoint does not implement ${what}.` });
}
