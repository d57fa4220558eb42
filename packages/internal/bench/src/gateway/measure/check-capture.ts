import {
  conversationTokens,
  conversationTurns,
  promptTokensOf,
  sampledTokens,
} from '../engine/conversation.ts';
import { SampleTokens } from '../engine/sample-tokens.ts';
import { sessionIdOf } from '../load/load-task.ts';
import { capturesOf, type CaptureOfCall } from './gateway-control.ts';
import { sessionsOf, type LoadPlan } from '../load/load-plan.ts';

/** A range of the engine's tokens: what a capture has to hold. */
interface ExpectedCapture {
  start: number;
  promptTokens: number;
  completionTokens: number;
}

let tokens: SampleTokens | undefined;

/**
 * Compares the first, the middle and the last session of a run, token by token, with what the engine sent.
 * @throws Error where a gateway that loses or alters tokens has been measured
 */
export async function checkCapture(url: string, sessionPrefix: string, plan: LoadPlan): Promise<void> {
  const last = sessionsOf(plan) - 1;
  for (const index of new Set([0, last >> 1, last])) {
    const sessionId = sessionIdOf(sessionPrefix, index);
    const captures = await capturesOf(url, sessionId);
    const expected = expectedCaptures(plan, index);
    if (captures.length !== expected.length || !expected.every((one, at) => isEqual(captures[at]!, one))) {
      throw new Error(`${url} has not captured in ${sessionId} what the engine sent.`);
    }
  }
}

function expectedCaptures(plan: LoadPlan, index: number): ExpectedCapture[] {
  tokens ??= new SampleTokens();
  switch (plan.kind) {
    case 'calls':
      return [{ start: 0, ...plan.model }];
    case 'streams':
      return [{ start: 0, promptTokens: plan.model.promptTokens, completionTokens: plan.model.chunks + 1 }];
    case 'conversations': {
      const start = tokens.startOf(index, conversationTokens);
      return Array.from({ length: conversationTurns }, (_, turn) => {
        return { start, promptTokens: promptTokensOf(turn), completionTokens: sampledTokens };
      });
    }
  }
}

function isEqual(capture: CaptureOfCall, expected: ExpectedCapture): boolean {
  const { start, promptTokens, completionTokens } = expected;
  return (
    isSame(capture.prompt_token_ids, tokens!.ids(start, promptTokens)) &&
    isSame(capture.completion_token_ids, tokens!.ids(start + promptTokens, completionTokens)) &&
    capture.logprobs?.length === completionTokens
  );
}

function isSame(captured: readonly number[], sent: Int32Array): boolean {
  return captured.length === sent.length && captured.every((id, index) => id === sent[index]);
}
