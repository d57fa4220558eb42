import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { StaticDecode, TSchema } from 'typebox';

/** How a payload is described: a TypeBox schema, or any Standard Schema (zod, valibot, arktype ...). */
export type RequestSchema = StandardSchemaV1 | TSchema;

/** What a handler gets under a schema: its output type, or a record of unknown members where there is none. */
export type RequestOf<S extends RequestSchema | undefined> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<S>
  : S extends TSchema
    ? StaticDecode<S>
    : Record<string, unknown>;

/** Whether a schema brings its own validation under the Standard Schema convention. */
export function isStandardSchema(schema: object): schema is StandardSchemaV1 {
  const standard = (schema as Partial<StandardSchemaV1>)['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}

/** Says whether a payload fits, in the form of the Standard Schema convention. */
export type PayloadValidator = (payload: unknown) => Promise<StandardSchemaV1.Result<unknown>>;

/** One way to call every kind of schema. Neither the payload nor anything inside it is changed. */
export function payloadValidator(schema: RequestSchema): PayloadValidator {
  if (isStandardSchema(schema)) return async (payload) => schema['~standard'].validate(payload);
  return async (payload) => {
    // Only an agent with a TypeBox schema pays for loading the validator; a process starts for every session.
    const { validateTypeBox } = await import('./validate-typebox.ts');
    return validateTypeBox(schema, payload);
  };
}
