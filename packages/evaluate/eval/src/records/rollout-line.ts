import { isJsonObject, type JsonObject } from '@art/ground';
import type { OutcomeRecord } from '@art/rollout';
import type { Conversation } from '@art/trajectories';
import { wellFormedOutcome } from './well-formed-outcome.ts';

/** What a line tells of a rollout and of its calls of the model; undefined is what nobody saw. */
export interface CapturedOutcome extends OutcomeRecord {
  modelCalls: number | undefined;
  failedCalls: number | undefined;
  trainedTokens: number | undefined;
  conversation: Conversation | undefined;
}

/** A line of `art invoke --out`, or of the `rollouts.jsonl` of a training run. */
export interface RolloutLine extends CapturedOutcome {
  /** Null where the file has one run. */
  runId: string | null;
  id: string;
  inputId: string | null;
  document: JsonObject | null;
}

/** Undefined for a line that is of something else. */
export function rolloutLine(value: unknown): RolloutLine | undefined {
  if (!isJsonObject(value) || typeof value['outcome'] !== 'string' || 'members' in value) return undefined;
  return {
    runId: typeof value['runId'] === 'string' ? value['runId'] : null,
    // One rollout that was sent by itself has no other name.
    id: String(value['id'] ?? value['sessionId']),
    inputId: typeof value['inputId'] === 'string' ? value['inputId'] : null,
    document: isJsonObject(value['document']) ? (value['document'] as JsonObject) : null,
    ...capturedOutcome(value),
  };
}

export function capturedOutcome(value: Record<string, unknown>): CapturedOutcome {
  return {
    ...wellFormedOutcome(value),
    modelCalls: countOf(value['modelCalls']),
    failedCalls: countOf(value['failedCalls']),
    trainedTokens: countOf(value['trainedTokens']),
    conversation: conversationOf(value['conversation']),
  };
}

/** Ids are unique within a run; a file can have several runs. */
export class RolloutNames {
  #first: string | null | undefined;

  get firstRun(): string | null {
    return this.#first ?? null;
  }

  nameOf({ runId, id }: Pick<RolloutLine, 'runId' | 'id'>): string {
    this.#first ??= runId;
    return runId === this.#first || runId === null ? id : `${runId}/${id}`;
  }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function conversationOf(value: unknown): Conversation | undefined {
  if (!isJsonObject(value)) return undefined;
  const { messages, calls } = value;
  return Array.isArray(messages) && Array.isArray(calls) ? { messages, calls } : undefined;
}
