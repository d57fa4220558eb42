import { callWithin, growingPauseMs, ArtError } from '@art/ground';
import { type CallOptions } from '@art/protocol';
import { checkWatchRange, StoreError, type StoreWatch, type WatchRange } from '@art/store';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { MessageSorter } from './message-sorter.ts';
import type {
  NotificationOptions,
  NotificationTrouble,
  NotificationWarning,
} from './notification-options.ts';
import { queueError } from './queue-error.ts';
import { QueueReceiver } from './queue-receiver.ts';
import { afterReceive, type ReceiveHealth, type ReceiveOutcome } from './receive-health.ts';
import { createSqsClient } from './sqs-client.ts';
import { WatchedRanges, type RangeListener } from './watched-ranges.ts';

const receivePauses = { firstMs: 500, longestMs: 30_000, jitter: 0.5 };

/** A watch that is fed by a queue. */
export interface NotificationWatch extends StoreWatch {
  /** False while the queue cannot be read: what is stored now is reported late, or by sweeps alone. */
  readonly isWorking: boolean;
}

type State =
  | { kind: 'idle' }
  /** The queue could not be read at the last start; until then another attempt would only be noise. */
  | { kind: 'resting'; untilMs: number; error: ArtError }
  | { kind: 'running'; receiver: QueueReceiver; started: Promise<void> }
  | { kind: 'closed' };

/** Watches that share the receivers of one queue, which run only while there is a watch. */
export class QueueNotifications {
  readonly #options: NotificationOptions;
  readonly #ranges = new WatchedRanges();
  readonly #warned = new Set<string>();
  #ownClient: SQSClient | undefined;
  #health: ReceiveHealth = { kind: 'working' };
  #state: State = { kind: 'idle' };
  /** Deletions that stopped receivers still have to make. */
  #stopping: Promise<unknown> = Promise.resolve();

  constructor(options: NotificationOptions) {
    this.#options = options;
  }

  async watch(
    range: WatchRange,
    onKey: (key: string) => void,
    { signal }: CallOptions = {},
  ): Promise<NotificationWatch> {
    checkWatchRange('watch', range);
    signal?.throwIfAborted();
    const listener: RangeListener = { range: { ...range }, onKey };
    const started = this.#start();
    this.#ranges.add(listener);
    try {
      await callWithin(() => started, { signal });
    } catch (error) {
      this.#end(listener);
      throw signal?.aborted === true ? signal.reason : watchError(range, error as ArtError);
    }
    const isWorking = (): boolean => this.#ranges.has(listener) && this.#health.kind !== 'failing';
    return {
      close: async () => this.#end(listener),
      get isWorking() {
        return isWorking();
      },
    };
  }

  async close(): Promise<void> {
    this.#ranges.clear();
    this.#stop({ kind: 'closed' });
    await this.#stopping;
    this.#ownClient?.destroy();
    this.#ownClient = undefined;
  }

  async #start(): Promise<void> {
    switch (this.#state.kind) {
      case 'running':
        return this.#state.started;
      case 'closed':
        throw closedError();
      case 'resting':
        if (performance.now() < this.#state.untilMs) throw this.#state.error;
        return this.#startReceiver();
      case 'idle':
        return this.#startReceiver();
    }
  }

  #startReceiver(): Promise<void> {
    const { queueUrl, receivers = 4 } = this.#options;
    const sorter = new MessageSorter({
      ranges: this.#ranges,
      warn: (kind, message) => this.#warn(kind, message),
      epochMs: Date.now,
    });
    const receiver = new QueueReceiver({
      client: this.#client(),
      queueUrl,
      receivers,
      onMessages: (messages) => sorter.take(messages),
      onReceived: () => this.#became('succeeded'),
      onReceiveFailed: (error) => this.#became('failed', queueError('receive', queueUrl, error)),
      onDeleteFailed: (error) =>
        this.#warn(
          'delete-failed',
          `${queueError('delete', queueUrl, error).message} Until then these messages come again and again.`,
        ),
    });
    const state: State = { kind: 'running', receiver, started: Promise.resolve() };
    this.#state = state;
    state.started = receiver.start().catch((cause: unknown) => {
      const error = queueError('receive', queueUrl, cause);
      // Stopped from here, which tells nothing about the queue.
      if (this.#state !== state) throw error;
      const restMs = this.#became('refused', error);
      this.#state = { kind: 'resting', untilMs: performance.now() + restMs, error };
      throw error;
    });
    return state.started;
  }

  #end(listener: RangeListener): void {
    this.#ranges.delete(listener);
    if (this.#ranges.isEmpty && this.#state.kind === 'running') this.#stop({ kind: 'idle' });
  }

  #stop(next: State): void {
    const state = this.#state;
    this.#state = next;
    if (state.kind === 'running')
      this.#stopping = Promise.all([this.#stopping, state.receiver.stop(closedError())]);
  }

  #client(): SQSClient {
    const { client, queueUrl, clientConfig } = this.#options;
    return client ?? (this.#ownClient ??= createSqsClient(queueUrl, clientConfig));
  }

  /** Takes note of how a receive ended; answers how long to wait before the next one. */
  #became(outcome: ReceiveOutcome, error?: ArtError): number {
    const before = this.#health;
    const health = afterReceive(before, outcome);
    this.#health = health;
    const { queueUrl } = this.#options;
    if (before.kind === 'failing' && health.kind === 'working') {
      this.#tell({ kind: 'recovered', queueUrl, failedReceives: before.failures });
    }
    if (before.kind !== 'failing' && health.kind === 'failing' && error !== undefined) {
      this.#tell({ kind: 'failing', queueUrl, error, failedReceives: health.failures });
    }
    return health.kind === 'working' ? 0 : growingPauseMs(health.failures, receivePauses);
  }

  #tell(trouble: NotificationTrouble): void {
    const { onTrouble = emitTrouble } = this.#options;
    queueMicrotask(() => onTrouble(trouble));
  }

  #warn(kind: NotificationWarning['kind'], message: string): void {
    if (this.#warned.has(kind)) return;
    this.#warned.add(kind);
    const { queueUrl, onWarning = emitWarning } = this.#options;
    // On its own turn: a callback that throws must not pass for a failure of the queue.
    queueMicrotask(() => onWarning({ kind, queueUrl, message }));
  }
}

function closedError(): ArtError {
  return new ArtError({
    code: 'ART_CLOSED',
    message: 'The notifications are closed. Make others with withNotifications.',
  });
}

function watchError(range: WatchRange, error: ArtError): StoreError {
  const { bucket, prefix: key } = range;
  return new StoreError({
    code: error.code,
    operation: 'watch',
    bucket,
    key,
    message: error.message,
    cause: error,
  });
}

function emitWarning(warning: NotificationWarning): void {
  process.emitWarning(warning.message, { type: 'ArtStoreWarning', code: warning.kind });
}

function emitTrouble(trouble: NotificationTrouble): void {
  if (trouble.kind === 'failing')
    process.emitWarning(trouble.error.message, { type: 'ArtStoreWarning', code: trouble.error.code });
}
