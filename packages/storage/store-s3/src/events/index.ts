export type {
  NotificationOptions,
  NotificationTrouble,
  NotificationWarning,
} from './notification-options.ts';
export type { NotificationWatch } from './queue-notifications.ts';
export { withNotifications, type NotifiedResultStore } from './with-notifications.ts';
