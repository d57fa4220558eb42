import {
  ArtError,
  describeValue,
  infrastructureStop,
  type InvocationFailure,
  type JsonTextMap,
} from '@art/protocol';
import { describeError } from '../document/rollout-document.ts';
import type { RolloutEnding } from '../document/rollout-ending.ts';
import { isOpaque, requireMetrics, rolloutOutput, withReward } from '../document/rollout-result.ts';

/** How the record of an invocation's end is made. */
export interface InvocationEndForm {
  /** Writes RIP's state, with whatever belongs to this invocation. */
  stateText: (
    state: { result: unknown } | { error: string; failure?: InvocationFailure | undefined },
    mapText?: JsonTextMap,
  ) => string;
  /** Whether a trainer asked for it. */
  isRollout: boolean;
  /** Whether there is a document for the trainer to read instead. */
  hasDocument: boolean;
  /** Takes secrets out of a text. */
  scrubText: ((text: string) => string) | undefined;
}

/** The record of an end, and what was wrong where it reports an error. */
export interface InvocationEnd {
  record: string;
  error: unknown;
}

/**
 * The record of what an invocation came to. Undefined where it was cut short by the end of its process: that is no word of
 * the agent's, and RIP has a state for it, `interrupted`, which needs no record.
 */
export function invocationEnd(ending: RolloutEnding, form: InvocationEndForm): InvocationEnd | undefined {
  if (ending.kind !== 'returned') {
    const error = 'error' in ending ? ending.error : ending.reason;
    if (isTermination(error)) return undefined;
    // Its words name the endpoint; the error of a model client is often no more than "Connection error.".
    const told = ending.kind === 'infrastructure' ? new Error(ending.failure.message) : error;
    return errorEnd(told, form, failureOf(ending.kind));
  }
  try {
    const result = form.isRollout ? rolloutResult(ending.value, form) : plainResult(ending.value);
    return { record: form.stateText({ result }, scrubbing(form)), error: undefined };
  } catch (error) {
    return errorEnd(error, form);
  }
}

function errorEnd(
  error: unknown,
  { stateText, scrubText }: InvocationEndForm,
  failure?: InvocationFailure,
): InvocationEnd {
  const { stop_reason: reason } = describeError(error);
  return {
    record: stateText({ error: scrubText === undefined ? reason : scrubText(reason), failure }),
    error,
  };
}

function failureOf(kind: RolloutEnding['kind']): InvocationFailure | undefined {
  if (kind === 'infrastructure')
    return { statusCode: infrastructureStop.status_code, stopReason: infrastructureStop.stop_reason };
  return kind === 'timed_out' ? { statusCode: 504, stopReason: 'timeout' } : undefined;
}

function isTermination(error: unknown): boolean {
  return ArtError.isInstance(error) && error.code === 'ART_SESSION_TERMINATED';
}

function rolloutResult(value: unknown, { hasDocument }: InvocationEndForm): unknown {
  const output = rolloutOutput(value);
  if (!hasDocument) requireMetrics(output);
  return withReward(output);
}

// As a plain request is answered: `null` where a function returns nothing.
function plainResult(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? null;
  const isWritable = !isOpaque(value) || typeof (value as { toJSON?: unknown }).toJSON === 'function';
  if (isWritable) return value;
  throw new ArtError({
    code: 'ART_INVALID_RESULT',
    message: `Expected the handler of an invocation to return a JSON value, got ${describeValue(value)}${isStream(value) ? ', a stream: it can only be read on the connection of a plain request' : ''}.`,
  });
}

function isStream(value: object): boolean {
  return Symbol.asyncIterator in value || typeof (value as { next?: unknown }).next === 'function';
}

// What readers look for keeps its name, whatever the secrets are.
const readNames = new Set<unknown>(['reward', 'rewards', 'metrics']);

function scrubbing({ scrubText }: InvocationEndForm): JsonTextMap | undefined {
  if (scrubText === undefined) return undefined;
  return (text, { kind, path }) => {
    const isOurs = path[0] !== 'result' || (kind === 'name' && path.length === 1);
    const isRead = kind === 'name' && path.length === 2 && readNames.has(path[1]);
    return isOurs || isRead ? text : scrubText(text);
  };
}
