import type { EngineTransport } from '@art/gateway/engine-port';
import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { WeightVersionSpan } from '@art/trajectories';
import type { ChatCall } from '../calls/chat-call.ts';

/** One prompt to be continued by an engine. */
export interface SampleTask {
  call: ChatCall;
  promptIds: Int32Array;
  /** What the engine made of the call besides the ids, where it rendered the prompt: members as JSON text. */
  rendered?: ReadonlyMap<string, string> | undefined;
  maxTokens: number;
  /** Identifies the call at the engine. */
  requestId: string;
  /** Whether tokens are wanted as they come, rather than all at the end. */
  stream: boolean;
  sessionId: string | undefined;
  baseUrl: string;
  /** Under which the engine's OpenAI routes are: `/v1`. */
  apiPath: string;
  headers: Readonly<Record<string, string | string[]>>;
  signal: AbortSignal;
}

/** An alternative to a sampled token. */
export interface TopLogprob {
  id: number;
  logprob: number | null;
}

/** What is new since the last part. */
export interface SamplePart {
  /** Which of several answers to the prompt it is of. @default 0 */
  choice?: number | undefined;
  ids: readonly number[];
  /** One for each id; null where the engine has none. Undefined where it gave none at all. */
  logprobs: readonly (number | null)[] | undefined;
  topLogprobs?: readonly (readonly TopLogprob[])[] | undefined;
  /** The engine's own text of the ids, where it decodes. */
  text?: string | undefined;
  /** Only in the last part. */
  finish?: SampleFinish | undefined;
  weightVersion?: string | undefined;
  weightVersions?: readonly WeightVersionSpan[] | undefined;
  /** As the engine encoded it. */
  routedExperts?: string | undefined;
  usage?: { prompt?: number | undefined; completion?: number | undefined; cached?: number | undefined };
  /** The answer taken apart, where the engine does that on the same way. */
  message?: ParsedTurn | undefined;
}

export interface SampleFinish {
  /** `stop`, `length`, `abort` or another word of the engine. */
  reason: string;
  /** The text or token that stopped it. */
  matched?: string | number | undefined;
  message?: string | undefined;
}

/** An engine refused a call: its own answer, for the agent. */
export interface EngineRefusal {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: Uint8Array;
}

/** The token route of a kind of engine. */
export interface TokenSampler {
  /**
   * Resolves once the engine has answered with a status. A call that is not streamed has one part for each choice.
   * @throws EngineUnreachable
   */
  sample(task: SampleTask, http: EngineTransport): Promise<EngineRefusal | AsyncIterable<SamplePart>>;
  /** Tells the engine that nobody waits any more; undefined where losing the connection does. */
  abort?: ((task: SampleTask, http: EngineTransport) => Promise<void>) | undefined;
}

export function isRefusal(answer: EngineRefusal | AsyncIterable<SamplePart>): answer is EngineRefusal {
  return 'status' in answer;
}
