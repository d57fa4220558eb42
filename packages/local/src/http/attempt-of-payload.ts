import { isJsonObject } from '@art/protocol';

/** Parsing more than this for a log would slow down what it observes. */
const largestReadBytes = 1_048_576;

/** `_rollout.attempt_id` of a payload; undefined without one, and in a payload of more than 1 MiB. */
export function attemptOfPayload(body: Buffer | undefined): string | undefined {
  if (body === undefined || body.length > largestReadBytes || !body.includes('"attempt_id"'))
    return undefined;
  try {
    const payload: unknown = JSON.parse(body.toString('utf8'));
    const config = isJsonObject(payload) ? payload['_rollout'] : undefined;
    const attemptId = isJsonObject(config) ? config['attempt_id'] : undefined;
    return typeof attemptId === 'string' || typeof attemptId === 'number' ? String(attemptId) : undefined;
  } catch {
    // What the agent makes of such a payload is not for this side to say.
    return undefined;
  }
}
