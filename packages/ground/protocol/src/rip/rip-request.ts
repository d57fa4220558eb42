import { ArtError, describeValue, isJsonObject } from '@art/ground';

/** The member of a payload that makes it a request of the Runtime Invocation Protocol (RIP), version 1. */
export const ripEnvelopeField = '_agentcore_runtime';

export const ripVersion = 1;

/**
 * Content of a RIP request. `start` runs the handler once under this id, on the connection or in the background; `get`
 * asks for the state and never reaches the handler.
 */
export type RipRequest =
  | { operation: 'start'; invocationId: string; background: boolean }
  | { operation: 'get'; invocationId: string };

const knownFields = new Set(['version', 'operation', 'invocation_id', 'background']);
const invocationIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** True if RIP accepts a string as the id of an invocation. */
export function isInvocationId(value: string): boolean {
  return invocationIdPattern.test(value);
}

/**
 * Reads the envelope of a payload. Undefined where there is none: then the request is no RIP request. A payload that is
 * merely null under the name is refused, as the Python toolkit refuses it.
 * @throws ArtError `ART_INVALID_RIP_REQUEST`
 */
export function parseRipRequest(payload: unknown): RipRequest | undefined {
  if (!isJsonObject(payload) || !Object.hasOwn(payload, ripEnvelopeField)) return undefined;
  const envelope = payload[ripEnvelopeField];
  if (!isJsonObject(envelope)) refuse(`an object`, envelope, ripEnvelopeField);
  for (const field of Object.keys(envelope)) {
    if (!knownFields.has(field)) {
      throw invalid(
        `${ripEnvelopeField} has no field ${describeValue(field)}. Its fields are ${[...knownFields].join(', ')}; what the agent is to see stands beside it in the payload.`,
      );
    }
  }
  const { version, operation, invocation_id: invocationId, background } = envelope;
  if (version !== ripVersion) refuse(`${ripVersion}`, version, 'version');
  if (operation !== 'start' && operation !== 'get') refuse('"start" or "get"', operation, 'operation');
  if (typeof invocationId !== 'string' || !isInvocationId(invocationId)) {
    refuse(
      '1 to 128 letters, digits, "_" and "-", starting with a letter or digit',
      invocationId,
      'invocation_id',
    );
  }
  if (operation === 'get') {
    if (background !== undefined) throw invalid(`${ripEnvelopeField}.background is only for "start".`);
    return { operation, invocationId };
  }
  if (background !== undefined && typeof background !== 'boolean')
    refuse('a boolean', background, 'background');
  return { operation, invocationId, background: background ?? false };
}

/** The envelope as it goes over the wire. */
export function formatRipRequest(request: RipRequest): Record<string, unknown> {
  return {
    version: ripVersion,
    operation: request.operation,
    invocation_id: request.invocationId,
    ...(request.operation === 'start' && { background: request.background }),
  };
}

function refuse(expected: string, got: unknown, field: string): never {
  const name = field === ripEnvelopeField ? field : `${ripEnvelopeField}.${field}`;
  throw invalid(`Expected ${name} to be ${expected}, got ${describeValue(got)}.`);
}

function invalid(message: string): ArtError {
  return new ArtError({ code: 'ART_INVALID_RIP_REQUEST', message });
}
