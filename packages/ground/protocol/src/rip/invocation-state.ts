import { ArtError, describeValue, isJsonObject, jsonIn } from '@art/ground';
import { unreachableField } from '../rollout/result-document.ts';
import { ripVersion } from './rip-request.ts';

/**
 * State of an invocation, in the terms of RIP.
 * - `in_progress`: the handler works on it.
 * - `completed`: the handler has returned `result`, any JSON value, or failed with `error`.
 * - `interrupted`: it was started by a process that has died before it ended.
 * - `not_found`: this session knows of no such invocation.
 *
 * A runtime that knows how the process ended, as a local one does, adds a `reason`; the protocol itself has none.
 */
export type InvocationState =
  | ({ status: 'in_progress' } & InvocationNotes)
  | { status: 'interrupted' | 'not_found'; reason?: string | undefined }
  | ({ status: 'completed'; result: unknown; error?: undefined } & InvocationNotes)
  | ({
      status: 'completed';
      error: string;
      failure?: InvocationFailure | undefined;
      result?: undefined;
    } & InvocationNotes);

/** Members beside those of RIP, whose readers pass over them. */
export interface InvocationNotes {
  /** Why the agent's machine cannot reach the model endpoint, see `unreachableField`. */
  unreachable?: string | undefined;
  /** Why the document of the rollout could not be stored: nobody will find it in the store. */
  unsaved?: string | undefined;
}

/**
 * A failure of the infrastructure rather than the handler, in the words of a stored document: 503 and
 * "infrastructure_error", 504 and "timeout". RIP knows the text of an error only; these go beside it as further
 * members, which its readers pass over.
 */
export interface InvocationFailure {
  statusCode: number;
  stopReason: string;
}

const unsavedField = 'unsaved';

/** A state as an object to be written as JSON: RIP's reply, and its record on disk. */
export function invocationStateWire(invocationId: string, state: InvocationState): Record<string, unknown> {
  const wire = { version: ripVersion, invocation_id: invocationId, status: state.status };
  if (state.status !== 'completed' && state.status !== 'in_progress')
    return state.reason === undefined ? wire : { ...wire, reason: state.reason };
  const { unreachable, unsaved } = state;
  const beside = {
    ...(unreachable !== undefined && { [unreachableField]: unreachable }),
    ...(unsaved !== undefined && { [unsavedField]: unsaved }),
  };
  if (state.status === 'in_progress') return { ...wire, ...beside };
  const { error } = state;
  if (error === undefined) return { ...wire, result: state.result, ...beside };
  const { failure } = state;
  return failure === undefined
    ? { ...wire, error, ...beside }
    : { ...wire, error, status_code: failure.statusCode, stop_reason: failure.stopReason, ...beside };
}

/**
 * Reads an answer, parsed or as text, as the state of this invocation. Undefined where it is none: the answer of a server that does
 * not speak RIP. Further members are ignored.
 * @throws ArtError `ART_INVALID_REPLY` where it is one that breaks the protocol
 */
export function parseInvocationState(answer: unknown, invocationId: string): InvocationState | undefined {
  const value = typeof answer === 'string' ? jsonIn(answer) : answer;
  if (!isJsonObject(value) || value['invocation_id'] !== invocationId) return undefined;
  if (!Object.hasOwn(value, 'version') || !Object.hasOwn(value, 'status')) return undefined;
  const { version, status } = value;
  if (version !== ripVersion) throw invalid(invocationId, `version ${describeValue(version)}`);
  const [hasResult, hasError] = [Object.hasOwn(value, 'result'), Object.hasOwn(value, 'error')];
  const { [unreachableField]: unreachable, [unsavedField]: unsaved } = value;
  const beside = {
    ...(typeof unreachable === 'string' && { unreachable }),
    ...(typeof unsaved === 'string' && { unsaved }),
  };
  switch (status) {
    case 'in_progress':
    case 'interrupted':
    case 'not_found':
      if (hasResult || hasError) throw invalid(invocationId, `a result or error with status "${status}"`);
      if (status === 'in_progress') return { status, ...beside };
      return typeof value['reason'] === 'string' ? { status, reason: value['reason'] } : { status };
    case 'completed': {
      if (hasResult === hasError)
        throw invalid(invocationId, `${hasResult ? 'both' : 'neither'} of result and error`);
      if (hasResult) return { status, result: value['result'], ...beside };
      const { error } = value;
      if (typeof error !== 'string') throw invalid(invocationId, `${describeValue(error)} as error`);
      const { status_code: statusCode, stop_reason: stopReason } = value;
      return typeof statusCode === 'number' && typeof stopReason === 'string'
        ? { status, error, failure: { statusCode, stopReason }, ...beside }
        : { status, error, ...beside };
    }
    default:
      throw invalid(invocationId, `status ${describeValue(status)}`);
  }
}

function invalid(invocationId: string, got: string): ArtError {
  return new ArtError({
    code: 'ART_INVALID_REPLY',
    message: `Expected the state of invocation ${invocationId} as version ${ripVersion} of the Runtime Invocation Protocol has it, got ${got}.`,
  });
}
