import type { TranscriptRecord } from '@art/eval/records';
import { isJsonObject } from '@art/ground';
import type { CompletionTokens, ModelCallRecord } from '@art/trajectories';

/**
 * Runs come from other versions, other machines and other people. What is missing or of another type is taken for unknown; messages are
 * read by the page, which takes any.
 */
export function wellFormedTranscript(transcript: TranscriptRecord): TranscriptRecord {
  return {
    ...transcript,
    messages: Array.isArray(transcript.messages) ? transcript.messages : [],
    calls: objectsOf(transcript.calls).map(callOf),
    rows: objectsOf(transcript.rows).flatMap((row) => rowOf(row as Partial<TrainingRow>) ?? []),
    log: textOf(transcript.log),
  };
}

type TrainingRow = TranscriptRecord['rows'][number];

function callOf(call: Record<string, unknown>, at: number): ModelCallRecord {
  return {
    captureId: textOf(call['captureId']) ?? String(at),
    startedAtMs: numberOf(call['startedAtMs']) ?? 0,
    latencyMs: numberOf(call['latencyMs']) ?? 0,
    model: textOf(call['model']) ?? '',
    wire: textOf(call['wire']),
    finishReason: textOf(call['finishReason']),
    prompt: numbersOf(call['prompt']),
    answer: numberOf(call['answer']) ?? -1,
    tools: [],
    promptTokens: numberOf(call['promptTokens']),
    completionTokens: numberOf(call['completionTokens']),
    tokens: tokensOf(call['tokens']),
    capture: textOf(call['capture']),
    problems: textsOf(call['problems']),
    weightVersion: numberOf(call['weightVersion']),
    temperature: numberOf(call['temperature']),
    topP: numberOf(call['topP']),
  };
}

function tokensOf(value: unknown): CompletionTokens | null {
  const { ids, logprobs, texts, lossMask } = objectOf(value);
  if (!Array.isArray(ids)) return null;
  return {
    ids: numbersOf(ids),
    logprobs: Array.isArray(logprobs) ? numbersOf(logprobs) : null,
    texts: Array.isArray(texts) ? textsOf(texts) : null,
    lossMask: Array.isArray(lossMask) ? numbersOf(lossMask) : null,
  };
}

function rowOf(row: Partial<TrainingRow>): TrainingRow | undefined {
  const lists = [row.token_ids, row.loss_mask, row.logprobs].every(
    (list: unknown) => Array.isArray(list) && list.every((value) => typeof value === 'number'),
  );
  return lists && typeof row.prompt_length === 'number' && typeof row.row_id === 'string'
    ? ({
        ...row,
        reward: numberOf(row.reward),
        num_turns: numberOf(row.num_turns) ?? 0,
        status: textOf(row.status) ?? '',
        ...(row.advantages !== undefined && { advantages: numbersOf(row.advantages) }),
      } as TrainingRow)
    : undefined;
}

function objectOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

function objectsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value)
    ? value.filter((entry): entry is Record<string, unknown> => isJsonObject(entry))
    : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map((entry) => numberOf(entry) ?? 0) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
