import type { CapturedReply } from '../../capture/captured-reply.ts';
import { writeAnswerMessage } from './native-answer.ts';
import type { NativeEnd } from './native-events.ts';

const noIds = new Int32Array(0);

/** An engine's answer on a wire of its own as a capture without tokens; one choice, or none where there is no answer. */
export function nativeCapture({ answer, ended }: NativeEnd): CapturedReply {
  const reply = {
    promptTokenIds: noIds,
    weightVersion: undefined,
    ended,
    error: ended ? undefined : 'The answer did not come to its end.',
  };
  if (answer === undefined) {
    const usage = { prompt: undefined, completion: undefined };
    return { ...reply, model: undefined, choices: [], usage };
  }
  const choice = {
    index: 0,
    message: writeAnswerMessage(answer.pieces),
    hasContent: answer.pieces.some((piece) => piece.kind === 'call' || piece.text !== ''),
    hasTokenIds: false,
    promptTokenIds: noIds,
    tokenIds: noIds,
    logprobs: undefined,
    finishReason: answer.finishReason,
    weightVersions: [],
    routedExperts: undefined,
    routingMatrices: undefined,
    problems: [],
  };
  return { ...reply, model: answer.model, choices: [choice], usage: answer.usage };
}
