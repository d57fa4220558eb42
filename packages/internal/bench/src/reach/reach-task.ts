import type { CallModel } from '../gateway/engine/call-model.ts';

export type StreamModel = Extract<CallModel, { kind: 'stream' }>;

/** Two streams of one agent at the same time: how old each token was when it came, in milliseconds. */
export interface StreamPair {
  direct: number[];
  socket: number[];
}

/** Task of the agent of a session. */
export interface AgentTask {
  /** Model of both of its streams. */
  model: StreamModel;
  gatewayUrl: string;
}

/** Task of the trainer's process: a rollout in each session, all at once. */
export interface TrainerTask {
  endpoint: string;
  agentRuntimeArn: string;
  gatewayUrl: string;
  sessions: number;
  /** Task of each agent. */
  payload: AgentTask;
}
