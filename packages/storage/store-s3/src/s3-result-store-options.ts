import {
  aBoolean,
  aFunction,
  anHttpUrl,
  aNumber,
  anyObject,
  custom,
  optional,
  type OptionRules,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';

/** Something that a user should change, although the store continues. */
export interface S3StoreWarning {
  /**
   * `missing-list-permission`: S3 answers 403 for keys that are not there. `directory-bucket`: the bucket is one of S3 Express One
   * Zone, whose lists have no order.
   */
  kind: 'missing-list-permission' | 'directory-bucket';
  bucket: string;
  /** The behaviour of S3, and the remedy. */
  message: string;
}

export interface S3ResultStoreOptions {
  /** A client of your own. It is used as it is and never destroyed; only `onWarning` can be given beside it. */
  client?: S3Client | undefined;
  /** @default `AWS_REGION`, `AWS_DEFAULT_REGION`, the shared configuration */
  region?: string | undefined;
  /** URL of an S3 that is not AWS's. @default `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, AWS's own endpoint */
  endpoint?: string | undefined;
  /** Bucket in the path instead of the host name. @default true for an endpoint that is not AWS's, false for AWS */
  forcePathStyle?: boolean | undefined;
  /**
   * Most connections to S3 at a time; further calls wait. The SDK's own default of 50 starves a batch.
   * @default 256
   */
  maxConnections?: number | undefined;
  /** The KMS key that encrypts results (SSE-KMS): an id, an ARN or an alias. @default the encryption of the bucket */
  kmsKeyId?: string | undefined;
  /** How often the SDK sends one request before it gives up: 5xx, throttling, broken connections. @default 6 */
  maxAttempts?: number | undefined;
  /**
   * Anything else that an `S3Client` takes, such as `credentials`; wins over the options above. With a `requestHandler` of
   * your own `maxConnections` has no effect.
   */
  clientConfig?: S3ClientConfig | undefined;
  /** Called once for each thing to warn of. @default process.emitWarning */
  onWarning?: ((warning: S3StoreWarning) => void) | undefined;
}

// A client of one's own has its own.
const clientRules = {
  region: optional(
    custom<string>('a region like us-west-2', (value) => typeof value === 'string' && value !== ''),
  ),
  endpoint: optional(anHttpUrl),
  forcePathStyle: optional(aBoolean),
  maxConnections: optional(aNumber({ min: 1, integer: true })),
  maxAttempts: optional(aNumber({ min: 1, integer: true })),
  clientConfig: optional(anyObject()),
};

const rules = {
  ...clientRules,
  kmsKeyId: optional(
    custom<string>('the id, ARN or alias of a KMS key', (value) => typeof value === 'string' && value !== ''),
  ),
  client: optional(withMethod('an S3Client', 'send')),
  onWarning: optional(aFunction()),
} satisfies OptionRules<S3ResultStoreOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkS3ResultStoreOptions(options: S3ResultStoreOptions): void {
  readOptions('S3ResultStore', options, rules);
  if (options.client === undefined) return;
  for (const name of Object.keys(clientRules) as (keyof typeof clientRules)[])
    if (options[name] !== undefined)
      refuseOption(name, 'left out beside client, which has its own settings', options[name]);
}
