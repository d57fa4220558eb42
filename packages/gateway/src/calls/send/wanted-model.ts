import { findString, JsonSyntaxError } from '@art/json-bytes';
import type { SendingServices } from '../call/gateway-services.ts';

/** The model that an agent wants, where that decides about the worker. */
export function wantedModel({ options, pool }: SendingServices, body: Uint8Array): string | undefined {
  return pool.namesModels ? (options.model ?? namedModel(body)) : undefined;
}

/** The model that a body names; undefined also where it is no JSON. */
export function namedModel(body: Uint8Array): string | undefined {
  try {
    return findString(body, ['model']);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
