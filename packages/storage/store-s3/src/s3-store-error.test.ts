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
    [501, 'NotImplemented', 'ART_STORE_FAILED', /AWS_REQUEST_CHECKSUM_CALCULATION=when_required/],
    [400, 'XAmzContentSHA256Mismatch', 'ART_STORE_FAILED', /when_required/],
    [400, 'InvalidIfNoneMatch If-None-Match', 'ART_STORE_FAILED', /does not take If-None-Match/],
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
    // No host of that name is asked: a request is signed before it is sent.
    const store = new S3ResultStore({ endpoint: 'http://s3.invalid', region: 'us-west-2' });
    onTestFinished(() => store.close());
    await expect(store.put(at, '{}')).rejects.toMatchObject({ code: 'ART_STORE_NO_CREDENTIALS' });
    await expect(store.exists(at)).rejects.toMatchObject({ code: 'ART_STORE_NO_CREDENTIALS' });
  });

  it.each([
    ['no credentials, no region', {}],
    ['a profile that is not there', { AWS_PROFILE: 'gone' }],
    ['half of a pair of keys', { AWS_ACCESS_KEY_ID: 'a' }],
    ['an empty region', { AWS_REGION: '' }],
    ['FIPS and dual stack', { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' }],
    ['no configured endpoints', { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }],
  ])('are none at an S3 of this machine in a shell with %s', async (_what, shell) => {
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent/credentials');
    vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent/config');
    for (const [name, value] of Object.entries(shell)) vi.stubEnv(name, value);
    const s3 = await recordingS3(() => ({ status: 200 }));
    vi.stubEnv('AWS_ENDPOINT_URL_S3', s3.url);
    const store = new S3ResultStore();
    onTestFinished(() => store.close());
    await store.put(at, '{}');
    expect(s3.requests).toHaveLength(1);
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
