import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isJsonObject } from '@art/ground';
import { RequestRefusal } from '../request/request-refusal.ts';
import { isStandardSchema, type RequestSchema } from './request-schema.ts';

/**
 * Validates a payload with members that the agent's schema usually does not know: those by which a trainer configures it.
 * The whole payload is tried first, for schemas that declare them; when that fails, the payload without them, so that strict
 * schemas work. Either way the handler finds them where they were: they are put back where the schema dropped them. The payload
 * itself is not changed.
 * @param carried names of these members
 * @returns the schema's output: transformed, with its defaults
 * @throws RequestRefusal 400 that says where the payload does not fit
 */
export async function validatePayload(
  schema: RequestSchema,
  payload: unknown,
  carried: readonly string[] = ['_rollout'],
): Promise<unknown> {
  const whole = await judge(schema, payload);
  if (!isJsonObject(payload)) return valueOf(whole);
  const entries = Object.entries(payload);
  const members = Object.fromEntries(entries.filter(([name]) => carried.includes(name)));
  const names = Object.keys(members);
  if (
    whole.issues === undefined ||
    names.length === 0 ||
    whole.issues.some((issue) => isInside(issue, names))
  )
    return withMembers(valueOf(whole), members);
  const rest = Object.fromEntries(entries.filter(([name]) => !carried.includes(name)));
  return withMembers(valueOf(await judge(schema, rest)), members);
}

async function judge(schema: RequestSchema, payload: unknown): Promise<StandardSchemaV1.Result<unknown>> {
  if (isStandardSchema(schema)) return schema['~standard'].validate(payload);
  // Only an agent with a TypeBox schema pays for loading the validator; a process starts for every session.
  const { validateTypeBox } = await import('./validate-typebox.ts');
  return validateTypeBox(schema, payload);
}

function valueOf(result: StandardSchemaV1.Result<unknown>): unknown {
  if (result.issues === undefined) return result.value;
  throw new RequestRefusal(400, 'ART_INVALID_PAYLOAD', 'Invalid request body format', {
    details: result.issues.map((issue) => ({ message: issue.message, path: pathOf(issue) })),
  });
}

/** Where in the payload, `["turns", 0, "text"]`. */
function pathOf({ path = [] }: StandardSchemaV1.Issue): (string | number)[] {
  return path.map((segment) => {
    const key = typeof segment === 'object' ? segment.key : segment;
    return typeof key === 'number' ? key : String(key);
  });
}

// A schema that declares `_rollout` objects to something inside it; a strict one objects to the member as such.
function isInside(issue: StandardSchemaV1.Issue, names: readonly string[]): boolean {
  const [name, ...deeper] = pathOf(issue);
  return names.includes(String(name)) && deeper.length > 0;
}

function withMembers(value: unknown, members: Record<string, unknown>): unknown {
  if (!isJsonObject(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An instance that a transform made is the handler's own affair; it has `context.rollout`.
  if (prototype !== Object.prototype && prototype !== null) return value;
  const dropped = Object.entries(members).filter(([name]) => !(name in value));
  return dropped.length === 0 ? value : { ...value, ...Object.fromEntries(dropped) };
}
