/** What came of one rollout of `art dev --sagemaker`. */
export interface RolloutEvent {
  event: 'rollout';
  /** Its place among all, from 0. */
  index: number;
  of: number;
  sessionId: string;
  prompt: unknown;
  /** `ready` and `failed` are the agent's words, and have a reward; `refused`: the agent did not take the request. */
  state: 'ready' | 'failed' | 'timed_out' | 'refused';
  /** Calls of the model. */
  turns: number;
  rewards?: readonly number[] | undefined;
  durationMs: number;
  /** Why it was refused. */
  problem?: string;
}

/** What came of all of them. */
export interface JobEvent {
  event: 'job';
  rollouts: number;
  ready: number;
  failed: number;
  timedOut: number;
  refused: number;
  /** Without a call of the model. */
  unsampled: number;
  /** Of each rollout's last reward; undefined where there is none. */
  meanReward?: number | undefined;
}
