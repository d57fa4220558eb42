import type { SQSClient, SQSClientConfig } from '@aws-sdk/client-sqs';
import { loadSqs } from './load-sqs.ts';

/** A client for one queue: its URL says where the queue is, whatever the environment has set for other services. */
export function createSqsClient(queueUrl: string, config: SQSClientConfig = {}): SQSClient {
  const { origin, hostname } = new URL(queueUrl);
  const region = regionOfHost(hostname) ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
  const { SQSClient } = loadSqs();
  return new SQSClient({
    // The receiver waits and tries again itself; the SDK's own waiting could not be ended by a signal.
    maxAttempts: 1,
    // Otherwise the SDK prints a warning for every URL that is not on the endpoint of the client's region.
    endpoint: origin,
    ...(region !== undefined && { region }),
    ...config,
  });
}

/**
 * The region in the host of a queue's URL: public, FIPS, dual-stack, VPC endpoints, and the forms of older queues.
 * https://docs.aws.amazon.com/general/latest/gr/sqs-service.html
 */
export function regionOfHost(hostname: string): string | undefined {
  if (!/\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/.test(hostname)) return undefined;
  if (hostname === 'queue.amazonaws.com') return 'us-east-1';
  return (
    /(?:^|\.)sqs(?:-fips)?\.([a-z0-9-]+)\./.exec(hostname) ?? /^([a-z0-9-]+)\.queue\./.exec(hostname)
  )?.[1];
}
