import { systemClock, joinSentences, signingAdvice } from '@art/ground';
import { classifyRuntimeFailure, RuntimeError } from '@art/protocol';
import { BedrockAgentCoreServiceException } from '@aws-sdk/client-bedrock-agentcore';

// What the SDK hangs on an error; hidden members included, since a body that is not JSON leaves nothing else.
interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number; requestId?: string };
  $response?: { statusCode?: number; headers?: Record<string, string | undefined> };
}

/**
 * Turns what the SDK threw for `operation` into the toolkit's vocabulary.
 * @param hasLeft whether something of the request was sent. @default nobody knows
 */
export function sdkFailure(operation: string, cause: unknown, hasLeft?: boolean): RuntimeError {
  if (RuntimeError.isInstance(cause)) return cause;
  const error = (cause instanceof Error ? cause : new Error(String(cause))) as SdkError;
  // Credentials are looked up before anything is sent.
  if (error.name === 'CredentialsProviderError' || error.name === 'TokenProviderError') {
    return new RuntimeError({
      code: 'ART_RUNTIME_REJECTED',
      delivery: 'never',
      message: joinSentences(
        `${operation} was not sent, no AWS credentials: ${error.message}`,
        'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or AWS_PROFILE, or pass `clientOptions.credentials`. A local runtime takes any value.',
      ),
      cause,
    });
  }
  const httpStatus = error.$metadata?.httpStatusCode ?? error.$response?.statusCode;
  const requestId = error.$metadata?.requestId;
  // Unlike RetryableConflictException this one does not pass by waiting.
  if (httpStatus === 409 && error.name === 'ConflictException') {
    return new RuntimeError({
      code: 'ART_RUNTIME_REJECTED',
      delivery: 'never',
      message: joinSentences(
        `${operation} failed (HTTP 409): ${error.message}`,
        'The request contradicts the state of the session; sending it again does not help.',
      ),
      httpStatus,
      requestId,
      cause,
    });
  }
  return classifyRuntimeFailure({
    operation,
    httpStatus,
    requestId,
    hasLeft,
    advice: signingAdvice(error.name, error.message),
    serviceMessage: serviceMessage(error, httpStatus),
    retryAfterMs: parseRetryAfter(error.$response?.headers?.['retry-after'], systemClock.epochMs()),
    cause,
  });
}

function serviceMessage(error: SdkError, httpStatus: number | undefined): string {
  // The SDK's text for an empty body.
  if (error.message === 'UnknownError') return 'the answer has no message';
  if (BedrockAgentCoreServiceException.isInstance(error) || httpStatus === undefined) return error.message;
  return 'the answer is not what the service sends; it may come from a proxy in between';
}

/**
 * Reads a `retry-after` header, seconds or HTTP date (RFC 9110, 10.2.3), as milliseconds from `now`.
 * Undefined when it is absent or unreadable.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/[a-z]/i.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
