import type { Message } from '@aws-sdk/client-sqs';
import type { NotificationWarning } from './notification-options.ts';
import { parseNotification, type ObjectEvent } from './parse-notification.ts';
import type { WatchedRanges } from './watched-ranges.ts';

export interface MessageSorterOptions {
  ranges: WatchedRanges;
  warn: (kind: NotificationWarning['kind'], message: string) => void;
  /** Milliseconds since 1970. */
  epochMs: () => number;
}

/**
 * Reports the keys that messages are about, and decides which of them this store may delete: those about buckets that it
 * watches, wanted or not, because nobody else reads this queue for them. Anything else may be another reader's, and is
 * left to become visible again.
 */
export class MessageSorter {
  readonly #options: MessageSorterOptions;
  readonly #startedEpochMs: number;

  constructor(options: MessageSorterOptions) {
    this.#options = options;
    this.#startedEpochMs = options.epochMs();
  }

  /** Answers the messages that are done with. */
  take(messages: readonly Message[]): Message[] {
    return messages.filter((message) => this.#isDone(message));
  }

  #isDone(message: Message): boolean {
    const { ranges, warn } = this.#options;
    const notification = parseNotification(message.Body);
    switch (notification.kind) {
      case 'test':
        return true;
      case 'unknown':
        warn(
          'unknown-message',
          `Message ${message.MessageId} ${notification.reason}. It was left in the queue, from where it comes again and again: give these notifications a queue of their own, with a dead-letter queue behind it.`,
        );
        return false;
      case 'events': {
        const foreign = notification.events.find(({ bucket }) => !ranges.hasKnown(bucket));
        if (foreign !== undefined) {
          warn(
            'other-bucket',
            `Message ${message.MessageId} is about bucket ${JSON.stringify(foreign.bucket)}, of which nothing is watched here. It was left in the queue: give each reader its own queue.`,
          );
        }
        for (const event of notification.events) if (event.isCreation) this.#report(event);
        return foreign === undefined;
      }
    }
  }

  #report(event: ObjectEvent): void {
    const { ranges, warn } = this.#options;
    for (const key of event.keys) ranges.report(event.bucket, key);
    // What had waited in the queue before is left over from earlier runs and says nothing about other readers.
    const isNew = event.epochMs !== undefined && event.epochMs >= this.#startedEpochMs;
    if (!isNew || !ranges.hasKnown(event.bucket)) return;
    if (event.keys.some((key) => ranges.covers(event.bucket, key))) return;
    warn(
      'unwatched-key',
      `${JSON.stringify(event.keys[0])} in bucket ${JSON.stringify(event.bucket)} was stored now and belongs to nothing that is watched here. If another client reads this queue, each takes half of the other's notifications: give each its own queue. If not, narrow the prefix of the bucket's notification.`,
    );
  }
}
