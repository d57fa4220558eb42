import type { IncomingHttpHeaders } from 'node:http';

/** Which attempt of an AWS SDK a request is: `amz-sdk-request: attempt=2; max=3`. 1 where nothing is said. */
export function sdkAttemptOf(headers: IncomingHttpHeaders): number {
  const match = /attempt=(\d+)/.exec(String(headers['amz-sdk-request'] ?? ''));
  return match === null ? 1 : Number(match[1]);
}
