import { inspect, types } from 'node:util';
import {
  ArtError,
  completeResultDocument,
  describeValue,
  type ErrorDocument,
  errorDocument,
  formatResultDocument,
  isJsonObject,
  type ResultDocumentContext,
} from '@art/protocol';

/** What became of a handler's call. */
export type HandlerOutcome = { kind: 'returned'; value: unknown } | { kind: 'threw'; error: unknown };

/** A document as text, ready to be stored; `error` is what it reports where it is an error document. */
export interface RolloutDocument {
  text: string;
  error: unknown;
}

/**
 * The document of a rollout: what the handler returned, or an error document when it threw, returned something that is
 * no object, or an object that JSON cannot hold. Nothing that the handler returned is changed.
 */
export function rolloutDocument(outcome: HandlerOutcome, context: ResultDocumentContext): RolloutDocument {
  if (outcome.kind === 'threw') return failureDocument(outcome.error, context);
  try {
    const result = resultObject(outcome.value);
    return { text: formatResultDocument(completeResultDocument(result, context)), error: undefined };
  } catch (error) {
    return failureDocument(error, context);
  }
}

/** The document of a rollout that failed. */
export function failureDocument(error: unknown, context: ResultDocumentContext): RolloutDocument {
  return { text: formatResultDocument(completeResultDocument(describeError(error), context)), error };
}

/** The document of a rollout that the end of its process cut short. */
export function terminatedDocument(reason: ArtError, context: ResultDocumentContext): RolloutDocument {
  const document: ErrorDocument = { ...errorDocument(reason, 503), stop_reason: 'terminated' };
  return { text: formatResultDocument(completeResultDocument(document, context)), error: reason };
}

// A handler may throw anything, and a document about it must be writable all the same.
function describeError(error: unknown): ErrorDocument {
  try {
    // Thrown objects that are no errors would read "[object Object]".
    const shown =
      typeof error === 'object' && error !== null && !(error instanceof Error) ? inspect(error) : error;
    const document = errorDocument(shown);
    // Nothing keeps an Error's own fields from being overwritten by something that is no text.
    const text = (field: string): string => String(document[field]);
    return { ...document, stop_reason: text('stop_reason'), traceback: text('traceback') };
  } catch {
    return errorDocument(new Error('The handler threw something that cannot be read'));
  }
}

function resultObject(value: unknown): Record<string, unknown> {
  const toJson = isJsonObject(value) ? value['toJSON'] : undefined;
  const plain: unknown = typeof toJson === 'function' ? toJson.call(value, '') : value;
  if (isJsonObject(plain) && !isOpaque(plain)) return plain;
  throw new ArtError({
    code: 'ART_INVALID_RESULT',
    message: `Return value must be an object when the result is stored, got ${describeValue(value)}. Return something like { rewards: 1 }.`,
  });
}

// Objects without enumerable members of their own: spread into a document they would silently become nothing.
function isOpaque(value: object): boolean {
  return (
    Symbol.iterator in value ||
    Symbol.asyncIterator in value ||
    value instanceof Error ||
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isPromise(value) ||
    types.isAnyArrayBuffer(value) ||
    types.isArrayBufferView(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value) ||
    types.isBoxedPrimitive(value)
  );
}
