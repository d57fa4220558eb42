import { createAgentCoreRuntime, PacedRuntime } from '@art/invoke';
import { ArtError } from '@art/protocol';
import * as rollout from '@art/rollout';
import { resultStoreFromEnvironment } from '@art/store';

type Core = rollout.RolloutClientOptions;

/** As in `@art/rollout`, with defaults for the runtime and the store. */
export type RolloutClientOptions = Omit<Core, 'runtime' | 'store'> & {
  /** @default AgentCore, at `agentRuntimeArn` */
  runtime?: Core['runtime'] | undefined;
  /** @default what ART_RESULT_STORE names */
  store?: Core['store'] | undefined;
};

/** Submits rollouts to an agent on AgentCore, paced and retried, and collects their results. */
export class RolloutClient extends rollout.RolloutClient {
  /** @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN` */
  constructor(options: RolloutClientOptions) {
    const store = options.store ?? resultStoreFromEnvironment();
    if (store === undefined)
      refuse('store, or a result store in ART_RESULT_STORE, such as file:///tmp/results');
    super({ ...options, store, runtime: runtimeOf(options) });
  }
}

function runtimeOf(options: RolloutClientOptions): Core['runtime'] {
  const { runtime, tpsLimit, maxRetryAttempts } = options;
  if (typeof runtime === 'function') return runtime;
  if (runtime !== undefined) {
    const isPaced = tpsLimit !== undefined || maxRetryAttempts !== undefined;
    return isPaced
      ? () => new PacedRuntime(runtime, { newSessionsPerSecond: tpsLimit, maxRetryAttempts })
      : runtime;
  }
  return ({ agentRuntimeArn, maxPoolConnections, ...limits }) =>
    createAgentCoreRuntime({
      ...limits,
      agentRuntimeArn: agentRuntimeArn ?? refuse('agentRuntimeArn, or a runtime'),
      maxConnections: maxPoolConnections,
    });
}

function refuse(what: string): never {
  throw new ArtError({ code: 'ART_INVALID_OPTION', message: `Expected ${what}, got neither.` });
}
