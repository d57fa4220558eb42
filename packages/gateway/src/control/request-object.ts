import { describeValue, isJsonObject, parseJson } from '@art/protocol';
import type { FastifyRequest } from 'fastify';

/** A field of a control request is not what it has to be. Answered with 422, as Python's servers do. */
export class InvalidField extends Error {
  readonly field: string;

  constructor(field: string, expected: string, got: unknown) {
    super(`Expected ${field} to be ${expected}, got ${describeValue(got)}.`);
    this.name = 'InvalidField';
    this.field = field;
  }
}

/** A request's body as a JSON object; anything else counts as an empty one, as trainers' clients are used to. */
export function requestObject(request: FastifyRequest): Record<string, unknown> {
  if (!Buffer.isBuffer(request.body)) return {};
  try {
    const value = parseJson(request.body.toString());
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
