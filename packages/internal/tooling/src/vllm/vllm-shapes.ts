/**
 * The answers of vLLM 0.32, member by member in its order, for mock engines: they say what the model says, this says how vLLM tells
 * it. `vllm-shapes.test.ts` holds it to what the real one sent.
 */

/** Common to all answers of one call. */
export interface VllmHead {
  id: string;
  model: string;
  /** Seconds since the Unix epoch. @default 1_760_000_000 */
  created?: number;
}

/** One sampled token, for the logprobs of a route. */
export interface VllmToken {
  id: number;
  text: string;
  logprob: number | null;
  /** Logprobs of other tokens at its place, by their texts; completions tell them. */
  others?: Readonly<Record<string, number>>;
}

const fingerprint = 'vllm-0.32.0-00000000';

export interface VllmChatChoice {
  index: number;
  content: string | null;
  reasoning?: string | null;
  /** A message without calls has no member for them. */
  toolCalls?: readonly { id: string; name: string; arguments: string }[];
  /** Null where the call did not ask for them. */
  logprobs: readonly VllmToken[] | null;
  finishReason: string;
  /** Null where the call did not ask for them. */
  tokenIds: readonly number[] | null;
}

/** Counts of a whole reply. */
export interface VllmCounts {
  promptTokens: number;
  completionTokens: number;
}

/** A whole reply of `/v1/chat/completions`. */
export function vllmChat(
  head: VllmHead,
  choices: readonly VllmChatChoice[],
  {
    promptTokenIds,
    promptTokens,
    completionTokens,
  }: VllmCounts & { promptTokenIds: readonly number[] | null },
): object {
  return {
    ...headOf(head, 'chat.completion'),
    choices: choices.map((choice) => ({
      index: choice.index,
      message: message(choice),
      logprobs: choice.logprobs && chatLogprobs(choice.logprobs),
      finish_reason: choice.finishReason,
      stop_reason: null,
      token_ids: choice.tokenIds,
      routed_experts: null,
    })),
    service_tier: null,
    system_fingerprint: fingerprint,
    usage: wholeUsage(promptTokens, completionTokens),
    prompt_logprobs: null,
    prompt_token_ids: promptTokenIds,
    prompt_text: null,
    kv_transfer_params: null,
    ec_transfer_params: null,
    metrics: null,
  };
}

function message({ content, reasoning = null, toolCalls = [] }: VllmChatChoice): object {
  const calls = toolCalls.map(({ id, name, arguments: json }) => ({
    id,
    type: 'function',
    function: { name, arguments: json },
  }));
  return {
    role: 'assistant',
    content,
    refusal: null,
    annotations: null,
    audio: null,
    function_call: null,
    ...(calls.length > 0 && { tool_calls: calls }),
    reasoning,
  };
}

/** The first event of a choice in a stream of `/v1/chat/completions`. Only that of the first choice tells the prompt. */
export function vllmChatStart(
  head: VllmHead,
  { index, promptTokenIds }: { index: number; promptTokenIds?: readonly number[] | undefined },
): object {
  const delta = { role: 'assistant', content: '' };
  return {
    ...headOf(head, 'chat.completion.chunk'),
    choices: [{ index, delta, logprobs: null, finish_reason: null }],
    ...(promptTokenIds && { prompt_token_ids: promptTokenIds, prompt_text: null }),
  };
}

/** An event with tokens. The last one of a choice has its finish reason. */
export function vllmChatEvent(
  head: VllmHead,
  {
    index,
    delta,
    logprobs,
    finishReason = null,
    tokenIds,
  }: {
    index: number;
    delta: object;
    logprobs: readonly VllmToken[] | null;
    finishReason?: string | null;
    tokenIds?: readonly number[] | undefined;
  },
): object {
  return {
    ...headOf(head, 'chat.completion.chunk'),
    choices: [
      {
        index,
        delta,
        logprobs: logprobs && chatLogprobs(logprobs),
        finish_reason: finishReason,
        ...(finishReason !== null && { stop_reason: null }),
        ...(tokenIds && { token_ids: tokenIds }),
      },
    ],
  };
}

/** The `delta` that begins a tool call, and that which continues with its arguments. */
export function vllmCallStart(index: number, id: string, name: string): object {
  return { content: null, tool_calls: [{ id, type: 'function', index, function: { name } }] };
}

export function vllmCallPiece(index: number, json: string): object {
  return { content: null, tool_calls: [{ index, function: { arguments: json } }] };
}

