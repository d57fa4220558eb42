import { readXmlBody } from './read-xml-body.ts';
import { assertBucket, xmlReply, type S3Call, type S3Reply } from './s3-call.ts';
import { accessDenied, s3Error } from '../wire/s3-error.ts';

/** ListBuckets. */
export async function listBuckets(call: S3Call): Promise<S3Reply> {
  const buckets = await call.settings.backend.buckets();
  const sorted = buckets.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return xmlReply('ListAllMyBucketsResult', {
    Owner: { ID: 'local' },
    Buckets: {
      Bucket: sorted.map(({ name, createdMs }) => ({
        Name: name,
        CreationDate: new Date(createdMs).toISOString(),
      })),
    },
  });
}

/** CreateBucket; the region that the document asks for is not looked at, there is only this one. */
export async function createBucket(call: S3Call): Promise<S3Reply> {
  const { bucket } = call.at;
  await readXmlBody(call, 'CreateBucketConfiguration');
  if (!(await call.settings.backend.createBucket(bucket))) {
    throw s3Error('BucketAlreadyOwnedByYou', { details: { BucketName: bucket } });
  }
  return { statusCode: 200, headers: { location: `/${bucket}` } };
}

/** HeadBucket. */
export async function headBucket(call: S3Call): Promise<S3Reply> {
  await assertBucket(call);
  assertListAllowed(call);
  return { statusCode: 200, headers: { 'x-amz-bucket-region': call.settings.region } };
}

/** DeleteBucket. */
export async function deleteBucket(call: S3Call): Promise<S3Reply> {
  const { bucket } = call.at;
  await assertBucket(call);
  if (!(await call.settings.backend.deleteBucket(bucket))) {
    throw s3Error('BucketNotEmpty', { details: { BucketName: bucket } });
  }
  return { statusCode: 204 };
}

/** GetBucketLocation; us-east-1 is the empty constraint, for reasons of history. */
export async function getBucketLocation(call: S3Call): Promise<S3Reply> {
  await assertBucket(call);
  const { region } = call.settings;
  return xmlReply('LocationConstraint', region === 'us-east-1' ? '' : region);
}

/** @throws S3Error AccessDenied */
export function assertListAllowed(call: S3Call): void {
  if (!call.settings.listBucketAllowed) throw accessDenied('no s3:ListBucket on this bucket.');
}
