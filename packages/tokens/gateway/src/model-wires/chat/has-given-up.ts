const reasons = new Set(['abort', 'error', 'cancelled', 'timeout']);

/**
 * True if a finish reason says that the engine gave up on an answer, so that it is not the model's full answer: `abort`
 * of SGLang and vLLM, `error` of vLLM, `cancelled` and `timeout` of TensorRT-LLM.
 */
export function hasGivenUp(finishReason: string | undefined): boolean {
  return finishReason !== undefined && reasons.has(finishReason);
}
