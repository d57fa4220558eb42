import { type ArtError, checkNumber, refuseOption } from '@art/protocol';
import type { SQSClient, SQSClientConfig } from '@aws-sdk/client-sqs';

/** Something that a user should change, although notifications go on. */
export interface NotificationWarning {
  /**
   * - `unknown-message`: a message is not about S3. It was left in the queue.
   * - `other-bucket`: a message is about a bucket that this store does not watch. It was left in the queue.
   * - `unwatched-key`: a new object in a watched bucket belongs to no watch; the queue may have two readers.
   * - `delete-failed`: messages that were read could not be deleted; they come again.
   */
  kind: 'unknown-message' | 'other-bucket' | 'unwatched-key' | 'delete-failed';
  queueUrl: string;
  /** What came, and what to change. */
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
  /** Told when the queue cannot be read, and when it can again. @default process.emitWarning for the former */
  onTrouble?: ((trouble: NotificationTrouble) => void) | undefined;
}

const maxReceivers = 20;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkNotificationOptions(options: NotificationOptions): void {
  const { queueUrl, client, clientConfig, receivers = 1, onWarning, onTrouble } = options;
  const isUrl = typeof queueUrl === 'string' && /^https?:\/\/[^/]+\/[^?#]+$/.test(queueUrl);
  if (!isUrl || !URL.canParse(queueUrl)) {
    const hint = typeof queueUrl === 'string' && queueUrl.startsWith('arn:') ? ' (its URL, not its ARN)' : '';
    refuseOption(
      'queueUrl',
      `the URL of a queue, https://sqs.REGION.amazonaws.com/ACCOUNT/NAME${hint}`,
      queueUrl,
    );
  }
  if (client !== undefined) {
    if (typeof client?.send !== 'function') refuseOption('client', 'an SQSClient', client);
    if (clientConfig !== undefined)
      refuseOption('clientConfig', 'left out beside client, which has its own settings', clientConfig);
  }
  if (clientConfig !== undefined && (typeof clientConfig !== 'object' || clientConfig === null))
    refuseOption('clientConfig', 'an object', clientConfig);
  checkNumber('receivers', receivers, { min: 1, max: maxReceivers, integer: true });
  if (onWarning !== undefined && typeof onWarning !== 'function')
    refuseOption('onWarning', 'a function', onWarning);
  if (onTrouble !== undefined && typeof onTrouble !== 'function')
    refuseOption('onTrouble', 'a function', onTrouble);
}
