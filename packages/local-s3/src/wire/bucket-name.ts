import { S3Error } from './s3-error.ts';

/** Rules of the S3 User Guide, "General purpose bucket naming rules", as far as they concern the form of the name. */
export function isBucketName(name: string): boolean {
  return (
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
    !name.includes('..') &&
    !/^\d{1,3}(\.\d{1,3}){3}$/.test(name) &&
    !name.startsWith('xn--') &&
    !name.startsWith('sthree-') &&
    !name.endsWith('-s3alias') &&
    !name.endsWith('--ol-s3')
  );
}

/** @throws S3Error InvalidBucketName */
export function assertBucketName(name: string): void {
  if (isBucketName(name)) return;
  throw new S3Error(
    400,
    'InvalidBucketName',
    'The specified bucket is not valid: expected 3 to 63 lower-case letters, digits, dots and hyphens, starting and ending with a letter or digit.',
    { details: { BucketName: name } },
  );
}
