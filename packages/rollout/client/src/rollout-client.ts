import { createAgentCoreRuntime, PacedRuntime } from '@art/invoke';
import { checkBucketName } from '@art/ground';
import { parseAgentRuntimeArn } from '@art/protocol';
import * as rollout from '@art/rollout';
import { resultStoreFromEnvironment } from '@art/store';
import { S3ResultStore } from '@art/store-s3';

/** As in `@art/rollout`; unless given, `runtime` is AgentCore and, with a bucket, `store` ART_RESULT_STORE's or S3. */
export type RolloutClientOptions = Partial<rollout.RolloutClientOptions>;

/** Submits rollouts to an agent on AgentCore and collects their results: from S3 with a bucket, from their sessions without. */
export class RolloutClient extends rollout.RolloutClient {
  readonly #ownStore: S3ResultStore | undefined;

  /** @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_INVALID_BUCKET` */
  constructor(options: RolloutClientOptions) {
    const { bucket, results = bucket === undefined ? 'session' : 'store' } = options;
    const store = options.store ?? (results === 'store' ? defaultStore(options.agentRuntimeArn) : undefined);
    super({ ...options, store, runtime: paced(options) });
    if (store instanceof S3ResultStore) checkBucketName(options.bucket);
    this.#ownStore = options.store === undefined && store instanceof S3ResultStore ? store : undefined;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#ownStore?.close();
  }
}

// As the Python client: the bucket is looked for in the runtime's region first.
function defaultStore(arn?: string): rollout.RolloutClientOptions['store'] {
  const region = arn === undefined ? undefined : parseAgentRuntimeArn(arn).region;
  return resultStoreFromEnvironment() ?? new S3ResultStore({ region });
}

function paced(options: RolloutClientOptions): rollout.RolloutClientOptions['runtime'] {
  const { runtime, tpsLimit, dataPlanePerSecond, maxRetryAttempts } = options;
  if (runtime === undefined)
    return ({ agentRuntimeArn = '', maxPoolConnections, ...limits }, onEvent) =>
      createAgentCoreRuntime({ ...limits, agentRuntimeArn, maxConnections: maxPoolConnections, onEvent });
  if (typeof runtime === 'function' || (tpsLimit ?? dataPlanePerSecond ?? maxRetryAttempts) === undefined)
    return runtime;
  const limits = { newSessionsPerSecond: tpsLimit, dataPlanePerSecond, maxRetryAttempts };
  return (_, onEvent) => new PacedRuntime(runtime, { ...limits, onEvent });
}
