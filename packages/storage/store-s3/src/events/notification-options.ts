import {
  aFunction,
  aNumber,
  anyObject,
  type ArtError,
  optional,
  type OptionRule,
  type OptionRules,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';
import type { SQSClient, SQSClientConfig } from '@aws-sdk/client-sqs';

/** Something that a user should change, although notifications continue. */
export interface NotificationWarning {
  /**
   * - `unknown-message`: a message is not about S3. It was left in the queue.
   * - `other-bucket`: a message is about a bucket that this store does not watch. It was left in the queue.
   * - `unwatched-key`: a new object in a watched bucket belongs to no watch; the queue may have two readers.
   * - `delete-failed`: messages that were read could not be deleted; they come again.
   */
  kind: 'unknown-message' | 'other-bucket' | 'unwatched-key' | 'delete-failed';
  queueUrl: string;
  /** The received value, and the remedy. */
  message: string;
}

/** The queue could not be read several times in a row, or can be read again. Sweeps find results meanwhile. */
export type NotificationTrouble =
  | { kind: 'failing'; queueUrl: string; error: ArtError; failedReceives: number }
  | { kind: 'recovered'; queueUrl: string; failedReceives: number };

export interface NotificationOptions {
  /** URL of the queue, `https://sqs.us-west-2.amazonaws.com/111122223333/art-results`. One reader a queue. */
  queueUrl: string;
  /** A client of your own. It is used as it is and never destroyed. */
  client?: SQSClient | undefined;
  /**
   * For the client that is made otherwise, such as `credentials`.
   * @default region and endpoint of `queueUrl`; where the URL names no region `AWS_REGION`, `AWS_DEFAULT_REGION`, the
   * shared configuration
   */
  clientConfig?: SQSClientConfig | undefined;
  /**
   * Long polls at the same time, 1 to 20. Each brings at most 10 messages for one round trip to receive and one to delete.
   * @default 4
   */
  receivers?: number | undefined;
  /** Called once for each kind of thing to warn of. @default process.emitWarning */
  onWarning?: ((warning: NotificationWarning) => void) | undefined;
  /** Called when the queue cannot be read, and when it can again. @default process.emitWarning for the former */
  onTrouble?: ((trouble: NotificationTrouble) => void) | undefined;
}

const aQueueUrl: OptionRule<string> = (given, option) => {
  const isUrl = typeof given === 'string' && /^https?:\/\/[^/]+\/[^?#]+$/.test(given) && URL.canParse(given);
  if (isUrl) return given;
  const hint = typeof given === 'string' && given.startsWith('arn:') ? ' (its URL, not its ARN)' : '';
  refuseOption(option, `the URL of a queue, https://sqs.REGION.amazonaws.com/ACCOUNT/NAME${hint}`, given);
};

const rules = {
  queueUrl: aQueueUrl,
  client: optional(withMethod('an SQSClient', 'send')),
  clientConfig: optional(anyObject()),
  receivers: optional(aNumber({ min: 1, max: 20, integer: true })),
  onWarning: optional(aFunction()),
  onTrouble: optional(aFunction()),
} satisfies OptionRules<NotificationOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkNotificationOptions(options: NotificationOptions): void {
  const { client, clientConfig } = readOptions('withNotifications', options, rules);
  if (client !== undefined && clientConfig !== undefined)
    refuseOption('clientConfig', 'left out beside client, which has its own settings', clientConfig);
}
