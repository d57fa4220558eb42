import type { JsonObject } from '@art/ground';
import type { SessionCeilings } from '@art/protocol';
import type { TrainChoice } from '@art/trajectories';
import type { WorkerInfo } from '../records/session-info.ts';

export interface CreateSessionInput {
  /** @default one that the gateway makes up */
  sessionId?: string | undefined;
  metadata?: JsonObject | undefined;
  /** Win over what the agent's calls say. */
  samplingParams?: JsonObject | undefined;
}

export interface CreatedSession {
  sessionId: string;
  /** Base URL for an OpenAI client. */
  baseUrl: string;
  /** Base URL for an Anthropic client. */
  anthropicBaseUrl: string;
  /** Key that the agent has to send; undefined where the gateway asks for none. */
  apiKey: string | undefined;
}

/** Which part of a list is asked for. */
export interface CaptureRangeInput {
  /** Stored then or later, milliseconds since the Unix epoch. */
  sinceMs?: number | undefined;
  /** At most so many, from the beginning. */
  limit?: number | undefined;
}

/** Which captures are asked for. */
export interface CaptureQueryInput extends CaptureRangeInput {
  /**
   * `all`: a capture for each choice of a call. `first`: one a call, of its first choice, as rllm-model-gateway has them.
   * rllm-model-gateway itself does not know it. @default what the gateway is set to, which is `all` if nothing is said
   */
  choices?: 'all' | 'first' | undefined;
}

export interface WorkerInput {
  /** The inference server, `http://host:port`. */
  url: string;
  workerId?: string | undefined;
  /** Path between the URL and the routes. @default '/v1' */
  apiPath?: string | undefined;
  modelName?: string | undefined;
  /** Its share of new sessions, against that of others. @default 1 */
  weight?: number | undefined;
  /** Kind of the server. @default found out by the gateway */
  flavour?: 'vllm' | 'sglang' | 'trtllm' | 'openai' | undefined;
}

export interface AddedWorker {
  workerId: string;
  url: string;
  apiPath: string;
}

export interface WorkersHealth {
  workers: readonly WorkerInfo[];
  healthy: number;
  total: number;
}

export interface CreateTrajectoryInput {
  sessionId: string;
  /** Sampling parameters that win over what the agent's calls say. @default {} */
  samplingParams?: JsonObject | undefined;
  /** Sampling parameters for calls that do not say otherwise. @default {} */
  samplingDefaults?: JsonObject | undefined;
  /** Longest row; a gateway that renders token ids itself also ends the answer there. @default no bound */
  maxContextTokens?: number | undefined;
  /** A further call of the agent is answered with 429. @default no bound */
  maxTurns?: number | undefined;
  /** Most calls, tokens, seconds and money; a further call is answered with 402. @default no bound */
  ceilings?: SessionCeilings | undefined;
  /** How turns become rows. @default that of the gateway, `exact` */
  mode?: 'exact' | 'reference' | undefined;
  /** Threshold of `reference` mode, which it implies. @default 1_024 */
  forkThresholdTokens?: number | undefined;
  /**
   * True if turns train that were sampled under a grammar: `tool_choice: required`, JSON mode, a schema. @default false
   */
  trainConstrained?: boolean | undefined;
  /** Which agents train, where a session has several: by model, by label, or the first conversation. @default all */
  trains?: TrainChoice | undefined;
  rolloutId?: string | undefined;
  groupId?: string | null | undefined;
  /** Goes into the metadata of every row. @default {} */
  metadata?: JsonObject | undefined;
}

export interface FinishTrajectoryInput {
  /** Goes to the last row. Undefined or null: unknown, which is not 0. */
  reward?: number | null | undefined;
  rolloutId?: string | undefined;
  groupId?: string | null | undefined;
  metadata?: JsonObject | undefined;
  /** How long calls that are under way may continue. @default 5_000, by the gateway */
  waitTimeoutMs?: number | undefined;
}
