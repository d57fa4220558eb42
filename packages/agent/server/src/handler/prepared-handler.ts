import { describeValue, isJsonObject, refuseOption } from '@art/ground';
import type { RequestContext } from '../request/request-context.ts';
import { RequestRefusal } from '../request/request-refusal.ts';
import { isStandardSchema, type RequestSchema } from './request-schema.ts';
import { validatePayload } from './validate-payload.ts';

/** A handler without its types: the payload is unknown until `validate` has seen it. */
export interface PreparedHandler {
  name: string;
  /**
   * The handler's input for a payload.
   * @param carried members that a schema need not know. @default ['_rollout']
   * @throws RequestRefusal 400
   */
  validate: (payload: unknown, carried?: readonly string[]) => Promise<unknown>;
  process: (request: unknown, context: RequestContext) => unknown;
}

/** A handler as users give it; `process` is a method, so that handlers of any request type fit. */
export interface UntypedHandler {
  requestSchema?: RequestSchema | undefined;
  // oxlint-disable-next-line typescript/method-signature-style -- only a method's parameters are compared both ways
  process(request: unknown, context: RequestContext): unknown;
}

/**
 * Checks a handler once and makes it ready to be called.
 * @param option where it was given, for the message
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function prepareHandler(option: string, handler: UntypedHandler): PreparedHandler {
  const { process: given } = (handler ?? {}) as { process?: unknown };
  if (typeof given !== 'function') {
    refuseOption(`${option}.process`, 'a function', given);
  }
  const { requestSchema: schema } = handler;
  if (schema !== undefined) checkSchema(option, schema);
  const { name } = given;
  return {
    // A method of an options object is called "process", which says nothing in a list of tasks.
    name: name === '' || name === 'process' ? option : name,
    process: (request, context) => handler.process(request, context),
    validate: async (payload, carried) =>
      schema === undefined ? payloadObject(payload) : validatePayload(schema, payload, carried),
  };
}

/** @throws RequestRefusal 400 */
export function payloadObject(payload: unknown): Record<string, unknown> {
  if (isJsonObject(payload)) return payload;
  const error = `Expected the payload to be a JSON object, got ${describeValue(payload)}.`;
  throw new RequestRefusal(400, 'ART_INVALID_PAYLOAD', error);
}

function checkSchema(option: string, schema: unknown): void {
  const isObject = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  const usable =
    isObject &&
    (isStandardSchema(schema) ||
      '~kind' in schema ||
      'type' in schema ||
      'anyOf' in schema ||
      '$ref' in schema);
  if (usable) return;
  refuseOption(
    `${option}.requestSchema`,
    'a TypeBox schema or a Standard Schema (zod 3.24 or later, valibot 1, arktype 2 ...)',
    schema,
  );
}
