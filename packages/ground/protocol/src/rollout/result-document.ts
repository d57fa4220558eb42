import type { Static } from 'typebox';
import {
  ArtError,
  describeThrown,
  describeValue,
  type JsonCopy,
  isJsonObject,
  parseJson,
  stringifyJson,
  type StringifyJsonOptions,
} from '@art/ground';
import type { ResultDocumentSchema, ErrorDocumentSchema } from '../schemas.ts';

export type ResultDocument = Static<typeof ResultDocumentSchema> & Record<string, unknown>;

export type ErrorDocument = Static<typeof ErrorDocumentSchema> & Record<string, unknown>;

/** Fields that the server sets; what a handler returns under the last four is overwritten. */
export const reservedResultFields = [
  'status_code',
  'stop_reason',
  'input_id',
  's3_bucket',
  'result_key',
  'payload',
] as const;

/** Members that the server adds to every document. */
export interface ResultDocumentContext {
  /** As it came in `_rollout`, so an integer id stays one. */
  inputId: unknown;
  s3Bucket: string;
  resultKey: string;
  /** The whole request payload, `_rollout` included. */
  payload: Record<string, unknown> | JsonCopy;
}

/** Adds the reserved fields to what a handler returned. Neither argument is changed. */
export function completeResultDocument(
  result: Record<string, unknown>,
  context: ResultDocumentContext,
): ResultDocument {
  const document: Record<string, unknown> = { ...result };
  // Same order as the Python app: defaults behind the handler's own fields, then the reserved ones.
  if (!('status_code' in document)) document['status_code'] = 200;
  if (!('stop_reason' in document)) document['stop_reason'] = 'end_turn';
  document['input_id'] = context.inputId;
  document['s3_bucket'] = context.s3Bucket;
  document['result_key'] = context.resultKey;
  document['payload'] = context.payload;
  return document;
}

/** `status_code` and `stop_reason` of a document by which an agent says that its infrastructure failed, and not itself. */
export const infrastructureStop = { status_code: 503, stop_reason: 'infrastructure_error' } as const;

/**
 * Member of a document, and of a completed state of RIP, that says in words why the agent's machine cannot reach the rollout's model endpoint. Beside
 * a result it is no verdict: a program that the agent started may have reached it, which anyone who captures its calls knows.
 */
export const unreachableField = 'unreachable_endpoint';

/** The document that stands for a failed rollout. Takes anything that can be thrown. */
export function errorDocument(error: unknown, statusCode = 500): ErrorDocument {
  const { message, stack = message } = describeThrown(error);
  return { status_code: statusCode, stop_reason: message, traceback: stack };
}

/**
 * The text of a document as it is stored, in the layout of Python's `json.dumps(document, indent=2)`.
 * @param options `mapText`: replaces texts on their way out, for one by `secretScrubber(secrets).mapDocumentText`;
 *   `copyOf`: what the handler returned, so that an error about a cycle names it by its right place;
 *   `onNonFinite`: called with `NaN` and infinities, which are then written as null
 * @throws ArtError `ART_JSON_WRITE`
 */
export function formatResultDocument(
  document: ResultDocument,
  options: Pick<StringifyJsonOptions, 'mapText' | 'copyOf' | 'onNonFinite'> = {},
): string {
  return stringifyJson(document, { ...options, indent: 2, asciiOnly: true });
}

/**
 * Reads a stored document.
 * @throws ArtError `ART_INVALID_DOCUMENT`
 */
export function parseResultDocument(text: string): ResultDocument {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new ArtError({
      code: 'ART_INVALID_DOCUMENT',
      message: `The stored result is not JSON: ${(cause as Error).message}`,
      cause,
    });
  }
  if (!isJsonObject(value))
    refuse(`Expected the stored result to be a JSON object, got ${describeValue(value)}.`);
  const status = value['status_code'];
  if (status !== undefined && status !== null && typeof status !== 'number') {
    refuse(`Expected status_code of the stored result to be a number, got ${describeValue(status)}.`);
  }
  return value;
}

/** True if a document stands for success. Trainers take an absent status for success, and so do we. */
export function isSuccessDocument(document: ResultDocument): boolean {
  return (document.status_code ?? 200) === 200;
}

function refuse(message: string): never {
  throw new ArtError({ code: 'ART_INVALID_DOCUMENT', message });
}
