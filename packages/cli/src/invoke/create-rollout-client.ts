import { createAgentCoreRuntime, RolloutClient } from '@art/client';
import { S3ResultStore } from '@art/store-s3';
import { localCredentials } from '../dev/sdk-environment.ts';
import type { InvokeOptions } from './invoke-options.ts';
import type { InvokeTarget } from './invoke-target.ts';

/** A client for one rollout, and what it was made of. */
export interface ConnectedClient extends AsyncDisposable {
  client: Pick<RolloutClient, 'runBatch'>;
}

/** One rollout is waited for by a person: look more often than a batch would. */
const lagBoundMs = 200;

/**
 * The real thing: the AWS SDKs, pacing and retries, at AWS or at a local AWS.
 * @param onNotice told of warnings
 */
export function createRolloutClient(
  target: InvokeTarget,
  options: InvokeOptions,
  onNotice: (message: string) => void,
): ConnectedClient {
  const { endpoint, region } = target;
  const credentials = target.credentials === 'local' ? { credentials: localCredentials } : {};
  const store = new S3ResultStore({
    region,
    endpoint,
    clientConfig: credentials,
    onWarning: ({ message }) => onNotice(message),
  });
  const client = new RolloutClient({
    agentRuntimeArn: target.agentRuntimeArn,
    runtime: (_, onEvent) =>
      createAgentCoreRuntime({
        agentRuntimeArn: target.agentRuntimeArn,
        qualifier: options.qualifier,
        clientOptions: { ...(endpoint !== undefined && { endpoint }), ...credentials },
        onEvent,
      }),
    store,
    bucket: target.bucket,
    expId: options.expId,
    baseUrl: options.baseUrl,
    modelId: options.modelId,
    lagBoundMs,
    onWarning: onNotice,
  });
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await store.close();
    },
  };
}
