import { S3Client } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import type { ResultStore } from '@art/store';
import { recordingS3, s3Error, storeAt, type ScriptedAnswer } from './recording-s3.fixture.ts';
import { S3ResultStore } from './s3-result-store.ts';
import type { S3ResultStoreOptions } from './s3-result-store-options.ts';

const at = { bucket: 'bucket', key: 'exp/input/session.json' };
const found: ScriptedAnswer = { status: 200, body: '{}' };
const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };

afterEach(() => void vi.unstubAllEnvs());

describe('the clients of an S3ResultStore', () => {
  it('are made at the first call', async () => {
    const s3 = await recordingS3(() => found);
    const read = vi.fn<() => typeof credentials>(() => credentials);
    const store = new S3ResultStore({
      endpoint: s3.url,
      region: 'us-west-2',
      clientConfig: Object.defineProperty({}, 'credentials', { get: read, enumerable: true }),
    });
    onTestFinished(() => store.close());
    expect(read).not.toHaveBeenCalled();
    expect(await store.get(at)).toBe('{}');
    expect(read).toHaveBeenCalledTimes(1);
    expect(await store.get(at)).toBe('{}');
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('follow a bucket to its region, asking the wrong one once, also under concurrency', async () => {
    const s3 = await recordingS3(({ headers, method }) => {
      if (headers.authorization?.includes('/eu-west-1/s3/')) return found;
      const redirect = { 'x-amz-bucket-region': 'eu-west-1' };
      return method === 'HEAD'
        ? { status: 301, headers: redirect }
        : s3Error(301, 'PermanentRedirect', redirect);
    });
    const store = storeAt(s3);
    expect(await store.exists(at)).toBe(true);
    expect(await store.get(at)).toBe('{}');
    const regions = s3.requests.map(
      ({ headers }) => /\/([a-z0-9-]+)\/s3\//.exec(headers.authorization ?? '')?.[1],
    );
    expect(regions).toEqual(['us-west-2', 'eu-west-1', 'eu-west-1']);
    const other = storeAt(s3);
    const bodies = await Promise.all(Array.from({ length: 20 }, () => other.get(at)));
    expect(bodies).toEqual(bodies.map(() => '{}'));
  });

  it('open as many connections as maxConnections says, and reuse them', async () => {
    const waiting: (() => void)[] = [];
    const s3 = await recordingS3(
      () =>
        new Promise((resolve) => {
          waiting.push(() => resolve(found));
          if (waiting.length === 120) for (const answer of waiting) answer();
        }),
    );
    const wide = storeAt(s3);
    // The server answers only when 120 requests are open at once, so this ends only if none of them has to wait.
    await Promise.all(Array.from({ length: 120 }, () => wide.get(at)));
    expect(s3.peak()).toBe(120);
    const narrow = await recordingS3(() => found);
    const store = storeAt(narrow, { maxConnections: 3 });
    await Promise.all(Array.from({ length: 30 }, () => store.get(at)));
    expect(narrow.peak()).toBeLessThanOrEqual(3);
  });

  it.each([
    ['', 'eu-west-3'],
    ['eu-central-1', 'eu-central-1'],
  ])("know AWS's older name of the region too: AWS_REGION=%s gives %s", async (region, expected) => {
    const s3 = await recordingS3(() => found);
    vi.stubEnv('AWS_REGION', region === '' ? undefined : region);
    vi.stubEnv('AWS_DEFAULT_REGION', 'eu-west-3');
    const store = new S3ResultStore({ endpoint: s3.url, clientConfig: { credentials } });
    onTestFinished(() => store.close());
    await store.get(at);
    expect(s3.requests[0]!.headers.authorization).toContain(`/${expected}/s3/`);
  });

  it('take endpoint and region from the environment, with the bucket in the path', async () => {
    const s3 = await recordingS3(() => found);
    vi.stubEnv('AWS_ENDPOINT_URL', s3.url.replace('127.0.0.1', 'localhost'));
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const store = new S3ResultStore();
    onTestFinished(() => store.close());
    expect(await store.get(at)).toBe('{}');
    expect(s3.requests[0]).toMatchObject({ path: '/bucket/exp/input/session.json' });
    expect(s3.requests[0]?.headers.authorization).toContain('/eu-central-1/s3/');
  });

  it('are destroyed by close, after which calls are refused', async () => {
    const s3 = await recordingS3(() => found);
    const store = storeAt(s3);
    await store.get(at);
    await store.close();
    await store.close();
    await expect(store.get(at)).rejects.toMatchObject({
      code: 'ART_STORE_FAILED',
      message: expect.stringContaining('closed') as string,
    });
    expect(s3.requests).toHaveLength(1);
  });
});

describe('a client of the user', () => {
  async function given(answer: ScriptedAnswer): Promise<{ client: S3Client; store: S3ResultStore }> {
    const s3 = await recordingS3(() => answer);
    const client = new S3Client({ endpoint: s3.url, region: 'us-west-2', credentials, forcePathStyle: true });
    onTestFinished(() => client.destroy());
    return { client, store: new S3ResultStore({ client }) };
  }

  it('is used and not destroyed', async () => {
    const { client, store } = await given(found);
    const destroy = vi.spyOn(client, 'destroy');
    expect(await store.get(at)).toBe('{}');
    await store.close();
    expect(destroy).not.toHaveBeenCalled();
    await expect(store.get(at)).rejects.toThrow('closed');
  });

  it('is not replaced for another region; the error names it', async () => {
    const { store } = await given(s3Error(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-1' }));
    await expect(store.put(at, '{}')).rejects.toThrow(/The bucket is in eu-west-1/);
  });
});

describe('the options of an S3ResultStore', () => {
  it.each<[S3ResultStoreOptions, string]>([
    [{ client: {} as S3Client }, 'client'],
    [{ client: { send: () => undefined } as unknown as S3Client, region: 'us-west-2' }, 'region'],
    [{ region: '' }, 'region'],
    [{ endpoint: '127.0.0.1:9000' }, 'endpoint'],
    [{ forcePathStyle: 'yes' as unknown as boolean }, 'forcePathStyle'],
    [{ maxConnections: 0 }, 'maxConnections'],
    [{ maxAttempts: 1.5 }, 'maxAttempts'],
    [{ onWarning: 'log' as unknown as () => void }, 'onWarning'],
  ])('%j is refused', (options, name) => {
    expect(() => new S3ResultStore(options)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringMatching(new RegExp(`^Expected \`${name}\` to be .*, got `)) as string,
      }),
    );
  });

  it('make a ResultStore', () => {
    expectTypeOf<S3ResultStore>().toExtend<ResultStore>();
    expectTypeOf<S3ResultStore>().toHaveProperty('list');
  });
});
