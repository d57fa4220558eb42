import { joinSentences } from '@art/ground';
import { RuntimeError, type Delivery, type RuntimeErrorCode } from './runtime-error.ts';

/** One failed HTTP exchange with the runtime's data plane. */
export interface RuntimeFailure {
  /** The operation, for the message: "InvokeAgentRuntime". */
  operation: string;
  /** HTTP status; undefined when no response arrived. */
  httpStatus?: number | undefined;
  /** The service's own message, as its response body has it. */
  serviceMessage?: string | undefined;
  /** False where no byte of the request had left this process. @default nobody knows */
  hasLeft?: boolean | undefined;
  /** The remedy, where it is known better than from the status. */
  advice?: string | undefined;
  retryAfterMs?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

const advice: Record<RuntimeErrorCode, string> = {
  ART_RUNTIME_THROTTLED: 'Lower the rate of new sessions or ask for a higher quota.',
  ART_RUNTIME_QUOTA: 'Stop sessions that are no longer needed, wait, or ask for a higher quota.',
  ART_RUNTIME_CONFLICT: 'The session is being set up or torn down; try again in a moment.',
  ART_RUNTIME_REJECTED: 'Check the ARN, the session id, the credentials and their permissions.',
  ART_RUNTIME_START_FAILED: "Read the agent's log for the cause; a new session may start.",
  ART_CONTAINER_ERROR: "Read the agent's log for the cause.",
  ART_RUNTIME_UNAVAILABLE:
    'The request may have reached the agent; look for its result before sending it again.',
};

const unsentAdvice = 'Nothing was sent. Check the endpoint, its name and the network.';

// AgentCore has no status of its own for an agent that never answered its first health check, and passes no request on to it:
// "Runtime initialization time exceeded. Please make sure that initialization completes in 30s."
// The local AgentCore tells a crash at start from a start that is late.
const startFailed = /^(?:runtime initialization time exceeded|the agent did not start: )/i;

/**
 * Sorts a failed data-plane exchange by what its caller can do about it.
 * Statuses as documented for AgentCore's data plane: 402 ServiceQuotaExceeded, 409 (Retryable)Conflict,
 * 424 RuntimeClientError, 429 Throttling, 5xx service.
 */
export function classifyRuntimeFailure(failure: RuntimeFailure): RuntimeError {
  const [code, delivery] = classify(failure);
  const status = failure.httpStatus === undefined ? 'no response' : `HTTP ${failure.httpStatus}`;
  const general = delivery === 'never' && code === 'ART_RUNTIME_UNAVAILABLE' ? unsentAdvice : advice[code];
  const said = failure.serviceMessage ?? (failure.cause instanceof Error ? failure.cause.message : undefined);
  return new RuntimeError({
    code,
    delivery,
    message: joinSentences(
      `${failure.operation} failed (${status})${said === undefined || said === '' ? '' : `: ${said}`}`,
      failure.advice ?? general,
    ),
    httpStatus: failure.httpStatus,
    retryAfterMs: failure.retryAfterMs,
    requestId: failure.requestId,
    cause: failure.cause,
  });
}

function classify(failure: RuntimeFailure): [RuntimeErrorCode, Delivery] {
  const { httpStatus: status, serviceMessage, hasLeft } = failure;
  if (status === undefined && hasLeft === false) return ['ART_RUNTIME_UNAVAILABLE', 'never'];
  switch (status) {
    case 429:
      return ['ART_RUNTIME_THROTTLED', 'never'];
    case 402:
      return ['ART_RUNTIME_QUOTA', 'never'];
    case 409:
      return ['ART_RUNTIME_CONFLICT', 'never'];
    case 424:
      return startFailed.test(serviceMessage ?? '')
        ? ['ART_RUNTIME_START_FAILED', 'never']
        : ['ART_CONTAINER_ERROR', 'delivered'];
    default:
      return status !== undefined && status >= 400 && status < 500 && status !== 408
        ? ['ART_RUNTIME_REJECTED', 'never']
        : ['ART_RUNTIME_UNAVAILABLE', 'unknown'];
  }
}
