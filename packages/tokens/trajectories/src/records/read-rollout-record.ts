import { ArtError, isJsonObject, type JsonObject, type LinePlace } from '@art/ground';
import type { Conversation } from '../conversation/conversation.ts';
import type { TrainingRow } from '../rows/training-row.ts';
import {
  type AttemptRecord,
  type ErrorRecord,
  type OutcomeRecord,
  type RolloutRecord,
  rolloutSchema,
} from './rollout-record.ts';
import type { SampleRecord } from './sample-record.ts';

// Records come from other versions, other machines and other people: what is missing or of another type is taken for unknown, so that one line
// cannot keep the rest from being seen.

/** More than any run writes. */
const mostTaskText = 1_000;
const mostMetrics = 100;

/**
 * Reads a line of a file of rollouts.
 * @param names where the file may have several runs
 * @returns undefined for a line that is of something else
 * @throws ArtError `ART_RECORD_TOO_NEW`
 */
export function readRolloutRecord(value: unknown, names?: RolloutNames): RolloutRecord | undefined {
  if (!hasSchema(value, rolloutSchema)) return undefined;
  const given = readText(value['id']) ?? readText(value['sessionId']) ?? '';
  const runId = readText(value['runId']);
  const id = names?.nameOf(runId, given) ?? given;
  return {
    schema: rolloutSchema,
    id,
    inputId: readText(value['inputId']) ?? id,
    runId,
    ...readCaptured(value),
  };
}

/**
 * Reads a line of the samples of an evaluation. Reads another rollout as the only sample of a task.
 * @returns undefined for a line that is of something else
 * @throws ArtError `ART_RECORD_TOO_NEW`
 */
export function readSampleRecord(value: unknown, names?: RolloutNames): SampleRecord | undefined {
  const record = readRolloutRecord(value, names);
  if (record === undefined || !isJsonObject(value)) return undefined;
  const tokens = objectOf(value['tokens']);
  const [prompt, completion] = [finiteOf(tokens['prompt']), finiteOf(tokens['completion'])];
  const { reward, rewardProblem: problem } = record;
  const problemOfAgent = problem && { code: `reward_${problem.kind}`, message: problem.message, stack: null };
  return {
    ...record,
    taskId: readText(value['taskId']) ?? record.id,
    sample: countOf(value['sample']) ?? 0,
    tags: textsOf(value['tags']),
    taskText: readText(value['taskText'])?.slice(0, mostTaskText) ?? null,
    rewards: Array.isArray(value['rewards']) && value['rewards'].every(isNumber) ? value['rewards'] : null,
    rewardedBy: rewardedBy(value, reward),
    judge: readText(value['judge']),
    ...(value['keptJudgement'] === true && { keptJudgement: true }),
    ...((countOf(value['keptAnswers']) ?? 0) > 0 && { keptAnswers: countOf(value['keptAnswers'])! }),
    metrics: metricsOf(value['metrics']),
    score: 'score' in value ? finiteOf(value['score']) : reward,
    remarks: textsOf(value['remarks']),
    judgeError: 'judgeError' in value ? errorOf(value['judgeError']) : problemOfAgent,
    timings: { ...record.timings, storedMs: record.timings.storedMs ?? null },
    latencyMs: finiteOf(value['latencyMs']) ?? record.timings.settledMs,
    modelCalls: record.modelCalls ?? null,
    failedCalls: record.failedCalls ?? null,
    tokens: prompt === null || completion === null ? null : { prompt, completion },
    cost: finiteOf(value['cost']),
    transcript: placeOf(value['transcript']),
    recordedAtMs: finiteOf(value['recordedAtMs']) ?? 0,
  };
}

/** Ids are unique within a run; a file can have several runs. */
export class RolloutNames {
  #first: string | null | undefined;

  nameOf(runId: string | null, id: string): string {
    this.#first ??= runId;
    return runId === this.#first || runId === null ? id : `${runId}/${id}`;
  }
}

/** True if a value is a record of a schema. @throws ArtError `ART_RECORD_TOO_NEW` for a later version of it */
export function hasSchema(value: unknown, schema: string): value is Record<string, unknown> {
  if (!isJsonObject(value) || typeof value['schema'] !== 'string') return false;
  const written = value['schema'];
  if (written === schema) return true;
  const [, name, version] = /^(.+\.v)(\d+)$/.exec(schema)!;
  const later = written.startsWith(name!) ? Number(written.slice(name!.length)) : 0;
  if (!(later > Number(version))) return false;
  throw new ArtError({
    code: 'ART_RECORD_TOO_NEW',
    message: `Expected records of ${schema}, got ${written}: a newer version wrote them. Update this program.`,
  });
}

