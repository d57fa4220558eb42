import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RecordedCall {
  operation: string;
  headers: IncomingHttpHeaders;
  input: {
    QueueUrl: string;
    WaitTimeSeconds?: number;
    MaxNumberOfMessages?: number;
    Entries?: { Id: string; ReceiptHandle: string }[];
  };
}

/** An error as SQS writes it, or a broken connection. */
export type ScriptedFailure = { status: number; type: string } | 'reset';

export interface RecordingSqs {
  queueUrl: string;
  calls: RecordedCall[];
  /** Puts a message into the queue; answers its id. */
  send: (body: unknown) => string;
  /** Ids of messages that are still in the queue, visible or not. */
  left: () => string[];
  /** Lets messages that were received and not deleted be received again. */
  showAgain: () => void;
  /** Long polls that wait for a message now. */
  waiting: () => number;
  /** Decides on a failure before a call is answered. */
  failWith: (decide: (call: RecordedCall) => ScriptedFailure | undefined) => void;
}

interface QueuedMessage {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  MD5OfBody: string;
  isVisible: boolean;
}

/** A queue behind HTTP: long polls, messages that are invisible once received, batches of deletions. */
export async function recordingSqs(): Promise<RecordingSqs> {
  const calls: RecordedCall[] = [];
  const messages = new Map<string, QueuedMessage>();
  const polls: { response: ServerResponse; most: number }[] = [];
  let decide: (call: RecordedCall) => ScriptedFailure | undefined = () => undefined;
  let sent = 0;

  const reply = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  };
  const takeVisible = (most: number): QueuedMessage[] => {
    const taken = [...messages.values()].filter((message) => message.isVisible).slice(0, most);
    for (const message of taken) message.isVisible = false;
    return taken;
  };
  const serve = (): void => {
    while (polls.length > 0 && [...messages.values()].some((message) => message.isVisible)) {
      const { response, most } = polls.shift()!;
      reply(response, 200, { Messages: takeVisible(most) });
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call: RecordedCall = {
        operation: String(request.headers['x-amz-target']).replace('AmazonSQS.', ''),
        headers: request.headers,
        input: JSON.parse(Buffer.concat(chunks).toString()) as RecordedCall['input'],
      };
      calls.push(call);
      const failure = decide(call);
      if (failure === 'reset') request.socket.destroy();
      else if (failure !== undefined)
        reply(response, failure.status, { __type: failure.type, message: `Said ${failure.type}` });
      else if (call.operation === 'DeleteMessageBatch') {
        const entries = call.input.Entries ?? [];
        for (const { ReceiptHandle } of entries) messages.delete(ReceiptHandle.replace('receipt-', ''));
        reply(response, 200, { Successful: entries.map(({ Id }) => ({ Id })) });
      } else if (call.input.WaitTimeSeconds === 0) {
        reply(response, 200, { Messages: takeVisible(call.input.MaxNumberOfMessages ?? 1) });
      } else {
        const poll = { response, most: call.input.MaxNumberOfMessages ?? 1 };
        polls.push(poll);
        response.once('close', () => {
          if (polls.includes(poll)) polls.splice(polls.indexOf(poll), 1);
        });
        serve();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return {
    queueUrl: `http://127.0.0.1:${port}/111122223333/art-results`,
    calls,
    send: (body) => {
      const id = `message-${(sent += 1)}`;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      messages.set(id, {
        MessageId: id,
        ReceiptHandle: `receipt-${id}`,
        Body: text,
        MD5OfBody: createHash('md5').update(text).digest('hex'),
        isVisible: true,
      });
      serve();
      return id;
    },
    left: () => [...messages.keys()],
    showAgain: () => {
      for (const message of messages.values()) message.isVisible = true;
      serve();
    },
    waiting: () => polls.length,
    failWith: (next) => {
      decide = next;
    },
  };
}

/** S3's event for a stored object; its key is encoded as in a form. */
export function s3Event(bucket: string, key: string, eventName = 'ObjectCreated:Put'): object {
  return {
    Records: [
      {
        eventVersion: '2.5',
        eventSource: 'aws:s3',
        awsRegion: 'us-west-2',
        eventTime: new Date().toISOString(),
        eventName,
        s3: {
          s3SchemaVersion: '1.0',
          configurationId: 'art-results',
          bucket: { name: bucket, arn: `arn:aws:s3:::${bucket}` },
          object: { key: encodeURIComponent(key).replaceAll('%20', '+'), size: 2, eTag: 'e', sequencer: '0' },
        },
      },
    ],
  };
}
