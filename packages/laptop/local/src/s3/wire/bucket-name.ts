import { s3Error } from './s3-error.ts';

/** Rules of the S3 User Guide, "General purpose bucket naming rules", as far as they concern the form of the name. */
export function isServedBucketName(name: string): boolean {
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
  if (isServedBucketName(name)) return;
  throw s3Error('InvalidBucketName', { details: { BucketName: name } });
}
