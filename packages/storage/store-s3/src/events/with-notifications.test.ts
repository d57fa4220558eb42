import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MemoryResultStore, type ResultStore } from '@art/store';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import type { NotificationOptions } from './notification-options.ts';
import { notifiedStore } from './notified-store.fixture.ts';
import { recordingSqs, s3Event, type RecordingSqs } from './recording-sqs.fixture.ts';
import { withNotifications, type NotifiedResultStore } from './with-notifications.ts';

const bucket = 'my-rollouts';
const range = { bucket, prefix: 'exp/' };

function callsOf(sqs: RecordingSqs, operation: string): RecordingSqs['calls'] {
  return sqs.calls.filter((call) => call.operation === operation);
}

describe('withNotifications', () => {
  it('reports what S3 announces under the prefix, decoded, and deletes the messages', async () => {
    const sqs = await recordingSqs();
    const { store, warnings, troubles } = notifiedStore(sqs);
    const keys: string[] = [];
    const watch = await store.watch(range, (key) => keys.push(key));
    expect(watch.isWorking).toBe(true);
    for (const key of ['exp/a b+c/1.json', 'exp/Ünï %/2.json']) sqs.send(s3Event(bucket, key));
    await vi.waitFor(() => expect(keys.toSorted()).toEqual(['exp/a b+c/1.json', 'exp/Ünï %/2.json']));
    await vi.waitFor(() => expect(sqs.left()).toEqual([]));
    expect({ warnings, troubles }).toEqual({ warnings: [], troubles: [] });
  });

  it('polls as long as SQS allows, for as many messages as it hands out, signed for the region', async () => {
    const sqs = await recordingSqs();
    const { store } = notifiedStore(sqs, { receivers: 3 });
    await store.watch(range, () => {});
    await vi.waitFor(() => expect(sqs.waiting()).toBe(3));
    const [first, ...polls] = sqs.calls;
    expect(first!.input).toEqual({ QueueUrl: sqs.queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 });
    expect(polls.map((call) => call.input.WaitTimeSeconds)).toEqual([20, 20, 20]);
    expect(first!.headers.authorization).toContain('/us-west-2/sqs/');
  });

  it('deletes the messages of one receive in one call', async () => {
    const sqs = await recordingSqs();
    const { store } = notifiedStore(sqs, { receivers: 1 });
    for (let index = 0; index < 25; index += 1) sqs.send(s3Event(bucket, `exp/${index}.json`));
    const keys = new Set<string>();
    await store.watch(range, (key) => keys.add(key));
    await vi.waitFor(() => expect(sqs.left()).toEqual([]));
    expect(keys.size).toBe(25);
    const sizes = callsOf(sqs, 'DeleteMessageBatch').map((call) => call.input.Entries?.length);
    expect(sizes.toSorted()).toEqual([10, 10, 5]);
  });

  it('shares one set of receivers among watches and gives each what is in its range', async () => {
    const sqs = await recordingSqs();
    const { store } = notifiedStore(sqs, { receivers: 2 });
    const heard: Record<string, string[]> = { one: [], ten: [], other: [] };
    await Promise.all([
      store.watch({ bucket, prefix: 'exp-1' }, (key) => heard['one']!.push(key)),
      store.watch({ bucket, prefix: 'exp-10/' }, (key) => heard['ten']!.push(key)),
      store.watch({ bucket: 'other', prefix: '' }, (key) => heard['other']!.push(key)),
    ]);
    sqs.send(s3Event(bucket, 'exp-1/a.json'));
    sqs.send(s3Event(bucket, 'exp-10/b.json'));
    sqs.send(s3Event('other', 'exp-10/c.json'));
    await vi.waitFor(() => expect(sqs.left()).toEqual([]));
    await vi.waitFor(() => expect(sqs.waiting()).toBe(2));
    expect(heard['one']!.toSorted()).toEqual(['exp-1/a.json', 'exp-10/b.json']);
    expect(heard).toMatchObject({ ten: ['exp-10/b.json'], other: ['exp-10/c.json'] });
    expect(sqs.calls.filter((call) => call.input.WaitTimeSeconds === 0)).toHaveLength(1);
  });

  it('receives only while there is a watch, and starts again', async () => {
    const sqs = await recordingSqs();
    const { store } = notifiedStore(sqs, { receivers: 2 });
    expect(sqs.calls).toHaveLength(0);
    const keys: string[] = [];
    const first = await store.watch(range, (key) => keys.push(key));
    const second = await store.watch(range, () => {});
    await vi.waitFor(() => expect(sqs.waiting()).toBe(2));
    await first.close();
    await first.close();
    expect(sqs.waiting()).toBe(2);
    await second.close();
    await vi.waitFor(() => expect(sqs.waiting()).toBe(0));
    const calls = sqs.calls.length;
    sqs.send(s3Event(bucket, 'exp/a.json'));
    expect(keys).toEqual([]);
    expect(sqs.calls).toHaveLength(calls);
    await store.watch(range, (key) => keys.push(key));
    await vi.waitFor(() => expect(keys).toEqual(['exp/a.json']));
    expect(second.isWorking).toBe(false);
  });

  it('reports what comes twice twice, and nothing to a watch that was closed', async () => {
    const sqs = await recordingSqs();
    const { store } = notifiedStore(sqs);
    const heard: string[] = [];
    const closedHeard: string[] = [];
    const closed = await store.watch(range, (key) => closedHeard.push(key));
    await store.watch(range, (key) => heard.push(key));
    await closed.close();
    sqs.send(s3Event(bucket, 'exp/a.json'));
    sqs.send(s3Event(bucket, 'exp/a.json'));
    await vi.waitFor(() => expect(heard).toEqual(['exp/a.json', 'exp/a.json']));
    expect(closedHeard).toEqual([]);
  });

  it('drops test events, deletions, and new objects that nobody waits for', async () => {
    const sqs = await recordingSqs();
    sqs.send({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: bucket });
    sqs.send(s3Event(bucket, 'exp/gone.json', 'ObjectRemoved:Delete'));
    const leftOver = s3Event(bucket, 'earlier-exp/a.json') as { Records: { eventTime: string }[] };
    leftOver.Records[0]!.eventTime = '2026-01-01T00:00:00.000Z';
    sqs.send(leftOver);
    const { store, warnings } = notifiedStore(sqs);
    const keys: string[] = [];
    await store.watch(range, (key) => keys.push(key));
    await vi.waitFor(() => expect(sqs.left()).toEqual([]));
    expect(keys).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('leaves what may be meant for others, and warns once of each kind', async () => {
    const sqs = await recordingSqs();
    const { store, warnings } = notifiedStore(sqs);
    const foreign = [
      sqs.send('a job for somebody else'),
      sqs.send({ Records: [{ eventSource: 'aws:dynamodb' }] }),
      sqs.send(s3Event('their-bucket', 'exp/a.json')),
      sqs.send(s3Event('their-bucket', 'exp/b.json')),
    ];
    const keys: string[] = [];
    await store.watch(range, (key) => keys.push(key));
    sqs.send(s3Event(bucket, 'exp/ours.json'));
    await vi.waitFor(() => expect(keys).toEqual(['exp/ours.json']));
    await vi.waitFor(() => expect(sqs.left()).toEqual(foreign));
    expect(warnings.map(({ kind }) => kind)).toEqual(['unknown-message', 'other-bucket']);
    expect(warnings[0]!.message).toContain(`Message ${foreign[0]} is not JSON`);
    expect(warnings[1]).toMatchObject({
      queueUrl: sqs.queueUrl,
      message: expect.stringContaining('"their-bucket"'),
    });
  });

  it('warns when new results belong to nobody here, which is how a second reader shows', async () => {
    const sqs = await recordingSqs();
    const { store, warnings } = notifiedStore(sqs);
    const watch = await store.watch({ bucket, prefix: 'last-exp/' }, () => {});
    await store.watch(range, () => {});
    await watch.close();
    // Late, but of an experiment that was watched here.
    sqs.send(s3Event(bucket, 'last-exp/late.json'));
    await vi.waitFor(() => expect(sqs.left()).toEqual([]));
    expect(warnings).toEqual([]);
    sqs.send(s3Event(bucket, 'their-exp/a.json'));
    await vi.waitFor(() => expect(warnings).toHaveLength(1));
    expect(warnings[0]).toMatchObject({
      kind: 'unwatched-key',
      message: expect.stringContaining('their-exp/a.json'),
    });
  });

  it('continues when messages cannot be deleted, with one warning that names the permission', async () => {
    const sqs = await recordingSqs();
    sqs.failWith(({ operation }) =>
      operation === 'DeleteMessageBatch'
        ? { status: 403, type: 'com.amazonaws.sqs#AccessDeniedException' }
        : undefined,
    );
    const { store, warnings, troubles } = notifiedStore(sqs);
    const keys: string[] = [];
    await store.watch(range, (key) => keys.push(key));
    sqs.send(s3Event(bucket, 'exp/a.json'));
    await vi.waitFor(() => expect(warnings).toHaveLength(1));
    sqs.showAgain();
    await vi.waitFor(() => expect(keys).toEqual(['exp/a.json', 'exp/a.json']));
    await vi.waitFor(() => expect(callsOf(sqs, 'DeleteMessageBatch')).toHaveLength(2));
    expect(warnings).toMatchObject([
      { kind: 'delete-failed', message: expect.stringContaining('sqs:DeleteMessage') },
    ]);
    expect(troubles).toEqual([]);
  });

  it.each([
    [{ status: 400, type: 'com.amazonaws.sqs#QueueDoesNotExist' }, 'ART_STORE_NO_QUEUE'],
    [{ status: 403, type: 'AccessDeniedException' }, 'ART_STORE_DENIED'],
    [{ status: 400, type: 'com.amazonaws.sqs#KmsAccessDenied' }, 'ART_STORE_DENIED'],
    [{ status: 403, type: 'InvalidClientTokenId' }, 'ART_STORE_NO_CREDENTIALS'],
    [{ status: 403, type: 'ExpiredToken' }, 'ART_STORE_NO_CREDENTIALS'],
    [{ status: 400, type: 'com.amazonaws.sqs#OverLimit' }, 'ART_STORE_BUSY'],
    [{ status: 500, type: 'InternalError' }, 'ART_STORE_FAILED'],
    ['reset', 'ART_STORE_FAILED'],
  ] as const)('refuses a watch when the queue answers %o', async (failure, code) => {
    const sqs = await recordingSqs();
    sqs.failWith(() => failure);
    const { store, troubles } = notifiedStore(sqs);
    await expect(store.watch(range, () => {})).rejects.toMatchObject({
      code,
      operation: 'watch',
      bucket,
      key: 'exp/',
      message: expect.stringContaining(sqs.queueUrl),
    });
    expect(troubles).toMatchObject([{ kind: 'failing', error: { code }, failedReceives: 1 }]);
    expect(sqs.calls).toHaveLength(1);
  });

  it('gives up the start of a watch when its signal aborts, with the reason, and leaves other watches', async () => {
    const sqs = await recordingSqs();
    const { store } = notifiedStore(sqs, { receivers: 1 });
    const reason = new Error('enough');
    await expect(store.watch(range, () => {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(sqs.calls).toHaveLength(0);
    const abort = new AbortController();
    const keys: string[] = [];
    const aborted = store.watch(range, (key) => keys.push(`aborted: ${key}`), { signal: abort.signal });
    const kept = store.watch(range, (key) => keys.push(key), { signal: abort.signal });
    await kept;
    await aborted;
    const late = store.watch(range, () => {}, { signal: abort.signal });
    abort.abort(reason);
    await expect(late).rejects.toBe(reason);
    // The signal covers the start alone.
    sqs.send(s3Event(bucket, 'exp/a.json'));
    await vi.waitFor(() => expect(keys).toEqual(['aborted: exp/a.json', 'exp/a.json']));
  });

  it('ends long polls at once when it is closed, and refuses watches afterwards', async () => {
    const sqs = await recordingSqs();
    const { store, troubles, warnings } = notifiedStore(sqs);
    const watch = await store.watch(range, () => {});
    await vi.waitFor(() => expect(sqs.waiting()).toBe(4));
    await store.close();
    await store.close();
    await vi.waitFor(() => expect(sqs.waiting()).toBe(0));
    expect(watch.isWorking).toBe(false);
    await watch.close();
    await expect(store.watch(range, () => {})).rejects.toMatchObject({
      code: 'ART_CLOSED',
      operation: 'watch',
    });
    expect({ troubles, warnings }).toEqual({ troubles: [], warnings: [] });
    // The store that was given is its owner's.
    await store.put({ bucket, key: 'exp/a.json' }, '{}');
    expect(await store.get({ bucket, key: 'exp/a.json' })).toBe('{}');
  });

  it('uses a client that was given as it is, and does not destroy it', async () => {
    const sqs = await recordingSqs();
    const client = new SQSClient({
      region: 'eu-west-1',
      endpoint: new URL(sqs.queueUrl).origin,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
    onTestFinished(() => client.destroy());
    const destroy = vi.spyOn(client, 'destroy');
    const { store } = notifiedStore(sqs, { client, clientConfig: undefined });
    await store.watch(range, () => {});
    await store.close();
    expect(sqs.calls[0]!.headers.authorization).toContain('/eu-west-1/sqs/');
    expect(destroy).not.toHaveBeenCalled();
  });

  it('leaves the rest of the store as it is', async () => {
    const sqs = await recordingSqs();
    const { store } = notifiedStore(sqs);
    const at = { bucket, key: 'exp/a.json' };
    expect(await store.put(at, '{}', { ifAbsent: true })).toEqual({ kind: 'stored' });
    expect(await store.put(at, '[]', { ifAbsent: true })).toEqual({ kind: 'exists' });
    expect([await store.get(at), await store.exists(at)]).toEqual(['{}', true]);
    expect(await store.list?.({ bucket, prefix: 'exp/' })).toEqual({
      keys: ['exp/a.json'],
      truncated: false,
    });
    const { put, get, exists } = new MemoryResultStore();
    const bare = withNotifications({ put, get, exists }, { queueUrl: sqs.queueUrl });
    expect('list' in bare).toBe(false);
    expect(sqs.calls).toHaveLength(0);
    expectTypeOf(store).toExtend<ResultStore>();
    expectTypeOf<NotifiedResultStore['close']>().toEqualTypeOf<() => Promise<void>>();
  });

  it.each<[name: string, options: object, said: string]>([
    ['queueUrl', { queueUrl: 'arn:aws:sqs:us-west-2:111122223333:q' }, 'its URL, not its ARN'],
    ['queueUrl', { queueUrl: 'art-results' }, 'got "art-results"'],
    ['queueUrl', { queueUrl: 'https://sqs.us-west-2.amazonaws.com' }, 'the URL of a queue'],
    ['queueUrl', {}, 'got undefined'],
    ['client', { client: {} }, 'an SQSClient'],
    ['clientConfig', { client: { send: () => {} }, clientConfig: {} }, 'left out beside client'],
    ['clientConfig', { clientConfig: 'us-west-2' }, 'an object'],
    ['receivers', { receivers: 0 }, 'an integer from 1 to 20, got 0'],
    ['receivers', { receivers: 21 }, 'got 21'],
    ['onWarning', { onWarning: true }, 'a function'],
    ['onTrouble', { onTrouble: 'log' }, 'a function'],
  ])('refuses %s: %o', (name, options, said) => {
    const queueUrl = 'https://sqs.us-west-2.amazonaws.com/111122223333/q';
    const given = (name === 'queueUrl' ? options : { queueUrl, ...options }) as NotificationOptions;
    expect(() => withNotifications(new MemoryResultStore(), given)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringMatching(new RegExp(`^Expected \`${name}\` to be .*${said}`)),
      }),
    );
  });

  it('refuses what is not a store', () => {
    expect(() => withNotifications({} as ResultStore, { queueUrl: 'https://sqs.example.com/1/q' })).toThrow(
      'Expected `store` to be a ResultStore, got an object.',
    );
  });

  it('refuses a range that no store could hold, before anything is sent', async () => {
    const sqs = await recordingSqs();
    const { store } = notifiedStore(sqs);
    await expect(store.watch({ bucket: '', prefix: 'a' }, () => {})).rejects.toMatchObject({
      code: 'ART_INVALID_BUCKET',
    });
    expect(sqs.calls).toHaveLength(0);
  });

  it.each(['watch.close()', 'store.close()'])(
    'lets the process end after %s, in the middle of a long poll',
    async (end) => {
      const sqs = await recordingSqs();
      const module = (path: string): string =>
        JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);
      const script = `
      const { MemoryResultStore } = await import('@art/store');
      const { withNotifications } = await import(${module('index.ts')});
      const store = withNotifications(new MemoryResultStore(), {
        queueUrl: ${JSON.stringify(sqs.queueUrl)},
        clientConfig: { region: 'us-west-2', credentials: { accessKeyId: 'id', secretAccessKey: 'secret' } },
      });
      const watch = await store.watch({ bucket: 'b', prefix: '' }, (key) => console.log(key));
      process.stdin.once('data', () => void ${end});
      process.stdin.unref?.();
      console.log('watching');
    `;
      const child = spawn(
        process.execPath,
        ['--conditions=@art/source', '--input-type=module', '-e', script],
        {
          cwd: join(import.meta.dirname, '../..'),
          stdio: ['pipe', 'pipe', 'inherit'],
        },
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      const exited = once(child, 'exit');
      await vi.waitFor(() => expect(sqs.waiting()).toBe(4));
      child.stdin.end('go\n');
      expect(await exited).toEqual([0, null]);
      // The recorder never answers a long poll without messages, so these were given up and not waited for.
      await vi.waitFor(() => expect(sqs.waiting()).toBe(0));
    },
  );
});
