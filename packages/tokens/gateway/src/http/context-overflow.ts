import type { ApiFailure } from './api-error.ts';
import type { ProxyEndpoint } from './proxy-path.ts';

/** A prompt that leaves no room for an answer, as far as the engine says it. */
export interface ContextOverflow {
  words: string;
  promptTokens: number | undefined;
  contextTokens: number | undefined;
}

/**
 * How engines say that a prompt does not fit. Sources: vLLM 0.32, SGLang 0.5.23, TensorRT-LLM 1.2, llama.cpp, TGI 3, and the APIs
 * of OpenAI, Anthropic, Bedrock and Gemini behind a proxy.
 */
const overflowWords = [
  /maximum (?:allowed )?(?:context|model|sequence|input) (?:length|window|size)/i,
  /(?:longer than|exceed(?:s|ed|ing)?) .{0,60}(?:context|max_model_len|max_seq_len|max_input_len|max_num_tokens)/i,
  /context_length_exceeded|exceed_context_size/i,
  /(?:prompt|input|request) (?:is )?too (?:long|large)/i,
  /too many (?:input )?tokens/i,
  /input token count .{0,60}exceeds/i,
  /reduce the length of the (?:messages|input|prompt)/i,
  /`inputs` tokens \+ `max_new_tokens` must be/,
];
const noRoom = /max_(?:completion_|new_)?tokens must be at least 1, got (?:0|-\d+)/;
const limitTooLarge = /max_(?:completion_)?tokens\W.{0,60}too large: (\d+)/i;

const promptCounts = [
  /(?:prompt|request) (?:contains|has)(?: at least)? (\d+)/i,
  /prompt is too long: (\d+) tokens/i,
  /(?:input|prompt|request) \((?:length )?(\d+)/i,
  /(?:input|prompt) length \(?(\d+)/i,
  /(\d+) (?:tokens )?(?:from|in) the (?:input )?messages/i,
  /token count \((\d+)\)/i,
  /(?:resulted in|Given:) (\d+)/i,
];
const contextCounts = [
  /maximum (?:context|model|sequence|input) length (?:is |of )?\(?(\d+)/i,
  /context (?:length|size|window) \(?(?:of )?(\d+)/i,
  /> (\d+) maximum/i,
  /(?:max_seq_len|max_model_len|max_input_len|max_num_tokens)\W+(\d+)/,
  /maximum number of tokens allowed \((\d+)\)/i,
];

/** Servers that know no better answer 500. */
const overflowStatuses = new Set([400, 413, 422, 500]);

/**
 * Reads a full context out of an engine's refusal; undefined where the refusal has another reason.
 * @param asked the limit on new tokens that the engine was sent: where that is none, the engine's "at least 1" is about
 * it
 */
export function readContextOverflow(
  status: number,
  words: string,
  asked: number | undefined,
): ContextOverflow | undefined {
  if (!overflowStatuses.has(status)) return undefined;
  const isFull = noRoom.test(words) && (asked ?? 1) >= 1;
  if (!isFull && !overflowWords.some((pattern) => pattern.test(words))) return undefined;
  const contextTokens = numberIn(words, contextCounts);
  const tooLarge = numberIn(words, [limitTooLarge]);
  // Shortening the prompt would not help: the answer alone is longer than the context.
  if (tooLarge !== undefined && contextTokens !== undefined && tooLarge > contextTokens) return undefined;
  return { words, contextTokens, promptTokens: numberIn(words, promptCounts) };
}

/** The same in the words by which clients of an endpoint's API recognise it and shorten their prompts. */
export function overflowFailure(endpoint: ProxyEndpoint, overflow: ContextOverflow): ApiFailure {
  const { words, promptTokens, contextTokens } = overflow;
  const areKnown = promptTokens !== undefined && contextTokens !== undefined && promptTokens >= contextTokens;
  if (endpoint === 'messages' || endpoint === 'count_tokens') {
    const detail = areKnown ? `${promptTokens} tokens > ${contextTokens} maximum` : words;
    return {
      status: 400,
      message: /prompt is too long/i.test(words) ? words : `prompt is too long: ${detail}`,
    };
  }
  return {
    status: 400,
    message: /maximum context length/i.test(words)
      ? words
      : areKnown
        ? noRoomFor(promptTokens, contextTokens)
        : `This model's maximum context length is exceeded. Please reduce the length of the messages. The engine said: ${words}`,
    type: 'invalid_request_error',
    param: params[endpoint] ?? 'messages',
    code: overflowCode,
  };
}

/** Says of a prompt that it leaves no room, as OpenAI's API does. */
export function noRoomFor(promptTokens: number, contextTokens: number): string {
  return `This model's maximum context length is ${contextTokens} tokens. However, your prompt contains ${promptTokens} input tokens, which leaves no room for output tokens. Please reduce the length of the messages.`;
}

/** OpenAI's `code` of it. */
export const overflowCode = 'context_length_exceeded';

const params: Partial<Record<ProxyEndpoint, string>> = { responses: 'input', completions: 'prompt' };

function numberIn(words: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(words)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}
