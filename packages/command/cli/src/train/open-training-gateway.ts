import type { CleanupStack } from '@art/ground';
import { type Gateway, type GatewayOptions, startGateway } from '@art/gateway';
import { tokenEngine } from '@art/token-engine';
import type { ServedPolicy } from '@art/train';
import type { OpenedService } from './opened-service.ts';
import type { TrainCommandOptions } from './train-options.ts';

/** A gateway whose model is the policy: agents call it as any chat API, and every token is captured. */
export async function openTrainingGateway(
  policy: ServedPolicy,
  { tokenizer, minSampleTokens, maxContext }: OpenedService,
  options: Pick<TrainCommandOptions, 'toolParser' | 'reasoningParser' | 'maxTokens'>,
  parts: CleanupStack,
  listen: Pick<GatewayOptions, 'host' | 'port' | 'allowedHosts'> = {},
): Promise<Gateway> {
  const engine = tokenEngine({
    sampler: {
      sample: (request, signal) => policy.sample(request, signal),
      minSampleTokens,
      ...(maxContext !== undefined && { maxContext }),
    },
    checkpoint: tokenizer,
    toolCallParser: options.toolParser,
    reasoningParser: options.reasoningParser,
    ...(options.maxTokens !== undefined && { defaultMaxTokens: options.maxTokens }),
    renderThreads: 1,
  });
  return parts.use(
    await startGateway({ port: 0, ...listen, engine, cumulativeTokenMode: true, logLevel: 'error' }),
  );
}
