import { isJsonObject, jsonIn, type JsonObject, type JsonValue } from '@art/ground';

/** Something that happened to an object, as a message in the queue tells it. */
export interface ObjectEvent {
  bucket: string;
  /** The object's key. Two where the message leaves open whether it is encoded; one of them is right. */
  keys: readonly string[];
  /** False for deletions, tags and everything else that stores no body. */
  isCreation: boolean;
  /** When S3 was done, in milliseconds since 1970; undefined where the message does not say. */
  epochMs: number | undefined;
}

/** Content of a message of the queue. */
export type Notification =
  | { kind: 'events'; events: readonly ObjectEvent[] }
  /** Sent by S3 when a bucket's notifications are set up. */
  | { kind: 'test'; bucket: string }
  | { kind: 'unknown'; reason: string };

/**
 * Reads the body of a message: an S3 event, the same inside an SNS notification, or S3's event by way of EventBridge.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html
 */
export function parseNotification(body: string | undefined): Notification {
  return parse(body, { mayBeWrapped: true });
}

function parse(body: string | undefined, { mayBeWrapped }: { mayBeWrapped: boolean }): Notification {
  const message = jsonIn(body ?? '');
  if (message === undefined) return unknown('is not JSON');
  if (!isJsonObject(message)) return unknown('is not a JSON object');
  if (mayBeWrapped && message['Type'] === 'Notification' && typeof message['Message'] === 'string') {
    return parse(message['Message'], { mayBeWrapped: false });
  }
  if (message['Event'] === 's3:TestEvent' && typeof message['Bucket'] === 'string') {
    return { kind: 'test', bucket: message['Bucket'] };
  }
  if (message['source'] === 'aws.s3') return eventBridgeEvent(message);
  const records = message['Records'];
  if (!Array.isArray(records) || records.length === 0)
    return unknown('has neither Records nor a source aws.s3');
  const events = records.map(recordedEvent);
  return events.every((event) => event !== undefined)
    ? { kind: 'events', events }
    : unknown('has a record that is not of S3');
}

function recordedEvent(record: JsonValue): ObjectEvent | undefined {
  const eventName = textAt(record, 'eventName');
  const bucket = textAt(record, 's3', 'bucket', 'name');
  const key = textAt(record, 's3', 'object', 'key');
  if (eventName === undefined || bucket === undefined || key === undefined) return undefined;
  return {
    bucket,
    // A store that does not encode keys, as S3 does, may send what cannot be decoded.
    keys: [decodeFormText(key) ?? key],
    // Other servers of the S3 protocol write the name as it is in the bucket's configuration, with s3: before it.
    isCreation: /^(?:s3:)?ObjectCreated:/.test(eventName),
    epochMs: readTime(textAt(record, 'eventTime')),
  };
}

function eventBridgeEvent(message: JsonObject): Notification {
  const bucket = textAt(message, 'detail', 'bucket', 'name');
  const key = textAt(message, 'detail', 'object', 'key');
  if (bucket === undefined || key === undefined) return unknown('has no bucket and key in its detail');
  return {
    kind: 'events',
    events: [
      {
        bucket,
        // The documentation of this form does not say whether keys are encoded, and its readers disagree.
        keys: [...new Set([key, decodeFormText(key) ?? key])],
        isCreation: message['detail-type'] === 'Object Created',
        epochMs: readTime(textAt(message, 'time')),
      },
    ],
  };
}

/** Keys are written as in a form: `+` for a space, everything else percent-encoded. */
function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function readTime(text: string | undefined): number | undefined {
  const epochMs = Date.parse(text ?? '');
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

/** The non-empty text under a path of fields. */
function textAt(value: JsonValue | undefined, ...path: string[]): string | undefined {
  let at = value;
  for (const field of path) at = isJsonObject(at) ? at[field] : undefined;
  return typeof at === 'string' && at !== '' ? at : undefined;
}

function unknown(reason: string): Notification {
  return { kind: 'unknown', reason };
}
