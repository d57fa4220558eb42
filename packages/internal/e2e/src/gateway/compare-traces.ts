import type { TraceRecord } from '@art/trajectories';
import { expect } from 'vitest';
import type { EngineCall } from './engine/mock-engine.ts';

/** Tokens of a trace. */
export interface CapturedTokens {
  prompt_token_ids: readonly number[];
  completion_token_ids: readonly number[];
  logprobs: readonly number[] | null;
  finish_reason: string | null;
  choice_index: number | undefined;
  capture: string | undefined;
}

/** Tokens that the traces of these calls have to hold, in their order: one for each choice. */
export function sentTokens(calls: readonly EngineCall[]): CapturedTokens[] {
  return calls.flatMap(({ answer }) =>
    (answer?.choices ?? []).map((choice) => ({
      prompt_token_ids: answer!.promptTokenIds,
      completion_token_ids: choice.tokens.map((token) => token.id),
      logprobs: choice.tokens.map((token) => token.logprob),
      finish_reason: choice.finishReason,
      choice_index: choice.index,
      capture: 'complete',
    })),
  );
}

/** The same of traces. */
export function capturedTokens(traces: readonly TraceRecord[]): CapturedTokens[] {
  return traces.map((trace) => ({
    prompt_token_ids: trace.prompt_token_ids,
    completion_token_ids: trace.completion_token_ids,
    logprobs: trace.logprobs,
    finish_reason: trace.finish_reason,
    choice_index: trace.choice_index,
    capture: trace.capture,
  }));
}

/** Expects every token and logprob that the engine sent in the traces, in order, and nothing else. */
export function expectSameTokens(traces: readonly TraceRecord[], calls: readonly EngineCall[]): void {
  expect(capturedTokens(traces)).toEqual(sentTokens(calls));
}
