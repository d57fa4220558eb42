import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { recordingS3, s3Error, storeAt, type ScriptedAnswer } from './recording-s3.fixture.ts';
import { S3ResultStore } from './s3-result-store.ts';

const range = { bucket: 'bucket', prefix: 'run-7/' };
const page: ScriptedAnswer = {
  status: 200,
  body: '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>',
};
const deniedFor = (right: string): ScriptedAnswer => ({
  status: 403,
  headers: { 'content-type': 'application/xml' },
  body: `<Error><Code>AccessDenied</Code><Message>User: arn:aws:sts::1:assumed-role/x is not authorized to perform: ${right} on resource: "arn:aws:s3:::bucket" because no identity-based policy allows the ${right} action</Message></Error>`,
});

describe('check', () => {
  it('is one listing of one key', async () => {
    const s3 = await recordingS3(() => page);
    await storeAt(s3).check(range);
    expect(s3.requests).toHaveLength(1);
    expect(s3.requests[0]!.query.get('max-keys')).toBe('1');
    expect(s3.requests[0]!.query.get('prefix')).toBe('run-7/');
  });

  it('names a directory bucket before the first result', async () => {
    const s3 = await recordingS3(() => page);
    const warned: unknown[] = [];
    const store = storeAt(s3, { onWarning: ({ kind }) => void warned.push(kind) });
    await store.check({ ...range, bucket: 'fast--usw2-az1--x-s3' }).catch(() => undefined);
    await store.check(range);
    expect(warned).toEqual(['directory-bucket']);
  });

  it.each<[string, string, ScriptedAnswer]>([
    ['a missing bucket', 'ART_STORE_NO_BUCKET', s3Error(404, 'NoSuchBucket')],
    ['403 on everything', 'ART_STORE_DENIED', s3Error(403, 'AccessDenied')],
    ['keys that nobody knows', 'ART_STORE_NO_CREDENTIALS', s3Error(403, 'InvalidAccessKeyId')],
    ['a wrong signature', 'ART_STORE_DENIED', s3Error(403, 'SignatureDoesNotMatch')],
  ])('calls %s lasting, and says what to do', async (_, code, answer) => {
    const s3 = await recordingS3(() => answer);
    await expect(storeAt(s3).check(range)).rejects.toMatchObject({
      code,
      bucket: 'bucket',
      retryable: false,
    });
  });

  it('calls a store that is busy or silent what may pass', async () => {
    const s3 = await recordingS3(() => s3Error(503, 'SlowDown'));
    await expect(storeAt(s3, { maxAttempts: 1 }).check(range)).rejects.toMatchObject({ retryable: true });
    const silent = await recordingS3(() => 'reset');
    await expect(storeAt(silent, { maxAttempts: 1 }).check(range)).rejects.toMatchObject({ retryable: true });
  });

  it('lets whoever may read but not list go on, where S3 says so', async () => {
    const s3 = await recordingS3(() => deniedFor('s3:ListBucket'));
    await expect(storeAt(s3).check(range)).resolves.toBeUndefined();
    expect(s3.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    const missing = await recordingS3(({ query }) =>
      query.has('list-type') ? s3Error(403, 'AccessDenied') : s3Error(404, 'NoSuchKey'),
    );
    await expect(storeAt(missing).check(range)).resolves.toBeUndefined();
  });

  it('stops whoever may list but not read at their own words', async () => {
    const s3 = await recordingS3(({ query }) =>
      query.has('list-type') ? s3Error(403, 'AccessDenied') : deniedFor('s3:GetObject'),
    );
    await expect(storeAt(s3).check(range)).rejects.toMatchObject({
      code: 'ART_STORE_DENIED',
      operation: 'get',
    });
  });
});

describe('what no request can be sent for', () => {
  it.each(['My_Bucket', 'ab', 's3://bucket'])('refuses %s as a bucket, and asks nobody', async (bucket) => {
    const s3 = await recordingS3(() => page);
    const store = storeAt(s3);
    const refused = { code: 'ART_INVALID_BUCKET', retryable: false };
    await expect(store.check({ bucket, prefix: '' })).rejects.toMatchObject(refused);
    await expect(store.put({ bucket, key: 'k' }, '{}')).rejects.toMatchObject(refused);
    await expect(store.get({ bucket, key: 'k' })).rejects.toMatchObject(refused);
    await expect(store.exists({ bucket, key: 'k' })).rejects.toMatchObject(refused);
    expect(s3.requests).toEqual([]);
  });

  it('says that the region is missing where it is', async () => {
    const client = new S3Client({
      region: (): Promise<string> => Promise.reject(new Error('Region is missing')),
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
    const store = new S3ResultStore({ client });
    await expect(store.check(range)).rejects.toMatchObject({
      retryable: false,
      message: expect.stringMatching(/Region is missing\. Set AWS_REGION/) as string,
    });
    await store.close();
  });

  it('refuses an endpoint without a scheme, and options that do not exist', () => {
    expect(() => new S3ResultStore({ endpoint: 'localhost:9000' })).toThrow(/http or https URL/);
    expect(() => new S3ResultStore({ endPoint: 'http://x' } as object)).toThrow('Did you mean endpoint?');
  });
});
