import { inspect } from 'node:util';
import {
  completeResultDocument,
  type ErrorDocument,
  errorDocument,
  formatResultDocument,
  infrastructureStop,
  unreachableField,
} from '@art/protocol';
import { describeThrown, type JsonCopy, type JsonTextMap } from '@art/ground';
import type { ResultLocation } from '@art/store';
import type { RolloutEnding, RolloutFailure } from './rollout-ending.ts';
import { deliveredResult, nonFiniteProblem, rolloutOutput } from './rollout-result.ts';

/** The members of a rollout's document that do not come from the handler, and how its text is made. */
export interface DocumentForm {
  at: ResultLocation;
  /** As it came in `_rollout`, so an integer id stays one. */
  inputId: unknown;
  /** The payload that was sent, without its secrets. */
  payload: JsonCopy;
  /** Takes the secrets of the rollout out of the text. */
  mapText?: JsonTextMap | undefined;
}

/** A document as text, ready to be stored; `error` is what it reports where it is an error document. */
export interface RolloutDocument {
  text: string;
  error: unknown;
  /** Problems that would make trainers reject the handler's result. */
  problems: readonly string[];
}

/**
 * The document of a rollout: what the handler returned, or an error document when it did not come that far, returned
 * something that is no object, or an object that JSON cannot hold. Nothing that the handler returned is changed.
 */
export function rolloutDocument(ending: RolloutEnding, form: DocumentForm): RolloutDocument {
  if (ending.kind !== 'returned') return failureDocument(ending, form);
  try {
    const output = rolloutOutput(ending.value);
    const { result, problems } = output;
    const text = documentText(deliveredResult(output, 'rewards', ending.prompts), ending, form, {
      copyOf: result,
      onNonFinite: (value, path) => problems.push(nonFiniteProblem(value, path)),
    });
    return { text, error: undefined, problems };
  } catch (error) {
    return failureDocument({ kind: 'threw', error }, form);
  }
}

/** Status and reason where it was not the handler that failed. */
export const failureStops: Partial<
  Record<RolloutEnding['kind'], Pick<ErrorDocument, 'status_code' | 'stop_reason'>>
> = {
  infrastructure: infrastructureStop,
  timed_out: { status_code: 504, stop_reason: 'timeout' },
  terminated: { status_code: 503, stop_reason: 'terminated' },
};

/** The document of a rollout that failed. */
export function failureDocument(ending: RolloutFailure, form: DocumentForm): RolloutDocument {
  const { kind, error } = ending;
  const document: ErrorDocument = { ...describeError(error), ...failureStops[kind] };
  if (kind === 'infrastructure') {
    const { message, endpoint } = ending.failure;
    Object.assign(document, { message }, endpoint === undefined ? {} : { endpoint });
  }
  return { text: documentText(document, ending, form), error, problems: [] };
}

/** The reason why a model endpoint could not be reached, for a document and for a RIP record. */
export function unreachableIn(ending: RolloutEnding): string | undefined {
  if (ending.kind === 'returned') return ending.unreachable;
  return ending.kind === 'infrastructure' ? ending.failure.unreachable : undefined;
}

function documentText(
  result: Record<string, unknown>,
  ending: RolloutEnding,
  { at, inputId, payload, mapText }: DocumentForm,
  options: Parameters<typeof formatResultDocument>[1] = {},
): string {
  const context = { inputId, s3Bucket: at.bucket, resultKey: at.key, payload };
  const document = completeResultDocument(result, context);
  const unreachable = unreachableIn(ending);
  if (unreachable !== undefined) document[unreachableField] = unreachable;
  return formatResultDocument(document, { ...options, mapText });
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
