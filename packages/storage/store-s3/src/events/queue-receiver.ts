import { callWithin, pause } from '@art/ground';
import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { loadSqs } from './load-sqs.ts';

export interface QueueReceiverOptions {
  client: SQSClient;
  queueUrl: string;
  /** Long polls at the same time. */
  receivers: number;
  /** Takes what came; answers the messages that may be deleted. */
  onMessages: (messages: readonly Message[]) => Message[];
  onReceived: () => void;
  /** Answers how long to wait, in milliseconds. */
  onReceiveFailed: (error: unknown) => number;
  onDeleteFailed: (error: unknown) => void;
}

/** The longest that SQS lets a receive wait for messages. */
const longPollMs = 20_000;
/** How long an answer may take beyond that; more means that the connection is dead. */
const answerWithinMs = 10_000;
const deleteWithinMs = 5_000;
/** The most that SQS hands out in one answer. */
const messagesPerReceive = 10;
/**
 * The least time for a receive that brought nothing to delete. SQS waits by itself; a server without long polling, or
 * messages of others in a queue without a visibility timeout, would make this a busy loop.
 */
const shortestIdleRoundMs = 1_000;

/** Reads a queue by long polls until it is stopped. */
export class QueueReceiver {
  readonly #options: QueueReceiverOptions;
  readonly #stop = new AbortController();
  #polls: Promise<unknown> = Promise.resolve();

  constructor(options: QueueReceiverOptions) {
    this.#options = options;
  }

  /** Resolves when the queue has answered a first time, without waiting for messages; rejects when it cannot be read. */
  async start(): Promise<void> {
    const messages = await this.#receive(0);
    this.#stop.signal.throwIfAborted();
    this.#options.onReceived();
    this.#polls = Promise.all([
      this.#takeAll(messages),
      ...Array.from({ length: this.#options.receivers }, () => this.#poll()),
    ]);
  }

  /**
   * Ends all long polls at once. Resolves when the messages that were taken until now are deleted or given up.
   * Messages that SQS was handing out at that moment become visible again later.
   */
  async stop(reason: unknown): Promise<void> {
    this.#stop.abort(reason);
    await this.#polls;
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const startedMs = performance.now();
      let messages: Message[];
      try {
        messages = await this.#receive(longPollMs);
      } catch (error) {
        if (!signal.aborted) await this.#rest(this.#options.onReceiveFailed(error));
        continue;
      }
      // Too late: nobody would hear of these, and anyone who reads the queue next will get them.
      if (signal.aborted) return;
      this.#options.onReceived();
      const deleted = await this.#takeAll(messages);
      if (deleted === 0) await this.#rest(shortestIdleRoundMs - (performance.now() - startedMs));
    }
  }

  /** Waits until it is time for the next poll, or the receiver is stopped. */
  async #rest(delayMs: number): Promise<void> {
    await pause(delayMs, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #receive(waitMs: number): Promise<Message[]> {
    const { client, queueUrl } = this.#options;
    const command = new (loadSqs().ReceiveMessageCommand)({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: messagesPerReceive,
      WaitTimeSeconds: waitMs / 1_000,
    });
    const { Messages = [] } = await callWithin((abortSignal) => client.send(command, { abortSignal }), {
      signal: this.#stop.signal,
      timeoutMs: waitMs + answerWithinMs,
    });
    return Messages;
  }

  async #takeAll(messages: Message[]): Promise<number> {
    if (messages.length === 0) return 0;
    const done = this.#options.onMessages(messages);
    if (done.length > 0) await this.#delete(done);
    return done.length;
  }

  async #delete(messages: readonly Message[]): Promise<void> {
    const { client, queueUrl } = this.#options;
    const command = new (loadSqs().DeleteMessageBatchCommand)({
      QueueUrl: queueUrl,
      Entries: messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
    });
    try {
      // Continues when the receiver is stopped: what has been reported need not come again.
      const { Failed = [] } = await callWithin((abortSignal) => client.send(command, { abortSignal }), {
        timeoutMs: deleteWithinMs,
      });
      const [first] = Failed;
      if (first !== undefined) {
        const error = new Error(first.Message ?? 'no reason given');
        error.name = first.Code ?? 'Unknown';
        throw error;
      }
    } catch (error) {
      this.#options.onDeleteFailed(error);
    }
  }
}
