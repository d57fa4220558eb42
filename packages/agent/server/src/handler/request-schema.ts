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