/** The outcome, and what was captured, of a rollout or of a member of a group. */
export function readCaptured(
  value: Record<string, unknown>,
): OutcomeRecord &
  Pick<RolloutRecord, 'modelCalls' | 'failedCalls' | 'trainedTokens' | 'conversation' | 'document'> {
  const timings = objectOf(value['timings']);
  const problem = value['rewardProblem'];
  const document = value['document'];
  return {
    outcome: outcomeOf(value['outcome']),
    reward: finiteOf(value['reward']),
    rewardProblem: isJsonObject(problem)
      ? { kind: String(problem['kind']) as 'absent', message: readText(problem['message']) ?? '' }
      : null,
    error: errorOf(value['error']),
    sessionId: readText(value['sessionId']),
    invocationId: readText(value['invocationId']),
    resultKey: readText(value['resultKey']),
    submittedAtMs: finiteOf(value['submittedAtMs']),
    timings: {
      acceptedMs: finiteOf(timings['acceptedMs']),
      storedMs: finiteOf(timings['storedMs']),
      noticedMs: finiteOf(timings['noticedMs']),
      settledMs: finiteOf(timings['settledMs']),
      stoppedMs: finiteOf(timings['stoppedMs']),
    },
    attempts: Array.isArray(value['attempts']) ? value['attempts'].map(attemptOf) : [],
    modelCalls: countOf(value['modelCalls']),
    failedCalls: countOf(value['failedCalls']),
    trainedTokens: countOf(value['trainedTokens']),
    conversation: conversationOf(value['conversation']),
    document: isJsonObject(document) ? (document as JsonObject) : document === null ? null : undefined,
  };
}

function attemptOf(value: unknown, at: number): AttemptRecord {
  const attempt = objectOf(value);
  return {
    attempt: at,
    outcome: outcomeOf(attempt['outcome']),
    sessionId: readText(attempt['sessionId']),
    resultKey: readText(attempt['resultKey']),
    submittedAtMs: finiteOf(attempt['submittedAtMs']),
    settledMs: finiteOf(attempt['settledMs']),
    throttled: finiteOf(attempt['throttled']) ?? 0,
    resent: finiteOf(attempt['resent']) ?? 0,
    error: errorOf(attempt['error']),
  };
}

/** One of another version is shown as it is named. */
function outcomeOf(value: unknown): OutcomeRecord['outcome'] {
  return (readText(value) ?? 'unknown') as OutcomeRecord['outcome'];
}

function errorOf(value: unknown): ErrorRecord | null {
  if (!isJsonObject(value)) return null;
  return {
    code: readText(value['code']) ?? 'unknown',
    message: readText(value['message']) ?? '',
    stack: readText(value['stack']),
  };
}

function rewardedBy(
  { rewardedBy: by }: Record<string, unknown>,
  reward: number | null,
): SampleRecord['rewardedBy'] {
  if (by === 'agent' || by === 'judge' || by === null) return by;
  return reward === null ? null : 'agent';
}

function metricsOf(value: unknown): Record<string, number> {
  const known = Object.entries(objectOf(value)).filter((entry): entry is [string, number] =>
    isNumber(entry[1]),
  );
  return Object.fromEntries(known.slice(0, mostMetrics));
}

function placeOf(value: unknown): LinePlace | null {
  const { atByte, bytes } = objectOf(value);
  return typeof atByte === 'number' && typeof bytes === 'number' ? { atByte, bytes } : null;
}

function conversationOf(value: unknown): Conversation | undefined {
  const { messages, calls } = objectOf(value);
  return Array.isArray(messages) && Array.isArray(calls) ? { messages, calls } : undefined;
}

export function rowsOf(value: unknown): TrainingRow[] | undefined {
  return Array.isArray(value)
    ? value.filter(
        (row): row is TrainingRow =>
          isJsonObject(row) && Array.isArray(row['loss_mask']) && Array.isArray(row['turn_spans']),
      )
    : undefined;
}

function objectOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function finiteOf(value: unknown): number | null {
  return isNumber(value) ? value : null;
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
