import { describe, expect, it } from 'vitest';
import { checkBucketName } from './check-bucket-name.ts';

describe('checkBucketName', () => {
  it.each([
    'abc',
    'my-results.2026',
    'a'.repeat(63),
    'arn:aws:s3:us-west-2:123456789012:accesspoint/results',
    'arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap',
  ])('takes %s', (bucket) => {
    expect(() => checkBucketName(bucket)).not.toThrow();
  });

  it.each([
    '',
    'ab',
    'My-Results',
    'my_results',
    's3://results',
    'a..b',
    '-abc',
    'a'.repeat(64),
    7,
    undefined,
  ])('refuses %s', (bucket) => {
    expect(() => checkBucketName(bucket)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_BUCKET',
        message: expect.stringMatching(/^Expected a bucket name of 3 to 63/) as string,
      }) as Error,
    );
  });
});
