import { RequestValue } from '../chat/request-value.ts';
import { writeObject } from '../../json-bytes/write-json.ts';
import { writePrompt } from './translate-messages-request.ts';

/**
 * Translates `POST /v1/messages/count_tokens` to what vLLM's and SGLang's `/tokenize` take: `model`, `messages` and `tools`
 * of the chat wire.
 * @returns JSON text
 * @throws WireRequestError with the field at fault
 */
export function translateCountTokensRequest(body: Uint8Array | string): string {
  return writeObject(writePrompt(RequestValue.body(body)).members);
}

/** The wire's answer. */
export function countTokensReply(inputTokens: number): string {
  return JSON.stringify({ input_tokens: inputTokens });
}
