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

export function noSuchKey(key: string): S3Error {
  return new S3Error(404, 'NoSuchKey', 'The specified key does not exist.', { details: { Key: key } });
}

export function noSuchBucket(bucket: string): S3Error {
  return new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist.', {
    details: { BucketName: bucket },
  });
}

export function accessDenied(why: string): S3Error {
  return new S3Error(403, 'AccessDenied', `Access Denied: ${why}`);
}

export function preconditionFailed(condition: 'If-Match' | 'If-None-Match' | 'If-Unmodified-Since'): S3Error {
  return new S3Error(
    412,
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    {
      details: { Condition: condition },
    },
  );
}

export function invalidArgument(name: string, value: string, expected: string): S3Error {
  return new S3Error(
    400,
    'InvalidArgument',
    `Expected ${name} to be ${expected}, got ${JSON.stringify(value)}.`,
    {
      details: { ArgumentName: name, ArgumentValue: value },
    },
  );
}

export function invalidRequest(message: string): S3Error {
  return new S3Error(400, 'InvalidRequest', message);
}

export function notImplemented(what: string): S3Error {
  return new S3Error(501, 'NotImplemented', `The local S3 endpoint does not implement ${what}.`);
}
