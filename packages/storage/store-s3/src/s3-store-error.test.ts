import type { ErrorCode } from '@art/ground';
import { StoreError } from '@art/store';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { recordingS3, s3Error, storeAt } from './recording-s3.fixture.ts';
import { S3ResultStore } from './s3-result-store.ts';

const at = { bucket: 'bucket', key: 'exp/input/session.json' };

afterEach(() => void vi.unstubAllEnvs());

describe('the errors of an S3ResultStore', () => {
  it.each<[number, string, ErrorCode, RegExp]>([
    [403, 'AccessDenied', 'ART_STORE_DENIED', /Allow s3:PutObject on bucket\/\*/],
    [404, 'NoSuchBucket', 'ART_STORE_NO_BUCKET', /Create the bucket/],
    [400, 'ExpiredToken', 'ART_STORE_NO_CREDENTIALS', /AWS_SESSION_TOKEN/],
    [403, 'InvalidAccessKeyId', 'ART_STORE_NO_CREDENTIALS', /AWS_PROFILE/],
    [403, 'RequestTimeTooSkewed', 'ART_STORE_DENIED', /clock of this machine is wrong/],
    [403, 'SignatureDoesNotMatch', 'ART_STORE_DENIED', /secret key does not belong/],
    [503, 'SlowDown', 'ART_STORE_BUSY', /S3 refused 2 attempts/],
    [400, 'EntityTooLarge', 'ART_STORE_FAILED', /EntityTooLarge \(HTTP 400\)/],
    [500, 'InternalError', 'ART_STORE_FAILED', /2 attempt/],
  ])('for HTTP %i %s say what to do', async (status, name, code, advice) => {
    const s3 = await recordingS3(() => s3Error(status, name));
    const error: unknown = await storeAt(s3, { maxAttempts: 2 })
      .put(at, '{}')
      .catch((reason: unknown) => reason);
    expect(StoreError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code, operation: 'put', ...at, cause: { name } });
    const { message } = error as Error;
    expect(message).toMatch(/^Store put of "exp\/input\/session.json" in bucket "bucket" failed: /);
    expect(message).toMatch(advice);
    expect(message).toContain('Request id REQ1.');
    expect(message).not.toContain('..');
  });

  it('name missing credentials', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent/credentials');
    vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent/config');
    const s3 = await recordingS3(() => ({ status: 200 }));
    const store = new S3ResultStore({ endpoint: s3.url, region: 'us-west-2' });
    onTestFinished(() => store.close());
    await expect(store.put(at, '{}')).rejects.toMatchObject({ code: 'ART_STORE_NO_CREDENTIALS' });
    await expect(store.exists(at)).rejects.toMatchObject({ code: 'ART_STORE_NO_CREDENTIALS' });
    expect(s3.requests).toHaveLength(0);
  });

  it('say where to look when nobody answers', async () => {
    const s3 = await recordingS3(() => 'reset');
    const error = storeAt(s3, { maxAttempts: 1 }).get(at);
    await expect(error).rejects.toMatchObject({ code: 'ART_STORE_FAILED', operation: 'get' });
    await expect(error).rejects.toThrow(/AWS_ENDPOINT_URL_S3/);
  });

  it('come before anything is sent where the input is wrong', async () => {
    const s3 = await recordingS3(() => ({ status: 200 }));
    const store = storeAt(s3);
    await expect(store.put({ bucket: '', key: 'k' }, '{}')).rejects.toMatchObject({
      code: 'ART_INVALID_BUCKET',
    });
    await expect(store.put({ bucket: 'b', key: '' }, '{}')).rejects.toMatchObject({
      code: 'ART_INVALID_RESULT_KEY',
    });
    await expect(store.put(at, '\ud800')).rejects.toMatchObject({ code: 'ART_INVALID_RESULT_BODY' });
    await expect(store.list({ bucket: 'b', prefix: '', limit: 0 })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
    expect(s3.requests).toHaveLength(0);
  });
});
