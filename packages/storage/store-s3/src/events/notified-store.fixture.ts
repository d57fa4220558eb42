import { MemoryResultStore } from '@art/store';
import { onTestFinished } from 'vitest';
import type {
  NotificationOptions,
  NotificationTrouble,
  NotificationWarning,
} from './notification-options.ts';
import type { RecordingSqs } from './recording-sqs.fixture.ts';
import { withNotifications, type NotifiedResultStore } from './with-notifications.ts';

export interface NotifiedStore {
  store: NotifiedResultStore;
  warnings: NotificationWarning[];
  troubles: NotificationTrouble[];
}

/** A store in memory whose `watch` listens to a recording queue; closed when the test ends. */
export function notifiedStore(sqs: RecordingSqs, options: Partial<NotificationOptions> = {}): NotifiedStore {
  const warnings: NotificationWarning[] = [];
  const troubles: NotificationTrouble[] = [];
  const store = withNotifications(new MemoryResultStore(), {
    queueUrl: sqs.queueUrl,
    clientConfig: { region: 'us-west-2', credentials: { accessKeyId: 'id', secretAccessKey: 'secret' } },
    onWarning: (warning) => warnings.push(warning),
    onTrouble: (trouble) => troubles.push(trouble),
    ...options,
  });
  onTestFinished(() => store.close());
  return { store, warnings, troubles };
}
