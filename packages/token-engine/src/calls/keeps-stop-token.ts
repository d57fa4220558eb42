// The first of all tokens, and the one before each body, in the vocabulary `o200k_harmony` of gpt-oss.
const start = 200_006;
const message = 200_008;

/**
 * Whether the token that ended an answer belongs to what parsers see. Only that of gpt-oss does: `<|call|>` makes a message
 * a call. Told from the prompt, as there is no tokenizer to ask.
 */
export function keepsStopToken(promptIds: Int32Array): boolean {
  return promptIds[0] === start && promptIds.includes(message);
}
