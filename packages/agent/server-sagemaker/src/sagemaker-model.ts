import type { RolloutConfig } from '@art/protocol';
import type { FreshToken } from './fresh-token.ts';
import { jobHeaders, type SageMakerRequest } from './rollout-request.ts';

/** The policy of a rollout as the service offers it. */
export interface SageMakerModel {
  baseUrl: string;
  modelId: string;
  /** Name the job and the rollout; wanted with every call. */
  headers: Record<string, string>;
  /** The bearer token, signed anew after five minutes. It speaks for the agent's role: keep it out of logs. */
  apiKey: () => Promise<string>;
}

const models = new WeakMap<object, SageMakerModel>();

/**
 * The job runtime itself, for a client that is not to use the address on loopback in `context.rollout`: it has to send `headers`,
 * to ask for the key before each call, and to use `samplingParams`. Undefined where it is no rollout of SageMaker's.
 */
export function sagemakerModel(rollout: RolloutConfig | undefined): SageMakerModel | undefined {
  return rollout && models.get(rollout.raw);
}

export function keepDirectModel(config: RolloutConfig, rollout: SageMakerRequest, token: FreshToken): void {
  models.set(config.raw, {
    baseUrl: `${rollout.endpoint}/v1`,
    modelId: 'default',
    headers: jobHeaders(rollout),
    apiKey: () => token.get(),
  });
}
