import { ArtError } from './art-error.ts';
import { describeValue } from './describe-value.ts';
import type { InvocationReply } from './invocation-reply.ts';
import { isJsonObject } from './json-value.ts';
import { parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';

/**
 * What an agent process can say of an attempt:
 * - `running`: the handler works on it.
 * - `saving`: the handler is done, its document is being stored.
 * - `stored`: a document is in the store.
 * - `unsaved`: nothing could be stored so far; the agent's log has the document, and the agent goes on trying for a while.
 * - `unknown`: this process never took the attempt on, so whatever process did has died.
 */
export const sessionStates = ['running', 'saving', 'stored', 'unsaved', 'unknown'] as const;

export type SessionStateName = (typeof sessionStates)[number];

/** An agent's answer to the state question. */
export interface SessionState {
  state: SessionStateName;
  /** The attempt that was asked for. */
  attemptId: string;
}

/** Which attempt is asked for. */
export interface SessionStateQuestion {
  bucket: string;
  resultKey: string;
  attemptId: string;
}

/** The only member of a payload that is a state question. */
export const sessionStateField = '_rollout_state';

/** What a reply carries when its agent understands the state question. */
export const sessionStateAdvertisement = { state_query: 'v1' } as const;

/**
 * The body of a state question: `POST` it to `/invocations` in the session of the attempt. Ask only agents whose
 * reply {@link advertisesSessionState}; any other would take the question for a job.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function sessionStateQuestion(question: SessionStateQuestion): string {
  for (const name of ['bucket', 'resultKey', 'attemptId'] as const) {
    const value: unknown = question[name];
    if (typeof value === 'string' && value !== '') continue;
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected ${name} of a state question to be a non-empty string, got ${describeValue(value)}.`,
    });
  }
  const { bucket, resultKey, attemptId } = question;
  return stringifyJson({
    [sessionStateField]: { s3_bucket: bucket, result_key: resultKey, attempt_id: attemptId },
  });
}

/**
 * Reads a payload as a state question. Undefined for every other payload: one with a further member is a job.
 * @throws ArtError `ART_INVALID_PAYLOAD` for a question that does not say what it asks for
 */
export function parseSessionStateQuestion(payload: unknown): SessionStateQuestion | undefined {
  if (!isJsonObject(payload) || !Object.hasOwn(payload, sessionStateField)) return undefined;
  if (Object.keys(payload).length > 1) return undefined;
  const asked = payload[sessionStateField];
  const text = (field: string): string => {
    const value = isJsonObject(asked) && Object.hasOwn(asked, field) ? asked[field] : undefined;
    if (typeof value === 'string' && value !== '') return value;
    throw new ArtError({
      code: 'ART_INVALID_PAYLOAD',
      message: `Expected ${sessionStateField} to be an object with the non-empty strings s3_bucket, result_key and attempt_id, got ${isJsonObject(asked) ? `${describeValue(value)} as ${field}` : describeValue(asked)}.`,
    });
  };
  return { bucket: text('s3_bucket'), resultKey: text('result_key'), attemptId: text('attempt_id') };
}

/** The answer to a state question, as it goes over the wire. */
export function formatSessionState({ state, attemptId }: SessionState): string {
  return stringifyJson({ status: 'state', state, attempt_id: attemptId });
}

/**
 * Reads an agent's answer to a state question. Further members are ignored.
 * @throws ArtError `ART_INVALID_REPLY`
 */
export function parseSessionState(body: string): SessionState {
  let answer: unknown;
  try {
    answer = parseJson(body);
  } catch (cause) {
    throw invalidAnswer(body, cause);
  }
  if (!isJsonObject(answer) || answer['status'] !== 'state') throw invalidAnswer(body);
  const { attempt_id: attemptId } = answer;
  const state = sessionStates.find((name) => name === answer['state']);
  if (state === undefined || typeof attemptId !== 'string') throw invalidAnswer(body);
  return { state, attemptId };
}

/** Whether the agent that gave this reply answers state questions about the attempt. */
export function advertisesSessionState(reply: InvocationReply): boolean {
  return reply['state_query'] === sessionStateAdvertisement.state_query;
}

function invalidAnswer(body: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_INVALID_REPLY',
    message: `Expected the agent to answer {"status":"state","state":${sessionStates.map((name) => `"${name}"`).join('|')},"attempt_id":...}, got ${describeValue(body)}. Ask only agents whose reply has "state_query":"v1".`,
    cause,
  });
}
