import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { TSchema } from 'typebox';
import { Check, DecodeUnsafe, Default, Errors } from 'typebox/value';

/**
 * Checks a payload against a TypeBox schema (or plain JSON Schema): defaults are filled in, codecs decode. Nothing is
 * coerced and no unknown member is removed: whether one is allowed is for the schema to say (`additionalProperties`).
 */
export function validateTypeBox(schema: TSchema, payload: unknown): StandardSchemaV1.Result<unknown> {
  // TypeBox's own Clone drops members called `constructor`, `prototype` and `__proto__`, which are data here.
  const value = Default(schema, structuredClone(payload));
  if (Check(schema, value)) return { value: DecodeUnsafe({}, schema, value) };
  return {
    issues: Errors(schema, value).map((error) => ({
      message: error.message,
      path: error.instancePath.split('/').slice(1).map(unescapePointer),
    })),
  };
}

// JSON Pointer (RFC 6901): "~1" is a slash, "~0" a tilde.
function unescapePointer(segment: string): string | number {
  return /^(0|[1-9]\d*)$/.test(segment)
    ? Number(segment)
    : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
