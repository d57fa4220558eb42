import type {
  CreateTrajectoryInput,
  FinishTrajectoryInput,
  TraceQueryInput,
  WorkerInput,
} from './gateway-calls.ts';

/** The query of a range. */
export function rangeQuery({ sinceMs, limit, choices }: TraceQueryInput): Record<string, string | number> {
  return {
    ...(sinceMs !== undefined && { since: sinceMs / 1_000 }),
    ...(limit !== undefined && { limit }),
    ...(choices !== undefined && { choices }),
  };
}

/** A worker as it is added; members that are undefined are not sent. */
export function workerBody(worker: WorkerInput): object {
  return {
    url: worker.url,
    worker_id: worker.workerId,
    api_path: worker.apiPath,
    model_name: worker.modelName,
    weight: worker.weight,
    flavour: worker.flavour,
  };
}

/** `TrajectoryCreate` of an input; members that are undefined are not sent. */
export function createBody(input: CreateTrajectoryInput): object {
  return {
    session_id: input.sessionId,
    sampling_defaults: input.samplingDefaults,
    max_context_tokens: input.maxContextTokens,
    max_turns: input.maxTurns,
    mode: input.mode,
    fork_threshold_tokens: input.forkThresholdTokens,
    rollout_id: input.rolloutId,
    group_id: input.groupId,
    metadata: input.metadata,
  };
}

/** `TrajectoryFinish` of an input; members that are undefined are not sent. */
export function finishBody(input: FinishTrajectoryInput): object {
  const { rolloutId, groupId, waitTimeoutMs } = input;
  const hasBase = rolloutId !== undefined || groupId !== undefined;
  return {
    reward: input.reward,
    base: hasBase ? { rollout_id: rolloutId, group_id: groupId } : undefined,
    extra_metadata: input.metadata,
    wait_timeout_s: waitTimeoutMs === undefined ? undefined : waitTimeoutMs / 1_000,
  };
}
