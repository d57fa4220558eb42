import { isJsonObject } from '@art/protocol';
import type { PayloadIssue, PayloadValidator, PayloadVerdict } from './payload-validator.ts';

/**
 * Validates a payload whose `_rollout` the agent's schema usually does not know. The whole payload is tried first, for
 * schemas that declare `_rollout`; when that fails, the payload without it, so that strict schemas work. Either way the
 * handler finds `_rollout` where it was: it is put back where the schema dropped it.
 */
export async function validatePayload(validate: PayloadValidator, payload: unknown): Promise<PayloadVerdict> {
  const whole = await validate(payload);
  if (!isJsonObject(payload) || !('_rollout' in payload)) return whole;
  const { _rollout: rollout, ...rest } = payload;
  if (whole.kind === 'valid') return { kind: 'valid', value: withRollout(whole.value, rollout) };
  if (whole.issues.some(isAboutRolloutMembers)) return whole;
  const without = await validate(rest);
  return without.kind === 'valid'
    ? { kind: 'valid', value: withRollout(without.value, rollout) }
    : { kind: 'invalid', issues: without.issues };
}

// A schema that declares `_rollout` objects to something inside it; a strict one objects to the member as such.
function isAboutRolloutMembers(issue: PayloadIssue): boolean {
  return issue.path[0] === '_rollout' && issue.path.length > 1;
}

function withRollout(value: unknown, rollout: unknown): unknown {
  if (!isJsonObject(value) || '_rollout' in value) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An instance that a transform made is the handler's own affair; it has `context.rollout`.
  return prototype === Object.prototype || prototype === null ? { ...value, _rollout: rollout } : value;
}
