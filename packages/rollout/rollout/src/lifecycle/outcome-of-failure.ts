import { ArtError, type ErrorCode, describeThrown } from '@art/ground';
import { RuntimeError, type RolloutOutcome, type RuntimeErrorCode } from '@art/protocol';

type FailureKind = Extract<RolloutOutcome['kind'], 'lost' | 'throttled' | 'rejected'>;

/**
 * The outcome of a rollout whose submission failed for good, or whose result will never arrive.
 * @param isOutage true if the service that captures its model calls was down
 */
export function outcomeOfFailure(failure: unknown, isOutage = false): RolloutOutcome {
  const error = asArtError(failure);
  if (error.code === 'ART_RUN_CEILING_REACHED') return { kind: 'cancelled', error };
  // Nothing was started, so no session is lost: its infrastructure failed, which says nothing about the request, and may pass.
  return { kind: isOutage ? 'infra_error' : failureKind(error), error };
}

/** Turns any value that a runtime throws into an ArtError. */
function asArtError(error: unknown): ArtError {
  if (ArtError.isInstance(error)) return error;
  return new RuntimeError({
    code: 'ART_RUNTIME_UNAVAILABLE',
    delivery: 'unknown',
    message: `The runtime threw something that is no RuntimeError: ${describeThrown(error).message}`,
    cause: error,
  });
}

function failureKind(error: ArtError): FailureKind {
  if (error.code === 'ART_ROLLOUT_LOST') return 'lost';
  if (!RuntimeError.isInstance(error)) return 'rejected';
  switch (error.code) {
    case 'ART_RUNTIME_THROTTLED':
    case 'ART_RUNTIME_QUOTA':
      return 'throttled';
    case 'ART_RUNTIME_UNAVAILABLE':
      // Nobody knows whether the agent got it, and no document came: the same to a trainer as a dead machine.
      return 'lost';
    // The agent never got it, and a new session may start where this one did not.
    case 'ART_RUNTIME_START_FAILED':
    case 'ART_RUNTIME_CONFLICT':
      return 'lost';
    case 'ART_CONTAINER_ERROR':
      return containerDied(error.message) ? 'lost' : 'rejected';
    case 'ART_RUNTIME_REJECTED':
      return 'rejected';
  }
}

// AgentCore reports a container that died while answering as a gateway status inside a 424, or as a failed health check;
// any other status in there is the container's own answer.
function containerDied(message: string): boolean {
  return /Received error \(50[234]\) from runtime|health check failed/i.test(message);
}

const failedStarts: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ART_RUNTIME_START_FAILED',
  'ART_RUNTIME_REJECTED',
  'ART_CONTAINER_ERROR',
]);

/** True if an error means that a session never began its work. Such a failure repeats until its cause is mended. */
export function isFailedStart(code: ErrorCode | undefined): boolean {
  return code !== undefined && failedStarts.has(code);
}

/** The error of a rollout that its caller cancelled. */
export function rolloutCancelled(cause: unknown): ArtError {
  return new ArtError({
    code: 'ART_ROLLOUT_CANCELLED',
    message: 'The rollout was cancelled by its caller.',
    cause,
  });
}

/** The outcome of a rollout whose session took the work and is gone by itself. */
export function vanishedOutcome(sessionId: string, cause: unknown): RolloutOutcome {
  return {
    kind: 'lost',
    error: new ArtError({
      code: 'ART_ROLLOUT_LOST',
      message: `Session ${sessionId} ended without storing a result. Its log tells why: a crash, a kill, or a result that could not be stored.`,
      cause,
    }),
  };
}

// A conflict says that a session of this id is being set up; one that did not start may hold its machine for a while.
const sessionCodes: readonly RuntimeErrorCode[] = ['ART_RUNTIME_CONFLICT', 'ART_RUNTIME_START_FAILED'];

/**
 * True if a session may still be alive after an outcome, for this process to stop. False if the request was certainly
 * never delivered, or if another process has taken the run over, or will.
 */
export function mayHaveSession(outcome: RolloutOutcome): boolean {
  if (outcome.kind === 'ok') return true;
  if (isLeftAlone(outcome)) return false;
  if (!RuntimeError.isInstance(outcome.error)) return true;
  return outcome.error.delivery !== 'never' || sessionCodes.includes(outcome.error.code);
}

/**
 * True if a rollout ended only in this process: another process has it, or will take it over, and its session
 * continues.
 */
export function isLeftAlone(outcome: RolloutOutcome): boolean {
  if (outcome.kind !== 'cancelled') return false;
  const { code } = outcome.error;
  return code === 'ART_JOURNAL_LOST' || code === 'ART_ROLLOUT_DETACHED';
}
