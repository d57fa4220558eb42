import { withNotifications, type NotificationWarning } from '@art/store-s3/events';
import { S3ResultStore } from '@art/store-s3';
import { resultStoreChecks } from '@art/store/conformance';
import { CompletionWatcher } from '@art/rollout';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  PutBucketNotificationConfigurationCommand,
  S3Client,
  type NotificationConfiguration,
} from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isPythonMissing, pythonExecutable } from '../interop/provided-python.fixture.ts';
import { stubAwsEnvironment } from './aws-environment.fixture.ts';
import { startMotoServer, type MotoServer } from './moto-server.fixture.ts';

/** Checks of the port that a queue cannot meet; one that passes all the same fails the test. */
const differences: Record<string, string> = {
  'watch.new': 'a message that waited in the queue is reported although its object is older than the watch',
};

/** Longer than any test. */
const never = 10 * 60_000;

/** moto's S3 and SQS: an S3 that announces new objects to a queue by itself, neither of them ours. */
describe.skipIf(isPythonMissing)("notifications by moto's S3 and SQS", () => {
  let moto: MotoServer;
  let s3: S3Client;
  let sqs: SQSClient;
  let made = 0;

  beforeAll(async () => {
    moto = await startMotoServer(pythonExecutable);
    stubAwsEnvironment(moto.endpoint);
    s3 = new S3Client();
    sqs = new SQSClient();
  });
  afterAll(async () => {
    s3.destroy();
    sqs.destroy();
    await moto[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
  });

  async function createBucket(): Promise<string> {
    const bucket = `results-${(made += 1)}`;
    await s3.send(
      new CreateBucketCommand({
        Bucket: bucket,
        CreateBucketConfiguration: { LocationConstraint: 'us-west-2' },
      }),
    );
    return bucket;
  }

  async function createQueue(): Promise<{ queueUrl: string; queueArn: string }> {
    const { QueueUrl: queueUrl } = await sqs.send(
      new CreateQueueCommand({ QueueName: `queue-${(made += 1)}` }),
    );
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }),
    );
    return { queueUrl: queueUrl!, queueArn: Attributes!['QueueArn']! };
  }

  async function announce(bucket: string, configuration: NotificationConfiguration): Promise<void> {
    await s3.send(
      new PutBucketNotificationConfigurationCommand({
        Bucket: bucket,
        NotificationConfiguration: configuration,
      }),
    );
  }

  async function messagesIn(queueUrl: string): Promise<number> {
    const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...names] }),
    );
    return names.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
  }

  function openStore(queueUrl: string): {
    store: ReturnType<typeof withNotifications>;
    warnings: NotificationWarning[];
  } {
    const warnings: NotificationWarning[] = [];
    const inner = new S3ResultStore();
    const store = withNotifications(inner, { queueUrl, onWarning: (warning) => warnings.push(warning) });
    onTestFinished(async () => {
      await store.close();
      await inner.close();
    });
    return { store, warnings };
  }

  it('report what S3 announces to the queue, and empty it', async () => {
    const bucket = await createBucket();
    const { queueUrl, queueArn } = await createQueue();
    await announce(bucket, {
      QueueConfigurations: [{ QueueArn: queueArn, Events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*'] }],
    });
    expect(await messagesIn(queueUrl)).toBe(1);
    const { store, warnings } = openStore(queueUrl);
    const keys: string[] = [];
    await store.watch({ bucket, prefix: 'exp/' }, (key) => keys.push(key));
    const expected = ['exp/a b+c/1%2.json', 'exp/plain/s.json', 'exp/Ünï 😀/s.json'];
    for (const key of expected) await store.put({ bucket, key }, '{}', { ifAbsent: true });
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'exp/plain/s.json' }));
    await vi.waitFor(() => expect(keys.toSorted()).toEqual(expected.toSorted()));
    await vi.waitFor(async () => expect(await messagesIn(queueUrl)).toBe(0));
    expect(warnings).toEqual([]);
  });

  it('leave a message of others in the queue', async () => {
    const bucket = await createBucket();
    const { queueUrl, queueArn } = await createQueue();
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'a job for somebody else' }));
    await announce(bucket, { QueueConfigurations: [{ QueueArn: queueArn, Events: ['s3:ObjectCreated:*'] }] });
    const { store, warnings } = openStore(queueUrl);
    const keys: string[] = [];
    await store.watch({ bucket, prefix: '' }, (key) => keys.push(key));
    await store.put({ bucket, key: 'exp/a.json' }, '{}');
    await vi.waitFor(() => expect(keys).toEqual(['exp/a.json']));
    await vi.waitFor(async () => expect(await messagesIn(queueUrl)).toBe(1));
    expect(warnings.map(({ kind }) => kind)).toEqual(['unknown-message']);
  });

  it('bring results to a completion watcher that does not look', async () => {
    const bucket = await createBucket();
    const { queueUrl, queueArn } = await createQueue();
    await announce(bucket, { QueueConfigurations: [{ QueueArn: queueArn, Events: ['s3:ObjectCreated:*'] }] });
    const { store } = openStore(queueUrl);
    const looks = vi.spyOn(store, 'exists');
    // Looks once when the watch has opened, for what came before, and then not for the length of this test.
    const watcher = new CompletionWatcher({ store, lagBoundMs: never, pushedSweepIntervalMs: never });
    onTestFinished(() => watcher.close());
    const at = { bucket, key: 'exp/input/session.json' };
    const noticed = watcher.noticed(at, new AbortController().signal);
    await vi.waitFor(() => expect(looks.mock.settledResults[0]?.type).toBe('fulfilled'));
    await store.put(at, '{}');
    await noticed;
    expect(looks).toHaveBeenCalledTimes(1);
  });

  it('are not needed: what is never announced is found by a sweep', async () => {
    const bucket = await createBucket();
    const { queueUrl } = await createQueue();
    const { store } = openStore(queueUrl);
    const looks = vi.spyOn(store, 'exists');
    const watcher = new CompletionWatcher({ store, lagBoundMs: never, pushedSweepIntervalMs: 50 });
    onTestFinished(() => watcher.close());
    const at = { bucket, key: 'exp/input/session.json' };
    const noticed = watcher.noticed(at, new AbortController().signal);
    await vi.waitFor(() => expect(looks.mock.settledResults[0]?.type).toBe('fulfilled'));
    await store.put(at, '{}');
    await noticed;
    expect(looks.mock.calls.length).toBeGreaterThan(1);
  });

  it.each([
    ['SNS', subscribeBySns],
    ['EventBridge', subscribeByEventBridge],
  ])('are understood when they come by way of %s', async (_, subscribe) => {
    const bucket = await createBucket();
    const { queueUrl, queueArn } = await createQueue();
    await announce(bucket, await subscribe(moto.endpoint, queueArn));
    const { store, warnings } = openStore(queueUrl);
    const keys: string[] = [];
    await store.watch({ bucket, prefix: '' }, (key) => keys.push(key));
    const expected = ['exp/a b/1.json', 'exp/Ünï/2.json'];
    for (const key of expected) await store.put({ bucket, key }, '{}');
    await vi.waitFor(() => expect(keys.toSorted()).toEqual(expected));
    await vi.waitFor(async () => expect(await messagesIn(queueUrl)).toBe(0));
    expect(warnings).toEqual([]);
  });

  it('refuse a watch of a queue that does not exist', async () => {
    const { queueUrl } = await createQueue();
    const { store } = openStore(`${queueUrl}-missing`);
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    await expect(store.watch({ bucket: 'b', prefix: '' }, () => {})).rejects.toMatchObject({
      code: 'ART_STORE_NO_QUEUE',
    });
  });

  for (const check of resultStoreChecks.filter(({ requires }) => requires === 'watch')) {
    const reason = differences[check.id];
    const title = reason === undefined ? check.name : `differs, ${reason}`;
    it(`${check.id}: ${title}`, { timeout: check.timeoutMs }, async () => {
      const bucket = await createBucket();
      const { queueUrl, queueArn } = await createQueue();
      await announce(bucket, {
        QueueConfigurations: [{ QueueArn: queueArn, Events: ['s3:ObjectCreated:*'] }],
      });
      const { store } = openStore(queueUrl);
      const failure = await check.run({ store, bucket }).catch((error: unknown) => error);
      if (reason === undefined) expect(failure).toBeUndefined();
      else expect(failure).toBeInstanceOf(Error);
    });
  }
});

