import { createAgentCoreRuntime, PacedRuntime } from '@art/invoke';
import * as rollout from '@art/rollout';
import { resultStoreFromEnvironment } from '@art/store';
import { S3ResultStore } from '@art/store-s3';

type Core = rollout.RolloutClientOptions;

/** As in `@art/rollout`, with defaults for the runtime and the store. */
export type RolloutClientOptions = Omit<Core, 'runtime' | 'store'> & {
  /** @default AgentCore at `agentRuntimeArn`, paced and retried */
  runtime?: Core['runtime'] | undefined;
  /** @default what ART_RESULT_STORE names, otherwise S3 */
  store?: Core['store'] | undefined;
};

/** Submits rollouts to an agent on AgentCore and collects their results from S3. */
export class RolloutClient extends rollout.RolloutClient {
  readonly #ownStore: S3ResultStore | undefined;

  /** @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN` */
  constructor(options: RolloutClientOptions) {
    const given = options.store ?? resultStoreFromEnvironment();
    const store = given ?? new S3ResultStore();
    super({ ...options, store, runtime: paced(options) });
    this.#ownStore = given === undefined ? (store as S3ResultStore) : undefined;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#ownStore?.close();
  }
}

function paced({ runtime, tpsLimit, maxRetryAttempts }: RolloutClientOptions): Core['runtime'] {
  if (runtime === undefined) {
    return ({ agentRuntimeArn = '', maxPoolConnections, ...limits }, onEvent) =>
      createAgentCoreRuntime({ ...limits, agentRuntimeArn, maxConnections: maxPoolConnections, onEvent });
  }
  const isUnlimited = tpsLimit === undefined && maxRetryAttempts === undefined;
  if (typeof runtime === 'function' || isUnlimited) return runtime;
  return (_, onEvent) =>
    new PacedRuntime(runtime, { newSessionsPerSecond: tpsLimit, maxRetryAttempts, onEvent });
}