/** The event before `[DONE]` where `stream_options.include_usage` asks for it; `object` as in the other events. */
export function vllmUsageEvent(
  head: VllmHead,
  object: 'chat.completion.chunk' | 'text_completion',
  prompt: number,
  completion: number,
): object {
  const usage = usageOf(prompt, completion);
  return { ...headOf(head, object), choices: [], usage, system_fingerprint: fingerprint };
}

export interface VllmCompletionChoice {
  index: number;
  text: string;
  logprobs: readonly VllmToken[] | null;
  finishReason: string | null;
  tokenIds: readonly number[] | null;
  /** In a stream, null in all events of a choice but the first. */
  promptTokenIds: readonly number[] | null;
}

/** A whole reply of `/v1/completions`. */
export function vllmCompletion(
  head: VllmHead,
  choices: readonly VllmCompletionChoice[],
  { promptTokens, completionTokens }: VllmCounts,
): object {
  return {
    ...headOf(head, 'text_completion'),
    choices: choices.map(({ index, text, logprobs, finishReason, tokenIds, promptTokenIds }) => ({
      index,
      text,
      logprobs: logprobs && completionLogprobs(logprobs),
      finish_reason: finishReason,
      stop_reason: null,
      token_ids: tokenIds,
      prompt_logprobs: null,
      prompt_token_ids: promptTokenIds,
      routed_experts: null,
    })),
    service_tier: null,
    system_fingerprint: fingerprint,
    usage: wholeUsage(promptTokens, completionTokens),
    kv_transfer_params: null,
    ec_transfer_params: null,
    metrics: null,
  };
}

/** An event of a stream of `/v1/completions`. */
export function vllmCompletionEvent(head: VllmHead, choice: VllmCompletionChoice): object {
  const { index, text, logprobs, finishReason, tokenIds, promptTokenIds } = choice;
  return {
    ...headOf(head, 'text_completion'),
    choices: [
      {
        index,
        text,
        logprobs: logprobs && completionLogprobs(logprobs),
        finish_reason: finishReason,
        stop_reason: null,
        ...(tokenIds && { prompt_token_ids: promptTokenIds, token_ids: tokenIds }),
      },
    ],
  };
}

/** `usage` of an event. */
function usageOf(prompt: number, completion: number): object {
  return { prompt_tokens: prompt, total_tokens: prompt + completion, completion_tokens: completion };
}

function wholeUsage(prompt: number, completion: number): object {
  return {
    ...usageOf(prompt, completion),
    prompt_tokens_details: null,
    completion_tokens_details: null,
  };
}

/** The body of a refusal, whatever its status. */
export function vllmError(
  status: number,
  text: string,
  param: string | null = 'messages',
): { error: { message: string; type: string; param: string | null; code: number } } {
  const type = errorTypes[status] ?? 'InternalServerError';
  return { error: { message: text, type, param, code: status } };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  404: 'NotFoundError',
};

/** `GET /v1/models`. */
export function vllmModels(id: string): object {
  const model = { id, object: 'model', created: 1_760_000_000, owned_by: 'vllm', root: `/models/${id}` };
  const permission = {
    id: 'modelperm-0000000000000000',
    object: 'model_permission',
    created: 1_760_000_000,
    allow_create_engine: false,
    allow_sampling: true,
    allow_logprobs: true,
    allow_search_indices: false,
    allow_view: true,
    allow_fine_tuning: false,
    organization: '*',
    group: null,
    is_blocking: false,
  };
  return {
    object: 'list',
    data: [{ ...model, parent: null, max_model_len: 32_768, permission: [permission] }],
  };
}

function headOf({ id, model, created = 1_760_000_000 }: VllmHead, object: string): object {
  return { id, object, created, model };
}

function chatLogprobs(tokens: readonly VllmToken[]): object {
  return {
    content: tokens.map(({ text, logprob }) => ({
      token: text,
      logprob,
      bytes: [...Buffer.from(text)],
      top_logprobs: [],
    })),
  };
}

function completionLogprobs(tokens: readonly VllmToken[]): object {
  let offset = 0;
  return {
    text_offset: tokens.map(({ text }) => {
      const at = offset;
      offset += text.length;
      return at;
    }),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    tokens: tokens.map(({ text }) => text),
    top_logprobs: tokens.map(({ text, logprob, others }) => ({ [text]: logprob, ...others })),
  };
}
