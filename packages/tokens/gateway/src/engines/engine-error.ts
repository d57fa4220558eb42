import { isJsonObject, jsonObjectIn } from '@art/ground';

/** An engine's refusal, whatever shape it has. */
export interface EngineError {
  /** Undefined for an object that has no message where engines have it. */
  message: string | undefined;
  /** Everything that it says, for a search: the messages, the code and the parameter. */
  texts: readonly string[];
}

/**
 * Reads an engine's refusal: `{error: {message, code, param}}` (OpenAI, vLLM), the fields at the top (SGLang), `{error}` and
 * `{detail}` (web frameworks). Undefined where it is no JSON object.
 */
export function readEngineError(bytes: Uint8Array): EngineError | undefined {
  const document = jsonObjectIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  if (document === undefined) return undefined;
  const { error, message, detail, code } = document;
  const inner: Record<string, unknown> = isJsonObject(error) ? error : { message: error };
  const messages = [inner['message'], message, detail].filter(isText);
  return {
    message: messages[0],
    texts: [...messages, ...[inner['code'], inner['param'], code].filter(isText)],
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
