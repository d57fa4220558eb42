import { inspect } from 'node:util';
import {
  type ArtError,
  completeResultDocument,
  describeThrown,
  type ErrorDocument,
  errorDocument,
  formatResultDocument,
  infrastructureStop,
  type JsonCopy,
  type JsonTextMap,
  type ResultDocumentContext,
} from '@art/protocol';
import type { RolloutEnding } from './rollout-ending.ts';
import { rolloutOutput, withRewards } from './rollout-result.ts';

/** What a rollout's document says besides the handler's own words, and how its text is made. */
export interface DocumentForm {
  context: ResultDocumentContext & { payload: JsonCopy };
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
        const output = rolloutOutput(ending.value);
        return { text: documentText(withRewards(output), form, output.result), error: undefined };
      } catch (error) {
        return failureDocument(error, form);
      }
    case 'threw':
    case 'crashed':
      return failureDocument(ending.error, form);
    case 'infrastructure':
      return infrastructureDocument(ending, form);
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

function infrastructureDocument(
  { error, failure }: Extract<RolloutEnding, { kind: 'infrastructure' }>,
  form: DocumentForm,
): RolloutDocument {
  const { message, endpoint } = failure;
  const document: ErrorDocument = {
    ...describeError(error),
    ...infrastructureStop,
    message,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
  return { text: documentText(document, form), error };
}

function cutShort(
  reason: ArtError,
  { statusCode, stopReason }: { statusCode: number; stopReason: string },
  form: DocumentForm,
): RolloutDocument {
  const document: ErrorDocument = { ...errorDocument(reason, statusCode), stop_reason: stopReason };
  return { text: documentText(document, form), error: reason };
}

/** @param copyOf what the handler returned, where `result` is not that itself */
function documentText(
  result: Record<string, unknown>,
  { context, mapText }: DocumentForm,
  copyOf = result,
): string {
  return formatResultDocument(completeResultDocument(result, context), { mapText, copyOf });
}

// Thrown objects that are no errors would read "[object Object]".
export function describeError(error: unknown): ErrorDocument {
  if (describeThrown(error).name !== 'object') return errorDocument(error);
  try {
    return errorDocument(inspect(error));
  } catch {
    return errorDocument(error);
  }
}
