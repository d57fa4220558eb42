import { type Clock, systemClock } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { recordingS3, s3Error, storeAt, type ScriptedAnswer } from './recording-s3.fixture.ts';

const at = { bucket: 'bucket', key: 'exp 1/input&2/ä+%.json' };
const stored: ScriptedAnswer = { status: 200, headers: { etag: '"e"' } };

describe('put', () => {
  it('sends one PutObject with the type, the length and a checksum', async () => {
    const s3 = await recordingS3(() => stored);
    expect(await storeAt(s3).put(at, '{"text": "ä"}')).toEqual({ kind: 'stored' });
    expect(s3.requests).toHaveLength(1);
    const [request] = s3.requests;
    expect(request).toMatchObject({
      method: 'PUT',
      path: '/bucket/exp%201/input%262/%C3%A4%2B%25.json',
      body: '{"text": "ä"}',
      headers: { 'content-type': 'application/json', 'content-length': '14' },
    });
    expect(request?.headers).toHaveProperty('x-amz-checksum-crc32');
    expect(request?.headers['authorization']).toContain('/us-west-2/s3/aws4_request');
    expect(request?.headers).not.toHaveProperty('if-none-match');
    expect(request?.headers).not.toHaveProperty('x-amz-meta-art-write-id');
  });

  it('encrypts with the KMS key that is named', async () => {
    const s3 = await recordingS3(() => stored);
    await storeAt(s3, { kmsKeyId: 'alias/results' }).put(at, '{}');
    expect(s3.requests[0]!.headers).toMatchObject({
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'alias/results',
    });
  });

  it('sends an empty body as such', async () => {
    const s3 = await recordingS3(() => stored);
    await storeAt(s3).put(at, '');
    expect(s3.requests[0]).toMatchObject({ body: '', headers: { 'content-length': '0' } });
  });

  it('lets S3 decide ifAbsent, and takes 412 for exists', async () => {
    const s3 = await recordingS3((_, index) => (index === 0 ? stored : s3Error(412, 'PreconditionFailed')));
    const store = storeAt(s3);
    expect(await store.put(at, '{}', { ifAbsent: true })).toEqual({ kind: 'stored' });
    expect(await store.put(at, '{}', { ifAbsent: true })).toEqual({ kind: 'exists' });
    expect(s3.requests.map(({ method, headers }) => [method, headers['if-none-match']])).toEqual([
      ['PUT', '*'],
      ['PUT', '*'],
    ]);
    const ids = s3.requests.map(({ headers }) => headers['x-amz-meta-art-write-id']);
    expect(new Set(ids).size).toBe(2);
  });

  it('puts again after conflicts, waiting longer each time', async () => {
    const s3 = await recordingS3((_, index) =>
      index < 3 ? s3Error(409, 'ConditionalRequestConflict') : stored,
    );
    const delays: number[] = [];
    const store = storeAt(
      s3,
      {},
      waitingClock((delayMs) => delays.push(delayMs)),
    );
    expect(await store.put(at, '{}', { ifAbsent: true })).toEqual({ kind: 'stored' });
    expect(s3.requests).toHaveLength(4);
    expect(s3.requests.every(({ headers }) => headers['if-none-match'] === '*')).toBe(true);
    expect(delays).toHaveLength(3);
    expect(delays[0]).toBeLessThanOrEqual(25);
    expect(delays[2]).toBeGreaterThanOrEqual(50);
  });

  it('gives up after a bounded number of conflicts', async () => {
    const s3 = await recordingS3(() => s3Error(409, 'ConditionalRequestConflict'));
    const store = storeAt(s3, {}, waitingClock());
    await expect(store.put(at, '{}', { ifAbsent: true })).rejects.toMatchObject({
      code: 'ART_STORE_BUSY',
      ...at,
    });
    expect(s3.requests).toHaveLength(8);
  });

  it('does not repeat another 409', async () => {
    const s3 = await recordingS3(() => s3Error(409, 'OperationAborted'));
    await expect(storeAt(s3).put(at, '{}')).rejects.toMatchObject({ code: 'ART_STORE_FAILED' });
    expect(s3.requests).toHaveLength(1);
  });

  describe('when the answer to its first attempt was lost and the second meets 412', () => {
    const lostThen = (head: (writeId: string) => ScriptedAnswer) => {
      let writeId = '';
      return recordingS3(({ method, headers }, index) => {
        if (index === 0) {
          writeId = String(headers['x-amz-meta-art-write-id']);
          return 'reset';
        }
        return method === 'HEAD' ? head(writeId) : s3Error(412, 'PreconditionFailed');
      });
    };

    it('answers stored where the object is its own', async () => {
      const s3 = await lostThen((id) => ({ status: 200, headers: { 'x-amz-meta-art-write-id': id } }));
      expect(await storeAt(s3).put(at, '{}', { ifAbsent: true })).toEqual({ kind: 'stored' });
      expect(s3.requests.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'HEAD']);
    });

    it.each<[string, ScriptedAnswer]>([
      ['is of another writer', { status: 200, headers: { 'x-amz-meta-art-write-id': 'other' } }],
      ['has no write id', { status: 200 }],
      ['may not be looked at', { status: 403 }],
    ])('answers exists where the object %s', async (_, head) => {
      const s3 = await lostThen(() => head);
      expect(await storeAt(s3).put(at, '{}', { ifAbsent: true })).toEqual({ kind: 'exists' });
    });
  });

  it('stops waiting between conflicts when it is aborted', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const s3 = await recordingS3(() => s3Error(409, 'ConditionalRequestConflict'));
    const store = storeAt(
      s3,
      {},
      waitingClock(() => controller.abort(reason)),
    );
    await expect(store.put(at, '{}', { ifAbsent: true, signal: controller.signal })).rejects.toBe(reason);
    expect(s3.requests).toHaveLength(1);
  });
});

/** A clock whose timers are up at once. */
function waitingClock(onWait: (delayMs: number) => void = () => undefined): Clock {
  return {
    ...systemClock,
    after(delayMs, callback) {
      onWait(delayMs);
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
}
