import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import {
  recordingS3,
  s3Error,
  storeAt,
  type RecordedRequest,
  type ScriptedAnswer,
} from './recording-s3.fixture.ts';
import type { S3StoreWarning } from './s3-result-store-options.ts';

const at = { bucket: 'bucket', key: 'exp/input/session.json' };
const missing = ({ method }: RecordedRequest): ScriptedAnswer =>
  method === 'HEAD' ? { status: 404 } : s3Error(404, 'NoSuchKey');
const denied = ({ method }: RecordedRequest): ScriptedAnswer =>
  method === 'HEAD' ? { status: 403 } : s3Error(403, 'AccessDenied');

describe('get and exists', () => {
  it('answer undefined and false for a missing key', async () => {
    const s3 = await recordingS3(missing);
    const store = storeAt(s3);
    expect(await store.get(at)).toBeUndefined();
    expect(await store.exists(at)).toBe(false);
    expect(s3.requests.map(({ method }) => method)).toEqual(['GET', 'HEAD']);
  });

  it('ask once for the reason of a HEAD without one, and not again for that bucket', async () => {
    const s3 = await recordingS3(missing);
    const store = storeAt(s3);
    for (let round = 0; round < 3; round += 1) expect(await store.exists(at)).toBe(false);
    expect(s3.requests.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'HEAD', 'HEAD']);
    expect(s3.requests[1]?.headers['range']).toBe('bytes=0-0');
  });

  it.each<[string, ScriptedAnswer]>([
    ['a byte', { status: 206, body: '{' }],
    ['nothing in it', s3Error(416, 'InvalidRange')],
  ])('find an object that appears between HEAD and GET, with %s', async (_, answer) => {
    const s3 = await recordingS3(({ method }) => (method === 'HEAD' ? { status: 404 } : answer));
    expect(await storeAt(s3).exists(at)).toBe(true);
  });

  it('say that the bucket is missing where it is', async () => {
    const s3 = await recordingS3(({ method }) =>
      method === 'HEAD' ? { status: 404 } : s3Error(404, 'NoSuchBucket'),
    );
    const store = storeAt(s3);
    await expect(store.get(at)).rejects.toMatchObject({
      code: 'ART_STORE_NO_BUCKET',
      operation: 'get',
      ...at,
    });
    await expect(store.exists(at)).rejects.toMatchObject({
      code: 'ART_STORE_NO_BUCKET',
      operation: 'exists',
    });
  });

  it('take 403 for not there and warn exactly once, naming s3:ListBucket', async () => {
    const s3 = await recordingS3(denied);
    const warnings: S3StoreWarning[] = [];
    const store = storeAt(s3, { onWarning: (warning) => warnings.push(warning) });
    for (let round = 0; round < 3; round += 1) {
      expect(await store.exists(at)).toBe(false);
      expect(await store.get({ ...at, key: `${round}.json` })).toBeUndefined();
    }
    await Promise.all(Array.from({ length: 10 }, () => store.get(at)));
    expect(warnings).toEqual([
      {
        kind: 'missing-list-permission',
        bucket: 'bucket',
        message: expect.stringContaining('s3:ListBucket') as string,
      },
    ]);
  });

  it('warn through the process unless told otherwise', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const s3 = await recordingS3(denied);
    expect(await storeAt(s3).get(at)).toBeUndefined();
    expect(emitWarning.mock.calls).toEqual([
      [
        expect.stringContaining('s3:ListBucket'),
        { type: 'ArtStoreWarning', code: 'missing-list-permission' },
      ],
    ]);
  });

  it.each([
    ['SignatureDoesNotMatch', 'ART_STORE_DENIED'],
    ['InvalidAccessKeyId', 'ART_STORE_NO_CREDENTIALS'],
  ])('do not take %s for not there', async (name, code) => {
    const s3 = await recordingS3(({ method }) => (method === 'HEAD' ? { status: 403 } : s3Error(403, name)));
    const onWarning = vi.fn<() => void>();
    const store = storeAt(s3, { onWarning });
    await expect(store.exists(at)).rejects.toMatchObject({ code });
    await expect(store.get(at)).rejects.toMatchObject({ code });
    expect(onWarning).not.toHaveBeenCalled();
  });

  it('end at once when aborted, with the reason, and leave neither request nor listener', async () => {
    const s3 = await recordingS3(() => new Promise(() => undefined));
    const store = storeAt(s3);
    const controller = new AbortController();
    const reason = new Error('enough');
    const calls = [
      store.get(at, { signal: controller.signal }),
      store.exists(at, { signal: controller.signal }),
      store.list({ bucket: 'bucket', prefix: '' }, { signal: controller.signal }),
      store.put(at, '{}', { signal: controller.signal }),
    ];
    await vi.waitFor(() => expect(s3.requests).toHaveLength(4));
    controller.abort(reason);
    expect(
      (await Promise.allSettled(calls)).map((call) => call.status === 'rejected' && call.reason),
    ).toEqual(calls.map(() => reason));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    await vi.waitFor(() => expect(s3.abandoned()).toBe(4));
  });

  it('read a body as it is', async () => {
    const body = '\ufeff{"text": "ä😀"}\r\n\u0000';
    const s3 = await recordingS3(() => ({ status: 200, body }));
    expect(await storeAt(s3).get(at)).toBe(body);
  });
});
