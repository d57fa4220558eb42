import { ArtError, describeValue, isJsonObject, readMember } from '@art/ground';
import { ofScenario } from './scenario.ts';

/** One thing that an agent is asked to do. */
export interface Task {
  /** Tells it from every other task of the run; tasks are compared between runs by it. */
  id: string;
  /** Payload that the agent is sent: a JSON object. */
  payload: Record<string, unknown>;
  tags: readonly string[];
  /** Knowledge of the right answer that a judge needs. Never sent, unless it is in the payload too. */
  expected: unknown;
}

/** A task as it is written down: `{ payload, id?, tags?, expected? }`, or the payload alone. */
export type TaskInput = object;

/**
 * A value as a task. An object with a `payload` is a task; any other object is a payload, whose `id`, `tags` and `expected` count
 * as the task's too. A line of GSM8K in its original form, `{ question, answer }`, is sent with the question also as `prompt`. A
 * scenario of AgentCore Evaluations is a task of one turn.
 * @param fallbackId of a task that has none
 * @param place for messages: `tasks.jsonl, line 3`
 * @throws ArtError `ART_INVALID_PAYLOAD`
 */
export function readTask(input: unknown, fallbackId: string, place: string): Task {
  const value = ofScenario(input, place);
  if (!isJsonObject(value)) refuse(`a JSON object`, describeValue(value), place);
  const hasPayload = Object.hasOwn(value, 'payload');
  const payload = hasPayload ? value['payload'] : value;
  if (!isJsonObject(payload)) refuse('`payload` to be a JSON object', describeValue(payload), place);
  if (Object.hasOwn(payload, '_rollout')) refuse('no field _rollout, which is added to each', 'one', place);
  const id = readId(value['id'], hasPayload) ?? fallbackId;
  return {
    id,
    payload: ofGsm8k(payload),
    tags: readTags(value['tags'], hasPayload, place),
    expected: value['expected'] ?? gsm8kNumber(payload),
  };
}

function readId(value: unknown, isStrict: boolean): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value);
  if (isStrict && value !== undefined && value !== null) {
    throw new ArtError({
      code: 'ART_INVALID_PAYLOAD',
      message: `Expected the \`id\` of a task to be a text or a number, got ${describeValue(value)}.`,
    });
  }
  return undefined;
}

function readTags(value: unknown, isStrict: boolean, place: string): readonly string[] {
  if (Array.isArray(value) && value.every((tag) => typeof tag === 'string')) return [...new Set(value)];
  // In a payload of other makings, `tags` may be anything.
  if (value === undefined || value === null || !isStrict) return [];
  return refuse('`tags` to be a list of texts', describeValue(value), place);
}

const gsm8kAnswer = /####\s*(\S[^\n]*?)\s*$/;

function ofGsm8k(value: Record<string, unknown>): Record<string, unknown> {
  return isGsm8k(value) && !Object.hasOwn(value, 'prompt') ? { prompt: value['question'], ...value } : value;
}

function isGsm8k(value: object): boolean {
  const answer = readMember(value, 'answer');
  return (
    typeof readMember(value, 'question') === 'string' &&
    typeof answer === 'string' &&
    gsm8kAnswer.test(answer)
  );
}

function gsm8kNumber(payload: Record<string, unknown>): string | null {
  return isGsm8k(payload) ? gsm8kAnswer.exec(payload['answer'] as string)![1]!.replaceAll(',', '') : null;
}

function refuse(expected: string, got: string, place: string): never {
  throw new ArtError({
    code: 'ART_INVALID_PAYLOAD',
    message: `Expected ${expected}, got ${got} (${place}). A task is {"id": ..., "payload": {...}, "tags": [...], "expected": ...}, or its payload alone.`,
  });
}
