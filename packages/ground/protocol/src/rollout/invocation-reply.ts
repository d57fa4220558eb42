import type { Static } from 'typebox';
import { ArtError, describeValue, isJsonObject, parseJson } from '@art/ground';
import type { InvocationReplySchema } from '../schemas.ts';

export type InvocationReply = Static<typeof InvocationReplySchema> & Record<string, unknown>;

/**
 * Reads an agent's answer.
 * @throws ArtError `ART_INVALID_REPLY` when it is not a rollout agent's answer.
 */
export function parseInvocationReply(body: string): InvocationReply {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (cause) {
    throw invalidReply(body, cause);
  }
  if (!isJsonObject(value) || value['status'] !== 'processing') throw invalidReply(body);
  for (const field of ['s3_bucket', 'result_key']) {
    if (value[field] !== undefined && typeof value[field] !== 'string') throw invalidReply(body);
  }
  return value as InvocationReply;
}

function invalidReply(body: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_INVALID_REPLY',
    message: `Expected the agent to answer {"status":"processing",...}, got ${describeValue(body)}. Is it a rollout agent, and is the rollout handler registered? With results from the session (\`--wire rip\` of the art command) an agent that knows nothing of rollouts is measured by its answer; to have it trained, begin at "Adapt your agent" of the documentation (adapt.md).`,
    cause,
  });
}
