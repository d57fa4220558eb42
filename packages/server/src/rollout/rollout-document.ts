import { inspect } from 'node:util';
import {
  type ArtError,
  completeResultDocument,
  type ErrorDocument,
  errorDocument,
  formatResultDocument,
  type JsonTextMap,
  type ResultDocumentContext,
} from '@art/protocol';
import type { RolloutEnding } from './rollout-ending.ts';
import { rolloutOutput, withRewards } from './rollout-result.ts';

/** What a rollout's document says besides the handler's own words, and how its text is made. */
export interface DocumentForm {
  context: ResultDocumentContext;
  /** Takes the secrets of the rollout out of the text. */
  mapText?: JsonTextMap | undefined;
}

/** A document as text, ready to be stored; `error` is what it reports where it is an error document. */
export interface RolloutDocument {
  text: string;
  error: unknown;
}

/**
 * The document of a rollout: what the handler returned, or an error document when it did not come that far, returned
 * something that is no object, or an object that JSON cannot hold. Nothing that the handler returned is changed.
 */
export function rolloutDocument(ending: RolloutEnding, form: DocumentForm): RolloutDocument {
  switch (ending.kind) {
    case 'returned':
      try {
        return { text: documentText(withRewards(rolloutOutput(ending.value)), form), error: undefined };
      } catch (error) {
        return failureDocument(error, form);
      }
    case 'threw':
    case 'crashed':
      return failureDocument(ending.error, form);
    case 'timed_out':
      return cutShort(ending.reason, { statusCode: 504, stopReason: 'timeout' }, form);
    case 'terminated':
      return cutShort(ending.reason, { statusCode: 503, stopReason: 'terminated' }, form);
  }
}

/** The document of a rollout that failed. */
export function failureDocument(error: unknown, form: DocumentForm): RolloutDocument {
  return { text: documentText(describeError(error), form), error };
}

function cutShort(
  reason: ArtError,
  { statusCode, stopReason }: { statusCode: number; stopReason: string },
  form: DocumentForm,
): RolloutDocument {
  const document: ErrorDocument = { ...errorDocument(reason, statusCode), stop_reason: stopReason };
  return { text: documentText(document, form), error: reason };
}

function documentText(result: Record<string, unknown>, { context, mapText }: DocumentForm): string {
  return formatResultDocument(completeResultDocument(result, context), { mapText });
}

// A handler may throw anything, and a document about it must be writable all the same.
export function describeError(error: unknown): ErrorDocument {
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
