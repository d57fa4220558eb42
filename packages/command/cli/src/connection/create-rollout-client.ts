import {
  type AgentRuntime,
  createAgentCoreRuntime,
  RolloutClient,
  type RolloutClientOptions,
} from '@art/client';
import type { RuntimeEvent } from '@art/protocol';
import { S3ResultStore } from '@art/store-s3';
import type { InvokeTarget } from './invoke-target.ts';
import { localCredentials } from './sdk-environment.ts';

/** How late a result may be noticed on AWS, where a look at the store costs a request. */
export const awsLagBoundMs = 1_000;

/** A client, and what it was made of. */
export interface ConnectedClient extends AsyncDisposable {
  client: Pick<RolloutClient, 'runBatch' | 'resume' | 'resumeGroups'>;
}

/** Settings that rollouts are sent with. */
export interface ClientSettings {
  qualifier?: string | undefined;
  expId: string | undefined;
  baseUrl?: string | undefined;
  modelId?: string | undefined;
  /** Captures what agents say, in place of `baseUrl`. */
  gateway?: RolloutClientOptions['gateway'];
  /** Further fields of `_rollout`, for all rollouts. */
  set?: Readonly<Record<string, unknown>> | undefined;
  /** True if the store is asked before anything is sent. @default true */
  storeCheck?: boolean | undefined;
  /** @default 1_000: batches are watched by a program, and a look at the store costs a request */
  lagBoundMs?: number | undefined;
}

/**
 * The real thing: the AWS SDKs, pacing and retries, at AWS or at a local AWS.
 * @param onNotice called with warnings
 */
export function createRolloutClient(
  target: InvokeTarget,
  settings: ClientSettings,
  onNotice: (message: string) => void,
): ConnectedClient {
  const store = createTargetStore(target, onNotice);
  const client = new RolloutClient({
    agentRuntimeArn: target.agentRuntimeArn,
    runtime: (_, onEvent) => createTargetRuntime(target, settings.qualifier, onEvent),
    store,
    bucket: target.bucket,
    expId: settings.expId,
    baseUrl: settings.baseUrl,
    gateway: settings.gateway,
    modelId: settings.modelId,
    extraConfig: settings.set,
    watch: { lagBoundMs: settings.lagBoundMs ?? awsLagBoundMs },
    checkStore: settings.storeCheck,
    onWarning: onNotice,
  });
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await store?.close();
    },
  };
}

/** Where its agents put their results; undefined where these come from sessions. */
export function createTargetStore(
  { bucket, region, endpoint, credentials }: InvokeTarget,
  onNotice: (message: string) => void,
): S3ResultStore | undefined {
  if (bucket === undefined) return undefined;
  return new S3ResultStore({
    region,
    endpoint,
    clientConfig: credentials === 'local' ? { credentials: localCredentials } : {},
    onWarning: ({ message }) => onNotice(message),
  });
}

/** AgentCore at AWS, or a local one; with pacing and retries. */
export function createTargetRuntime(
  { agentRuntimeArn, endpoint, credentials }: InvokeTarget,
  qualifier: string | undefined,
  onEvent?: (event: RuntimeEvent) => void,
): AgentRuntime {
  return createAgentCoreRuntime({
    agentRuntimeArn,
    qualifier,
    clientOptions: {
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials === 'local' && { credentials: localCredentials }),
    },
    onEvent,
  });
}
