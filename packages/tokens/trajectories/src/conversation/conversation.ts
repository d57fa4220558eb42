import type { JsonObject } from '@art/ground';

/** Conversation of a session, as records. */
export interface Conversation {
  /**
   * Every message that any call was sent or answered, once each, in the order in which they came up, in the shape of chat
   * completions: `{ role, content, tool_calls?, tool_call_id? }`. A tool's arguments are in `tool_calls` of the assistant, its result
   * is the message of role `tool` with the same `tool_call_id`.
   */
  messages: JsonObject[];
  /** In the order in which they began. */
  calls: ModelCallRecord[];
}

export interface ModelCallRecord {
  captureId: string;
  /** Milliseconds since 1970. */
  startedAtMs: number;
  latencyMs: number;
  model: string;
  /** Label that the agent gave the call. */
  label?: string;
  wire: string | null;
  finishReason: string | null;
  /** Indices into `messages`: the prompt in its order, and the answer. */
  prompt: number[];
  answer: number;
  tools: unknown[];
  /** Null where nobody counted them. Of the choices of one request the first has the tokens of their prompt. */
  promptTokens: number | null;
  completionTokens: number | null;
  /** Tokens of the answer; null where the engine gave no token ids. */
  tokens: CompletionTokens | null;
  /** `complete`, `incomplete`, `partial` or `text_only`; `problems` says what is missing. */
  capture: string | null;
  problems: string[];
  weightVersion: number | null;
  /** Temperature that the engine was given; null where nobody said, and undefined in records of earlier versions. */
  temperature?: number | null;
  topP?: number | null;
  /** As the agent sent it; null where it sent none, or nobody kept what was sent. */
  seed?: number | null;
}

/** All lists have one element for each token of the answer. */
export interface CompletionTokens {
  ids: number[];
  /** Natural logarithms. */
  logprobs: number[] | null;
  /** Text of each token, where the engine reported it. A character may be spread over several. */
  texts: string[] | null;
  /** 1 where the token trains; null where the call is in no row. */
  lossMask: number[] | null;
}
