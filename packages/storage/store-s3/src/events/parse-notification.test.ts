import { describe, expect, it } from 'vitest';
import { parseNotification } from './parse-notification.ts';
import { s3Event } from './recording-sqs.fixture.ts';

const bucket = 'my-rollouts';

function parse(body: unknown): ReturnType<typeof parseNotification> {
  return parseNotification(JSON.stringify(body));
}

function keysOf(body: unknown): readonly string[] {
  const notification = parse(body);
  return notification.kind === 'events' ? notification.events.flatMap((event) => event.keys) : [];
}

function sns(message: unknown): object {
  return {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: 'arn:aws:sns:us-west-2:111122223333:art-results',
    Subject: 'Amazon S3 Notification',
    Message: JSON.stringify(message),
    Timestamp: '2026-01-02T03:04:05.000Z',
    SignatureVersion: '1',
  };
}

function eventBridge(key: string, detailType = 'Object Created'): object {
  return {
    version: '0',
    id: '17793124-05d4-b198-2fde-7ededc63b103',
    'detail-type': detailType,
    source: 'aws.s3',
    account: '111122223333',
    time: '2026-01-02T03:04:05Z',
    region: 'us-west-2',
    resources: [`arn:aws:s3:::${bucket}`],
    detail: { version: '0', bucket: { name: bucket }, object: { key, size: 5 }, reason: 'PutObject' },
  };
}

describe('parseNotification', () => {
  it('reads an event of S3', () => {
    expect(
      parse({
        Records: [
          {
            eventVersion: '2.5',
            eventSource: 'aws:s3',
            eventTime: '2026-01-02T03:04:05.678Z',
            eventName: 'ObjectCreated:Put',
            s3: { bucket: { name: bucket }, object: { key: 'exp/input/session.json', size: 12 } },
          },
        ],
      }),
    ).toEqual({
      kind: 'events',
      events: [
        {
          bucket,
          keys: ['exp/input/session.json'],
          isCreation: true,
          epochMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
        },
      ],
    });
  });

  it.each([
    ['red+flower.json', 'red flower.json'],
    ['exp%2Finput%2F1%2B1%3D2.json', 'exp/input/1+1=2.json'],
    ['%C3%9Cn%C3%AF+%25+%F0%9F%98%80.json', 'Ünï % 😀.json'],
    ['exp/a%2Bb/%2520.json', 'exp/a+b/%20.json'],
    // Of a server that does not encode; S3 itself never sends it.
    ['100%.json', '100%.json'],
  ])('decodes the key %s', (encoded, key) => {
    expect(
      keysOf({
        Records: [
          { eventName: 'ObjectCreated:Put', s3: { bucket: { name: bucket }, object: { key: encoded } } },
        ],
      }),
    ).toEqual([key]);
  });

  it('reads every record', () => {
    const records = ['a', 'b'].flatMap((key) => (s3Event(bucket, key) as { Records: object[] }).Records);
    expect(keysOf({ Records: records })).toEqual(['a', 'b']);
  });

  it('reads what came by way of SNS', () => {
    expect(keysOf(sns(s3Event(bucket, 'exp/a b.json')))).toEqual(['exp/a b.json']);
    expect(keysOf(sns(eventBridge('exp/a.json')))).toEqual(['exp/a.json']);
    expect(parse(sns({ Event: 's3:TestEvent', Bucket: bucket }))).toEqual({ kind: 'test', bucket });
  });

  it('reads what came by way of EventBridge, whose keys may be encoded or not', () => {
    expect(parse(eventBridge('exp/a.json'))).toEqual({
      kind: 'events',
      events: [{ bucket, keys: ['exp/a.json'], isCreation: true, epochMs: Date.UTC(2026, 0, 2, 3, 4, 5) }],
    });
    expect(keysOf(eventBridge('exp/a+b.json'))).toEqual(['exp/a+b.json', 'exp/a b.json']);
    expect(keysOf(eventBridge('100%.json'))).toEqual(['100%.json']);
  });

  it.each([
    [s3Event(bucket, 'a', 'ObjectCreated:CompleteMultipartUpload'), true],
    [s3Event(bucket, 'a', 's3:ObjectCreated:Put'), true],
    [s3Event(bucket, 'a', 'ObjectRemoved:Delete'), false],
    [s3Event(bucket, 'a', 'ObjectTagging:Put'), false],
    [eventBridge('a', 'Object Deleted'), false],
  ])('tells what stores an object, case %#', (body, isCreation) => {
    expect(parse(body)).toMatchObject({ kind: 'events', events: [{ isCreation }] });
  });

  it('knows the message that S3 sends at set-up', () => {
    expect(
      parse({ Service: 'Amazon S3', Event: 's3:TestEvent', Time: '2026-01-02T03:04:05Z', Bucket: bucket }),
    ).toEqual({ kind: 'test', bucket });
  });

  it.each([
    [undefined, 'is not JSON'],
    ['hello', 'is not JSON'],
    ['[1]', 'is not a JSON object'],
    ['{}', 'has neither Records nor a source aws.s3'],
    ['{"Records":[]}', 'has neither Records nor a source aws.s3'],
    ['{"Records":[{"eventSource":"aws:dynamodb","eventName":"INSERT"}]}', 'has a record that is not of S3'],
    ['{"Records":[null]}', 'has a record that is not of S3'],
    ['{"source":"aws.s3","detail":{"bucket":{"name":"b"}}}', 'has no bucket and key in its detail'],
    [JSON.stringify(sns(sns(s3Event(bucket, 'a')))), 'has neither Records nor a source aws.s3'],
  ])('does not know %s', (body, reason) => {
    expect(parseNotification(body)).toEqual({ kind: 'unknown', reason });
  });
});
