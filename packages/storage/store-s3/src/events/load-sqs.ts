import { createRequire } from 'node:module';
import { ArtError } from '@art/ground';
import type * as sqs from '@aws-sdk/client-sqs';

type Sqs = typeof sqs;

const sqsPackage = '@aws-sdk/client-sqs';
const require = createRequire(import.meta.url);

/**
 * Returns AWS's client for SQS, an optional peer of this package.
 * @param load loads a package by its name. @default Node's `require` from here
 * @throws ArtError `ART_STORE_NO_SQS_CLIENT` where the package is not installed
 */
export function loadSqs(load: (name: string) => unknown = require): Sqs {
  try {
    return load(sqsPackage) as Sqs;
  } catch (cause) {
    throw new ArtError({
      code: 'ART_STORE_NO_SQS_CLIENT',
      message: `Expected the package ${sqsPackage} beside @art/store-s3/events, found none. Run "npm install ${sqsPackage}".`,
      cause,
    });
  }
}
