import type { IncomingHttpHeaders } from 'node:http';
import { type InvocationState, parseRipRequest, ripEnvelopeField, type RipRequest } from '@art/protocol';
import { parseJson } from '@art/ground';

/** Parsing more than this for a log would slow down what it observes. */
const largestReadBytes = 1_048_576;

/** Request of a payload by the Runtime Invocation Protocol; undefined without it, and in one of more than 1 MiB. */
export function ripOfPayload(body: Buffer | undefined): RipRequest | undefined {
  if (body === undefined || body.length > largestReadBytes || !body.includes(`"${ripEnvelopeField}"`))
    return undefined;
  try {
    return parseRipRequest(parseJson(body.toString('utf8')));
  } catch {
    // What the agent makes of such a payload is not for this side to say.
    return undefined;
  }
}

const inHead = /"status"\s*:\s*"(in_progress|completed|interrupted|not_found)"/;

/**
 * The status in the first bytes of an answer by the Runtime Invocation Protocol; undefined where there is none. Every known
 * server writes it before the result, which can be 100 MB.
 */
export function invocationStatus(head: string): InvocationState['status'] | undefined {
  return inHead.exec(head)?.[1] as InvocationState['status'] | undefined;
}

/** Which attempt of an AWS SDK a request is: `amz-sdk-request: attempt=2; max=3`. 1 where nothing is said. */
export function sdkAttemptOf(headers: IncomingHttpHeaders): number {
  const match = /attempt=(\d+)/.exec(String(headers['amz-sdk-request'] ?? ''));
  return match === null ? 1 : Number(match[1]);
}
