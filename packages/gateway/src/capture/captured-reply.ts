import type { RoutedExperts, WeightVersionSpan, CaptureStatus } from '@art/trajectories';

/** One choice as the engine sampled it. */
export interface CapturedChoice {
  index: number;
  /** The chat message, JSON text; tool calls whole, also where they came in fragments. */
  message: string;
  /** Whether the engine has sent any of it: text, a call or a token. */
  hasContent: boolean;
  /** Whether the engine gave token ids for it, be it none because it sampled none. */
  hasTokenIds: boolean;
  /** The prompt of this choice, where the call has several prompts; otherwise the reply's. */
  promptTokenIds: Int32Array;
  tokenIds: Int32Array;
  /** As many as the engine gave; a value that it left out or that is no number is NaN here and a problem. */
  logprobs: Float64Array | undefined;
  finishReason: string | undefined;
  weightVersions: readonly WeightVersionSpan[];
  routedExperts: RoutedExperts | undefined;
  routingMatrices: readonly string[] | undefined;
  /** What the checks of this choice found, each as `kind: detail`; empty where the capture is complete. */
  problems: readonly string[];
}

/** What was read from an engine's answer on its way to the agent. */
export interface CapturedReply {
  model: string | undefined;
  promptTokenIds: Int32Array;
  /** By index; empty where the engine gave no answer but an error, or something that is no JSON object. */
  choices: readonly CapturedChoice[];
  /** The engine's weight version, as it spells it. */
  weightVersion: string | undefined;
  usage: { prompt: number | undefined; completion: number | undefined };
  /** Whether the answer came to its end: its last event, or a finish reason for each choice, and no error. */
  ended: boolean;
  /** The error that the engine sent in place of an answer or within a stream, or why the reply cannot be read. */
  error: string | undefined;
}

/** How true the capture of a choice is. */
export function captureStatus(
  choice: Pick<CapturedChoice, 'hasTokenIds' | 'problems'>,
  reply: Pick<CapturedReply, 'ended'>,
): CaptureStatus {
  if (!reply.ended) return 'partial';
  if (choice.problems.length > 0) return 'incomplete';
  return choice.hasTokenIds ? 'complete' : 'text_only';
}
