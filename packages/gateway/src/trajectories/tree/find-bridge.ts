import type { Trace } from '../../trace/trace.ts';
import { commonPrefixLength } from '../rows/token-prefix.ts';

/**
 * What follows an answer in a prompt that repeats it in other tokens. Found by the token that closed the answer: chat
 * templates put the same one behind the repeated text. Undefined where the prompt differs before the answer, or the
 * answer was cut off and has no such token.
 */
export function findBridge(answered: Trace, prompt: Int32Array): Int32Array | undefined {
  const { promptTokenIds, completionTokenIds, finishReason } = answered;
  if (commonPrefixLength(promptTokenIds, prompt) < promptTokenIds.length) return undefined;
  const close = completionTokenIds.at(-1);
  if (close === undefined || finishReason === 'length') return undefined;
  // A token that also occurs inside the answer is a word, not a close.
  if (completionTokenIds.indexOf(close) < completionTokenIds.length - 1) return undefined;
  const at = prompt.indexOf(close, promptTokenIds.length);
  return at === -1 ? undefined : prompt.subarray(at + 1);
}
