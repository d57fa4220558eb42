import { ArtError, custom, isJsonObject, type OptionRule, jsonObjectIn, type ReadOptions } from '@art/ground';
import type { FastifyRequest } from 'fastify';

/** The body or the query of a control request. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field of a control request is not what it has to be. Answered with 422, as Python's servers do. */
export class InvalidField extends Error {
  readonly field: string;

  constructor(field: string, { message }: Error) {
    super(message);
    this.name = 'InvalidField';
    this.field = field;
  }
}

/** A request's body as a JSON object; anything else counts as an empty one, as trainers' clients are used to. */
export function requestObject(request: FastifyRequest): Fields {
  return (Buffer.isBuffer(request.body) && jsonObjectIn(request.body.toString())) || {};
}

/**
 * Reads the fields of a control request by a rule for each, which has the field's name in camelCase. Null counts as absent; what
 * has no rule is passed over, since clients of other gateways send more.
 * @throws InvalidField
 */
export function readFields<Of extends Readonly<Record<string, OptionRule<unknown>>>>(
  fields: Fields,
  rules: Of,
): ReadOptions<Of> {
  const read = Object.entries(rules).map(([name, rule]) => {
    const field = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    try {
      return [name, rule(fields[field] ?? undefined, field)];
    } catch (error) {
      if (!ArtError.isInstance(error) || error.code !== 'ART_INVALID_OPTION') throw error;
      throw new InvalidField(field, error);
    }
  });
  return Object.fromEntries(read) as ReadOptions<Of>;
}

export const aJsonObject: OptionRule<Record<string, unknown>> = custom('an object', isJsonObject);

export const textList: OptionRule<readonly string[]> = custom(
  'a list of texts',
  (value) => Array.isArray(value) && value.every((text) => typeof text === 'string'),
);
