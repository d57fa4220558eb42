import { isJsonObject, parseJson } from '@art/protocol';
import type { FastifyRequest } from 'fastify';

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
