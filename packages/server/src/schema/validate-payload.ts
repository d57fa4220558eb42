import { isJsonObject } from '@art/protocol';
import type { PayloadValidator } from './payload-validator.ts';
import type { PayloadIssue, PayloadVerdict } from './payload-verdict.ts';

/**
 * Validates a payload with members that the agent's schema usually does not know: those by which a trainer configures it.
 * The whole payload is tried first, for schemas that declare them; when that fails, the payload without them, so that strict
 * schemas work. Either way the handler finds them where they were: they are put back where the schema dropped them.
 * @param carried names of these members
 */
export async function validatePayload(
  validate: PayloadValidator,
  payload: unknown,
  carried: readonly string[] = ['_rollout'],
): Promise<PayloadVerdict> {
  const whole = await validate(payload);
  if (!isJsonObject(payload)) return whole;
  const present = carried.filter((name) => Object.hasOwn(payload, name));
  if (present.length === 0) return whole;
  const members = Object.fromEntries(present.map((name) => [name, payload[name]]));
  if (whole.kind === 'valid') return { kind: 'valid', value: withMembers(whole.value, members) };
  if (whole.issues.some((issue) => isInside(issue, present))) return whole;
  const rest = Object.fromEntries(Object.entries(payload).filter(([name]) => !present.includes(name)));
  const without = await validate(rest);
  return without.kind === 'valid'
    ? { kind: 'valid', value: withMembers(without.value, members) }
    : { kind: 'invalid', issues: without.issues };
}

// A schema that declares `_rollout` objects to something inside it; a strict one objects to the member as such.
function isInside(issue: PayloadIssue, names: readonly string[]): boolean {
  return names.includes(String(issue.path[0])) && issue.path.length > 1;
}

function withMembers(value: unknown, members: Record<string, unknown>): unknown {
  if (!isJsonObject(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An instance that a transform made is the handler's own affair; it has `context.rollout`.
  if (prototype !== Object.prototype && prototype !== null) return value;
  const dropped = Object.entries(members).filter(([name]) => !(name in value));
  return dropped.length === 0 ? value : { ...value, ...Object.fromEntries(dropped) };
}
