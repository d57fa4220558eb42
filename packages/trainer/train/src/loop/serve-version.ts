import { outlastGateway } from '../rollouts/outlast-gateway.ts';
import type { TrainSettings } from '../run/train-options.ts';
import type { TrainingSteps, WeightsRef } from '../steps/index.ts';

/** Gives agents these weights, and tells the gateway which version they are. */
export async function serveVersion(
  { policy, gateway, signal, clock }: Pick<TrainSettings, 'policy' | 'gateway' | 'signal' | 'clock'>,
  steps: TrainingSteps,
  weights: WeightsRef,
  version: number,
): Promise<void> {
  policy.use(steps, weights, version);
  await outlastGateway(() => gateway.setWeightVersion(version, { signal }), { signal, clock });
}
