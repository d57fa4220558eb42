import { type Clock, systemClock } from '@art/ground';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { TrainingSessionRequest, SessionRecord, TrainingService } from '@art/train/steps';
import { type BaseModel, ControlPlane } from './control/control-plane.ts';
import {
  type AwsKeys,
  controlEndpoint,
  type KeySource,
  readTrainingOptions,
  type SageMakerTrainingOptions,
} from './options/sagemaker-training-options.ts';
import { SessionRuntime } from './operations/session-runtime.ts';
import { TemporaryPackages } from './operations/temporary-packages.ts';
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
  const control = new ControlPlane(new SignedCalls(resolved.endpoint, region, credentials, clock), clock);
  const runtime = new SignedCalls(resolved.runtimeEndpoint, region, credentials, clock);
  return {
    name: 'sagemaker',
    place: { region },
    async open(session: TrainingSessionRequest) {
      const { name, signal } = session;
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
        temporary: new TemporaryPackages({
          remove: (arn) => control.deletePackage(arn),
          note: (facts) => session.note(facts),
          onNotice,
        }),
        remove: (arn) => control.deletePackage(arn),
        stop: () => control.stop(name),
      });
    },
    ...sessionsOf(control, onNotice),
  };
}

export interface SageMakerSessionsOptions {
  region: string;
  /** @default those of the environment, as AWS's SDKs find them */
  credentials?: KeySource | undefined;
  /** @default `https://api.sagemaker.<region>.amazonaws.com` */
  endpoint?: string | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

/** The sessions of a region, to find out what became of them and to end them. Nothing can be trained with it. */
export function sagemakerSessions({
  region,
  credentials = defaultProvider({ clientConfig: { region } }),
  endpoint = controlEndpoint(region),
  clock = systemClock,
}: SageMakerSessionsOptions): Pick<TrainingService, 'state' | 'stop'> {
  return sessionsOf(
    new ControlPlane(new SignedCalls(endpoint, region, credentials, clock), clock),
    (message) => process.emitWarning(message, 'ArtWarning'),
  );
}

/** Questions to an account before a session is created. They cost nothing. */
export interface SageMakerAccount {
  /** The keys that calls are signed with. */
  credentials(): Promise<AwsKeys>;
  /** Names of sessions that run, and cost money. @throws ArtError `ART_SAGEMAKER_REFUSED`, `ART_SAGEMAKER_UNREACHABLE` */
  runningSessions(signal?: AbortSignal): Promise<string[]>;
  /** Undefined where the hub has no such model. @throws as `runningSessions` */
  baseModel(arn: string, signal?: AbortSignal): Promise<BaseModel | undefined>;
}

/** The account behind the credentials, in one region. */
export function sagemakerAccount({
  region,
  credentials = defaultProvider({ clientConfig: { region } }),
  endpoint = controlEndpoint(region),
  clock = systemClock,
}: SageMakerSessionsOptions): SageMakerAccount {
  const control = new ControlPlane(new SignedCalls(endpoint, region, credentials, clock), clock);
  return {
    credentials: () => credentials(),
    runningSessions: (signal) => control.running(signal),
    baseModel: (arn, signal) => control.baseModel(arn, signal),
  };
}

const runningStates = ['Created', 'Scheduled', 'Running', 'Blocked'];
const endedStates = ['Failed', 'Stopping', 'Stopped', 'Expired', 'Deleting', 'DeletionFailed'];

function sessionsOf(
  control: ControlPlane,
  onNotice: (message: string) => void,
): Pick<TrainingService, 'state' | 'stop'> {
  return {
    async state({ name }: SessionRecord, signal) {
      const state = await control.describe(name, signal);
      if (state === undefined || endedStates.includes(state.status)) return 'ended';
      return runningStates.includes(state.status) ? 'running' : 'unknown';
    },
    async stop({ name, place }: SessionRecord, signal) {
      await control.stop(name, signal);
      const remove = (arn: string): Promise<void> => control.deletePackage(arn);
      const left = new TemporaryPackages({ remove, note: () => Promise.resolve(), onNotice }, place);
      await left.deleteAll();
    },
  };
}
