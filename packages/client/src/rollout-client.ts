import { createAgentCoreRuntime, PacedRuntime } from '@art/invoke';
import { parseAgentRuntimeArn } from '@art/protocol';
import * as rollout from '@art/rollout';
import { resultStoreFromEnvironment, type ResultStore } from '@art/store';
import { S3ResultStore } from '@art/store-s3';

type Core = rollout.RolloutClientOptions;

/**
 * As in `@art/rollout`; `runtime` is AgentCore, and with a bucket `store` is what ART_RESULT_STORE names, or S3, unless
 * given.
 */
export type RolloutClientOptions = Omit<Core, 'runtime'> & Partial<Pick<Core, 'runtime'>>;

/** Submits rollouts to an agent on AgentCore and collects their results: from S3 with a bucket, from their sessions without. */
export class RolloutClient extends rollout.RolloutClient {
  readonly #ownStore: S3ResultStore | undefined;

  /** @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN` */
  constructor(options: RolloutClientOptions) {
    const store = options.store ?? (storesResults(options) ? defaultStore(options) : undefined);
    super({ ...options, store, runtime: paced(options) });
    this.#ownStore = options.store === undefined && store instanceof S3ResultStore ? store : undefined;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#ownStore?.close();
  }
}

function storesResults({ results, bucket }: RolloutClientOptions): boolean {
  return results === 'store' || (results === undefined && bucket !== undefined);
}

function defaultStore({ agentRuntimeArn }: RolloutClientOptions): ResultStore {
  return resultStoreFromEnvironment() ?? s3BesideRuntime(agentRuntimeArn);
}

// As the Python client: the bucket is looked for in the runtime's region first.
function s3BesideRuntime(arn: string | undefined): S3ResultStore {
  return new S3ResultStore(arn === undefined ? {} : { region: parseAgentRuntimeArn(arn).region });
}

function paced(options: RolloutClientOptions): Core['runtime'] {
  const { runtime, tpsLimit, dataPlanePerSecond, maxRetryAttempts } = options;
  if (runtime === undefined) {
    return ({ agentRuntimeArn = '', maxPoolConnections, ...limits }, onEvent) =>
      createAgentCoreRuntime({ ...limits, agentRuntimeArn, maxConnections: maxPoolConnections, onEvent });
  }
  if (typeof runtime === 'function' || (tpsLimit ?? dataPlanePerSecond ?? maxRetryAttempts) === undefined)
    return runtime;
  const limits = { newSessionsPerSecond: tpsLimit, dataPlanePerSecond, maxRetryAttempts };
  return (_, onEvent) => new PacedRuntime(runtime, { ...limits, onEvent });
}
