import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { StaticDecode, TSchema } from 'typebox';

/** How a payload is described: a TypeBox schema, or any Standard Schema (zod, valibot, arktype ...). */
export type RequestSchema = StandardSchemaV1 | TSchema;

/**
 * The request of a handler with a schema: the schema's output type, or a record of unknown members without a schema.
 */
export type RequestOf<S extends RequestSchema | undefined> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<S>
  : S extends TSchema
    ? StaticDecode<S>
    : Record<string, unknown>;

/** True if a schema validates by itself under the Standard Schema convention. */
export function isStandardSchema(schema: object): schema is StandardSchemaV1 {
  const standard = (schema as Partial<StandardSchemaV1>)['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}
