import { SignatureV4 } from '@smithy/signature-v4';
import { NodeHash } from './node-hash.ts';

/** Keys as AWS's SDKs have them. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

export interface BearerTokenOptions {
  credentials: AwsCredentials;
  /** The job's region. */
  region: string;
  /** @default now */
  signingDate?: Date | undefined;
}

/** How long the service takes a token at most. */
const expiresInSeconds = 43_200;
const host = 'sagemaker.amazonaws.com';
// The order in which AWS's Python SDK writes them, so that its token and this one are the same text.
const names = ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Security-Token', 'Signature'];

/**
 * The key that SageMaker's job runtime takes as `Authorization: Bearer`: a presigned call of `CallWithBearerToken`, as
 * `sagemaker.core.token_generator` of AWS's Python SDK makes it. It is a secret for 12 hours, or as long as the credentials
 * last.
 */
export async function bearerToken(options: BearerTokenOptions): Promise<string> {
  const { credentials, region, signingDate = new Date() } = options;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    region,
    service: 'sagemaker',
    sha256: NodeHash,
  });
  const { query = {} } = await signer.presign(
    {
      method: 'POST',
      protocol: 'https:',
      hostname: host,
      path: '/',
      query: { Action: 'CallWithBearerToken' },
      headers: { host },
    },
    { expiresIn: expiresInSeconds, signingDate },
  );
  const signed = names
    .map((name) => [`X-Amz-${name}`, query[`X-Amz-${name}`]] as const)
    .flatMap(([name, value]) =>
      typeof value === 'string'
        ? [`${name}=${encodeURIComponent(value).replaceAll(/[!'()*]/g, escape)}`]
        : [],
    );
  const url = `${host}/?Action=CallWithBearerToken&${signed.join('&')}&Version=1`;
  return `sagemaker-api-key-${Buffer.from(url).toString('base64')}`;
}
