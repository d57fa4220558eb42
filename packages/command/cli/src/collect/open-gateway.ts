import { join } from 'node:path';
import { type CleanupStack, ArtError } from '@art/ground';
import { startGateway } from '@art/gateway';
import type { RolloutGatewayOptions } from '@art/rollout';
import type { CliContext } from '../cli-context.ts';
import { namedGateway } from '../connection/named-gateway.ts';
import { openRunBudget } from '../connection/open-run-budget.ts';
import type { CollectOptions } from './collect-options.ts';

/** Gateway that captures the model calls. */
export interface OpenedGateway {
  options: RolloutGatewayOptions;
  described: string;
  /** True if its sessions are nobody else's, so that they go once their rows are kept. */
  isOwn: boolean;
}

/**
 * The gateway that was named, else one of this process before the engine that was named.
 * @throws ArtError `ART_INVALID_OPTION`; GatewayError where the named one does not answer
 */
export async function openGateway(
  options: CollectOptions,
  { env, cwd }: Pick<CliContext, 'env' | 'cwd'>,
  parts: CleanupStack,
  state: string,
): Promise<OpenedGateway> {
  const { gateway: url, agentGateway: agentUrl, baseUrl, reach, cumulativeTokenMode } = options;
  if ((url === undefined) === (baseUrl === undefined)) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message:
        'Expected --base-url, the inference server, for a gateway of this process, or --gateway for one that runs already; and not both.',
    });
  }
  if (url !== undefined && cumulativeTokenMode) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message:
        'Expected --cumulative-token-mode together with --base-url, got it with --gateway: start that gateway with the flag ("art gateway --cumulative-token-mode").',
    });
  }
  const budget = openRunBudget(options, cwd, true, join(state, 'spending.jsonl'));
  const named = await namedGateway({ gateway: url, agentGateway: agentUrl, reach }, { env });
  if (named !== undefined) return { options: { ...named, budget }, described: url!, isOwn: false };
  const gateway = parts.use(
    await startGateway({
      port: 0,
      ...(agentUrl !== undefined && { allowedHosts: [new URL(agentUrl).hostname] }),
      workers: [{ url: baseUrl! }],
      cumulativeTokenMode,
      // A rollout that was captured before this process was killed keeps its tokens.
      store: { directory: join(state, 'captures') },
      logLevel: 'error',
      onSpent: (runId, spent) => {
        if (budget?.id === runId) budget.count(spent);
      },
    }),
  );
  return {
    options: { url: gateway.url, agentUrl, reach, budget },
    described: `${gateway.url}, before ${baseUrl}`,
    isOwn: true,
  };
}
