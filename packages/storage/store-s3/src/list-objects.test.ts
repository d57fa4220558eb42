import { expect, it } from 'vitest';
import { recordingS3, s3Error, storeAt } from './recording-s3.fixture.ts';

function listing(keys: string[], isTruncated: boolean): string {
  const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>2</Size></Contents>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><IsTruncated>${isTruncated}</IsTruncated>${contents}</ListBucketResult>`;
}

it('asks for one page with ListObjectsV2', async () => {
  const s3 = await recordingS3((_, index) => ({
    status: 200,
    body: index === 0 ? listing(['a &amp; b', ' c ', '007', 'ä😀'], true) : listing([], false),
  }));
  const store = storeAt(s3);
  expect(await store.list({ bucket: 'bucket', prefix: 'exp/ä&', startAfter: 'exp/ä&+1', limit: 4 })).toEqual({
    keys: ['a & b', ' c ', '007', 'ä😀'],
    truncated: true,
  });
  expect(await store.list({ bucket: 'bucket', prefix: '' })).toEqual({ keys: [], truncated: false });
  expect(s3.requests.map(({ method, path, query }) => [method, path, Object.fromEntries(query)])).toEqual([
    ['GET', '/bucket/', { 'list-type': '2', 'max-keys': '4', prefix: 'exp/ä&', 'start-after': 'exp/ä&+1' }],
    ['GET', '/bucket/', { 'list-type': '2', 'max-keys': '1000' }],
  ]);
});

it('fails where listing is denied, naming the permission', async () => {
  const s3 = await recordingS3(() => s3Error(403, 'AccessDenied'));
  await expect(storeAt(s3).list({ bucket: 'bucket', prefix: 'exp/' })).rejects.toMatchObject({
    code: 'ART_STORE_DENIED',
    operation: 'list',
    bucket: 'bucket',
    key: 'exp/',
    message: expect.stringContaining('s3:ListBucket') as string,
  });
});
