const reasons = new Set(['abort', 'error', 'cancelled', 'timeout']);

/**
 * Whether a finish reason says that the engine gave up on an answer, which then is not what the model would have said:
 * `abort` of SGLang and vLLM, `error` of vLLM, `cancelled` and `timeout` of TensorRT-LLM.
 */
export function hasGivenUp(finishReason: string | undefined): boolean {
  return finishReason !== undefined && reasons.has(finishReason);
}
