import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { OpenSession, SessionRecord, TrainingService } from '@art/train/steps';
import { ControlPlane } from './control/control-plane.ts';
import { readTrainingOptions, type SageMakerTrainingOptions } from './options/sagemaker-training-options.ts';
import { SessionRuntime } from './operations/session-runtime.ts';
import { SageMakerSteps } from './sagemaker-steps.ts';
import { SignedCalls } from './wire/signed-calls.ts';

/**
 * SageMaker's training sessions as a service that makes training steps. The session costs money from its creation until it is stopped.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function sagemakerTraining(options: SageMakerTrainingOptions): TrainingService {
  const resolved = readTrainingOptions(options);
  const { region, clock, onNotice } = resolved;
  const credentials = resolved.credentials ?? defaultProvider({ clientConfig: { region } });
  const control = new ControlPlane(new SignedCalls(resolved.endpoint, region, credentials), clock);
  const runtime = new SignedCalls(resolved.runtimeEndpoint, region, credentials);
  return {
    name: 'sagemaker',
    place: { region },
    async open({ name, signal }: OpenSession) {
      try {
        await control.create(name, resolved, signal);
        await control.untilRunning(
          name,
          resolved.readyWithinMs,
          (status) => onNotice(`The training session ${name} is ${status}.`),
          signal,
        );
      } catch (error) {
        // Also where creation failed: its answer may be what was lost.
        await control.stop(name).catch(() => undefined);
        throw error;
      }
      return new SageMakerSteps({
        runtime: new SessionRuntime(runtime, name, resolved),
        info: {
          baseModel: resolved.baseModelArn,
          loraRank: resolved.loraRank,
          minSampleTokens: 512,
        },
        reduction: resolved.reduction,
        stop: () => control.stop(name),
      });
    },
    async state({ name }: SessionRecord, signal) {
      const state = await control.describe(name, signal);
      if (state === undefined) return 'ended';
      return ['Created', 'Scheduled', 'Running', 'Blocked'].includes(state.status)
        ? 'running'
        : ['Failed', 'Stopping', 'Stopped', 'Expired', 'Deleting', 'DeletionFailed'].includes(state.status)
          ? 'ended'
          : 'unknown';
    },
    stop: ({ name }: SessionRecord, signal) => control.stop(name, signal),
  };
}