/** A topic that forwards to the queue. moto needs no signature, only the name of the service in its place. */
async function subscribeBySns(endpoint: string, queueArn: string): Promise<NotificationConfiguration> {
  const call = async (input: Record<string, string>): Promise<string> => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: credentialFor('sns') },
      body: new URLSearchParams({ Version: '2010-03-31', ...input }),
    });
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 200 });
    return text;
  };
  const created = await call({ Action: 'CreateTopic', Name: 'results' });
  const topicArn = /<TopicArn>([^<]+)<\/TopicArn>/.exec(created)![1]!;
  await call({ Action: 'Subscribe', TopicArn: topicArn, Protocol: 'sqs', Endpoint: queueArn });
  return { TopicConfigurations: [{ TopicArn: topicArn, Events: ['s3:ObjectCreated:*'] }] };
}

/** A rule that sends what S3 tells EventBridge to the queue. */
async function subscribeByEventBridge(
  endpoint: string,
  queueArn: string,
): Promise<NotificationConfiguration> {
  const call = async (operation: string, input: object): Promise<void> => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: credentialFor('events'),
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSEvents.${operation}`,
      },
      body: JSON.stringify(input),
    });
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
  };
  await call('PutRule', { Name: 'results', EventPattern: JSON.stringify({ source: ['aws.s3'] }) });
  await call('PutTargets', { Rule: 'results', Targets: [{ Id: 'queue', Arn: queueArn }] });
  return { EventBridgeConfiguration: {} };
}

function credentialFor(service: string): string {
  return `AWS4-HMAC-SHA256 Credential=local/20260101/us-west-2/${service}/aws4_request, SignedHeaders=host, Signature=0`;
}
