/** The wire that the agent spoke. */
export type AgentWire = 'chat' | 'completions' | 'responses' | 'messages';

/**
 * How true a capture is.
 * - `complete`: ids and logprobs of everything that was sampled, and every check passed.
 * - `incomplete`: something is missing or contradicts itself; `problems` says what. Not to be trained on.
 * - `partial`: the client left, or the engine broke off, in mid-answer: what had been sampled until then.
 * - `text_only`: the engine gives no token ids.
 */
export type CaptureStatus = 'complete' | 'incomplete' | 'partial' | 'text_only';

/** Which weights sampled which part of a completion. `start` and `end` count completion tokens; `end` is exclusive. */
export interface WeightVersionSpan {
  version: string;
  start: number;
  end: number;
}

/** Two versions that were announced, between which the tokens of an answer were sampled; `oldest` is null before the first one. */
export interface WeightVersionRange {
  oldest: number | null;
  newest: number;
}

/** Which experts each token went to, as the engine encoded it; never decoded here. */
export interface RoutedExperts {
  data: string;
  /** `npy_base64`: vLLM; `int32_base64`: SGLang. */
  encoding: 'npy_base64' | 'int32_base64' | 'unknown';
  shape?: readonly number[] | undefined;
}

/** Beginning that a prompt has in common with the earlier captures of its session. */
export interface CapturePrefix {
  /** The capture with whose tokens, prompt and answer, the prompt has the longest beginning in common; undefined for none. */
  captureId: string | undefined;
  /** How many tokens that is. */
  kept: number;
}

/** One answer of an engine to one call of an agent. A call that asked for several choices gives a capture for each. */
export interface Capture {
  captureId: string;
  sessionId: string;
  /** Which choice of its call, from 0, of how many. */
  choiceIndex: number;
  choiceCount: number;
  wire: AgentWire;
  /** Kind of server. */
  engine: string;
  /** The worker's URL. */
  worker: string;
  model: string;
  /** When the call arrived, milliseconds since the Unix epoch. */
  timestampMs: number;
  latencyMs: number;
  /** The request's messages in the chat wire, each as JSON text exactly as it came. */
  messages: readonly string[];
  /** The request's tools as JSON text. */
  tools: string | undefined;
  /** The answer as a chat message, JSON text. */
  responseMessage: string;
  promptTokenIds: Int32Array;
  completionTokenIds: Int32Array;
  /** One for each completion token; undefined where the engine gave none. */
  logprobs: Float64Array | undefined;
  finishReason: string | undefined;
  /** As a whole number, as trainers of rllm read it: the oldest that the engine says by token, else what was announced. */
  weightVersion: number | undefined;
  /** Weight versions that the engine itself gave by token, which may be text. */
  weightVersions: readonly WeightVersionSpan[];
  /** Where the engine says nothing and another version was announced in mid-call. @default one version, or none, is known */
  weightVersionRange?: WeightVersionRange | undefined;
  routedExperts: RoutedExperts | undefined;
  /** One text for each completion token, as rllm's engines send them. */
  routingMatrices: readonly string[] | undefined;
  usage: { prompt: number | undefined; completion: number | undefined };
  temperature: number | undefined;
  topP: number | undefined;
  /** The sampling parameters that the engine was sent, an object as JSON text; what is not there was the engine's default. */
  samplingParams?: string | undefined;
  /** Parameters that the agent had asked for and that the session's took the place of, an object as JSON text. */
  overriddenParams?: string | undefined;
  /**
   * The fields of the call by which its tokens were sampled from less than what the model would say, such as `tool_choice` or
   * `response_format`: a grammar masks the rest, and the logprobs are not the model's own. @default none
   */
  constraints?: readonly string[] | undefined;
  status: CaptureStatus;
  problems: readonly string[];
  metadata: Readonly<Record<string, unknown>>;
  /** Kept only on request: the bytes as they went to the engine and came back. */
  rawRequest: string | undefined;
  rawResponse: string | undefined;
  /** Prefix that a store found when it took the capture. @default nobody has looked: a reader that needs it compares the tokens */
  prefix?: CapturePrefix | undefined;
}
