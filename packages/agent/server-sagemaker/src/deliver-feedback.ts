import { callWithin, type Clock, freshId, growingPauseMs, pause } from '@art/ground';
import type { FreshToken } from './fresh-token.ts';
import type { Feedback } from './read-feedback.ts';
import type { SageMakerRequest } from './rollout-request.ts';

export interface DeliveryOptions {
  rollout: SageMakerRequest;
  token: FreshToken;
  clock: Clock;
  /** When the trainer stops waiting, in the clock's `nowMs`. Nothing is sent after it. */
  deadlineMs: number;
  /** Aborts when the process ends. */
  signal: AbortSignal;
  onRetry: (reason: string) => void;
}

const longestAttemptMs = 30_000;
const pauses = { firstMs: 250, longestMs: 15_000, jitter: 0.5 };
/** Refused keys are signed again; a role without the right is refused for ever. */
const mostDenials = 5;

/**
 * Tells the job runtime that the rollout is complete, then its reward. Each is sent until it is taken, under one idempotency
 * token: 429, 5xx, 408 and broken connections are tried again with growing pauses, 403 with a new key, and 409 says that it was
 * taken before.
 *
 * @throws Error for anything else, with its `status`, and when the time is up; the signal's reason
 */
export async function deliverFeedback(feedback: Feedback, options: DeliveryOptions): Promise<void> {
  const { status, rewards } = feedback;
  try {
    await send('/complete-rollout', { Status: status }, options);
  } catch (error) {
    // As AWS's decorator: a rollout that is not found may still take its reward.
    if ((error as { status?: number }).status !== 404) throw error;
  }
  if (rewards !== undefined) await send('/update-reward', { Rewards: rewards }, options);
}

async function send(path: string, members: object, options: DeliveryOptions): Promise<void> {
  const { rollout, token, clock, deadlineMs, signal, onRetry } = options;
  const { jobArn: JobArn, rolloutId: TrajectoryId } = rollout;
  const ClientToken = freshId();
  // The Python SDK puts the job into the body, the service's model into the header.
  const body = JSON.stringify({ JobArn, TrajectoryId, ...members, ClientToken });
  let denials = 0;
  let refusedKey: string | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = deadlineMs - clock.nowMs();
    if (leftMs <= 0) throw new Error(`${path} was not taken before the rollout's time-out.`);
    const bounds = { signal, clock, timeoutMs: Math.min(longestAttemptMs, leftMs) };
    const answer = await callWithin(async (inner) => {
      const key = await (refusedKey === undefined ? token.get() : token.after(refusedKey));
      return post(rollout, path, { body, key, signal: inner });
    }, bounds).catch((error: unknown) => {
      signal.throwIfAborted();
      return { status: undefined, key: undefined, reason: `${path}: ${causeOf(error)}`, retryAfterMs: 0 };
    });
    const { status, reason } = answer;
    if (status !== undefined && (status < 300 || status === 409)) return;
    const isDenied = status === 403;
    refusedKey = isDenied ? answer.key : undefined;
    denials += isDenied ? 1 : 0;
    const mayPass = status === undefined || status === 408 || status === 429 || status >= 500;
    if (!mayPass && !(isDenied && denials < mostDenials)) throw Object.assign(new Error(reason), { status });
    onRetry(reason);
    // The first denial is most often a rotation of credentials: a new key is all that is needed.
    if (isDenied && denials === 1) continue;
    const askedMs = Math.max(growingPauseMs(attempt, pauses), answer.retryAfterMs);
    const waitMs = Math.min(askedMs, deadlineMs - clock.nowMs());
    await pause(waitMs, { signal, clock });
  }
}

async function post(
  { endpoint, jobArn }: SageMakerRequest,
  path: string,
  { body, key, signal }: { body: string; key: string; signal: AbortSignal },
): Promise<{ status: number; key: string; reason: string; retryAfterMs: number }> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
    'X-Amzn-SageMaker-Job-Arn': jobArn,
  };
  const response = await fetch(`${endpoint}${path}`, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal,
  });
  const reason = `${path} was answered ${response.status}: ${(await response.text()).slice(0, 300)}`;
  const retryAfterMs = Math.max(0, Number(response.headers.get('retry-after')) || 0) * 1_000;
  return { status: response.status, key, reason: withoutKeys(reason), retryAfterMs };
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(cause instanceof Error)) return withoutKeys(message);
  return withoutKeys(`${message} (${cause.message || String((cause as NodeJS.ErrnoException).code)})`);
}

function withoutKeys(text: string): string {
  return text.replaceAll(/sagemaker-api-key-[\w+/=]*/g, '[redacted]');
}
