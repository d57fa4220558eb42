import type { CaptureRecord } from '@art/trajectories';
import { expect } from 'vitest';
import type { EngineCall } from './engine/mock-engine.ts';

/** Tokens of a capture. */
export interface CapturedTokens {
  prompt_token_ids: readonly number[];
  completion_token_ids: readonly number[];
  logprobs: readonly number[] | null;
  finish_reason: string | null;
  choice_index: number | undefined;
  capture: string | undefined;
}

/** Tokens that the captures of these calls have to hold, in their order: one for each choice. */
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

/** The same of captures. */
export function capturedTokens(captures: readonly CaptureRecord[]): CapturedTokens[] {
  return captures.map((capture) => ({
    prompt_token_ids: capture.prompt_token_ids,
    completion_token_ids: capture.completion_token_ids,
    logprobs: capture.logprobs,
    finish_reason: capture.finish_reason,
    choice_index: capture.choice_index,
    capture: capture.capture,
  }));
}

/** Expects every token and logprob that the engine sent in the captures, in order, and nothing else. */
export function expectSameTokens(captures: readonly CaptureRecord[], calls: readonly EngineCall[]): void {
  expect(capturedTokens(captures)).toEqual(sentTokens(calls));
}
