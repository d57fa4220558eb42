import { refuseOption } from '@art/ground';
import type { ResultStore } from '@art/store';
import { checkNotificationOptions, type NotificationOptions } from './notification-options.ts';
import { loadSqs } from './load-sqs.ts';
import { QueueNotifications, type NotificationWatch } from './queue-notifications.ts';

/** A store that can push. */
export interface NotifiedResultStore extends ResultStore {
  watch(...args: Parameters<NonNullable<ResultStore['watch']>>): Promise<NotificationWatch>;
  /**
   * Ends all watches and their long polls at once; resolves when messages that were already taken are deleted, after 5
   * seconds at most. The store that was given stays open, it is its owner's to close. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * Gives a store a `watch` that is fed by the S3 event notifications of its buckets, from one SQS queue. What else the
 * store does stays as it is. Nothing is sent and no client is made before the first watch.
 *
 * A watch opens when the queue has answered a first time, and is refused when it cannot be read
 * (`ART_STORE_DENIED`, `ART_STORE_NO_QUEUE`, `ART_STORE_NO_CREDENTIALS`, `ART_STORE_BUSY`, `ART_STORE_FAILED`;
 * `ART_CLOSED` after `close()`). Later failures go to `onTrouble` while it is tried again. Keys are reported once or
 * more, out of order, and late where S3 or SQS is; results that were stored before the watch began are reported too
 * when their messages are still in the queue.
 *
 * @throws ArtError `ART_INVALID_OPTION`, `ART_STORE_NO_SQS_CLIENT`
 */
export function withNotifications(store: ResultStore, options: NotificationOptions): NotifiedResultStore {
  if (typeof store?.put !== 'function') {
    refuseOption('store', 'a ResultStore', store);
  }
  checkNotificationOptions(options);
  // A missing package is found here, and not in the middle of a run.
  loadSqs();
  const notifications = new QueueNotifications({ ...options });
  return {
    put: (at, body, putOptions) => store.put(at, body, putOptions),
    get: (at, callOptions) => store.get(at, callOptions),
    exists: (at, callOptions) => store.exists(at, callOptions),
    // Absent where the store has none: a capability is what callers ask for.
    ...(store.list !== undefined && { list: store.list.bind(store) }),
    ...(store.check !== undefined && { check: store.check.bind(store) }),
    watch: (range, onKey, callOptions) => notifications.watch(range, onKey, callOptions),
    close: () => notifications.close(),
  };
}
