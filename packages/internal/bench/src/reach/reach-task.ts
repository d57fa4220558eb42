import type { CallModel } from '../gateway/engine/call-model.ts';

export type StreamModel = Extract<CallModel, { kind: 'stream' }>;

/** Two streams of one agent at the same time: how old each token was when it came, in milliseconds. */
export interface StreamPair {
  direct: number[];
  socket: number[];
}

/** What the agent of a session is asked to do. */
export interface AgentTask {
  /** Of both of its streams. */
  model: StreamModel;
  gatewayUrl: string;
}

/** What the trainer's process is asked to do: a rollout in each session, all at once. */
export interface TrainerTask {
  endpoint: string;
  agentRuntimeArn: string;
  gatewayUrl: string;
  sessions: number;
  /** What each agent is asked to do. */
  payload: AgentTask;
}
