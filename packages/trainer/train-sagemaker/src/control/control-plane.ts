import {
  type Clock,
  growingPauseMs,
  pause,
  retryPatiently,
  ArtError,
  isJsonObject,
  jsonIn,
} from '@art/ground';
import type { ResolvedTrainingOptions } from '../options/sagemaker-training-options.ts';
import { AwsFailure } from '../wire/aws-failure.ts';
import type { SignedCalls } from '../wire/signed-calls.ts';
import type { Operation } from '../wire/operations.ts';
import { toArtError } from '../wire/to-art-error.ts';

/** How often a session that starts is asked for its state. */
const statePollMs = 10_000;
/** How long a service may not know the session that it has just created. One that does not know it later has lost it. */
const knownWithinMs = 60_000;
const tries = 3;
// A session that is not stopped costs money.
const triesToStop = 12;
const pauses = { firstMs: 2_000, longestMs: 10_000, jitter: 1 };

/** Words that AWS's own SDK takes for a stop that has happened already. */
const stoppedAlready =
  /invalid session state transition from (Stopping|Stopped|Failed|Expired|Deleting|DeletionFailed)/i;

/** `Created`, `Scheduled`, `Running`, `Blocked`, `Failed`, `Stopping`, `Stopped`, `Expired`, `Deleting`, `DeletionFailed`, or one that is new. */
export interface TrainingSessionState {
  status: string;
  /** Why it failed. */
  details: string | undefined;
}

/** Facts of a hub about a model. */
export interface BaseModel {
  /** `Available`, or why it is not. */
  status: string;
  /** Where its tokenizer comes from, a name on the Hugging Face Hub. */
  tokenizerId: string | undefined;
}

/** The control plane of training sessions: the operations of "SageMaker" 2017-07-24 in AWS JSON 1.1. */
export class ControlPlane {
  readonly #calls: SignedCalls;
  readonly #clock: Clock;

  constructor(calls: SignedCalls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
  }

  /** @returns when the service knows the session; it is not ready yet */
  async create(name: string, options: ResolvedTrainingOptions, signal?: AbortSignal): Promise<void> {
    const {
      roleArn,
      baseModelArn,
      outputS3,
      acceptEula,
      loraRank,
      loraAlpha,
      vpcConfig,
      tags = {},
    } = options;
    const doing = `Creating the training session ${name}`;
    await this.#ask(
      'CreateTrainingSession',
      {
        TrainingSessionName: name,
        LoraConfig: { Rank: loraRank, Alpha: loraAlpha },
        RoleArn: roleArn,
        ModelConfig: {
          BaseModelArn: baseModelArn,
          ...(acceptEula !== undefined && { AcceptEula: acceptEula }),
        },
        OutputConfig: {
          S3Location: {
            Path: outputS3,
            ...(options.kmsKeyArn !== undefined && { KmsKeyArn: options.kmsKeyArn }),
          },
        },
        ...(options.modelPackageGroupArn !== undefined && {
          ModelPackageGroupArn: options.modelPackageGroupArn,
        }),
        ...(vpcConfig !== undefined && { VpcConfig: vpcConfig }),
        ...(Object.keys(tags).length > 0 && {
          Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
        }),
      },
      doing,
      signal,
      // The call has no token. A name that is in use after a lost answer is the session that the lost call made.
      (failure, attempt) => attempt > 1 && failure.kind === 'ResourceInUse',
    );
  }

  /** @returns undefined for a session that the service does not know */
  async describe(name: string, signal?: AbortSignal): Promise<TrainingSessionState | undefined> {
    const answer = await this.#ask(
      'DescribeTrainingSession',
      { TrainingSessionName: name },
      `Asking for the training session ${name}`,
      signal,
      isUnknown,
    );
    if (answer === undefined) return undefined;
    const detail = isJsonObject(answer) ? answer['TrainingSessionDetail'] : undefined;
    if (!isJsonObject(detail) || typeof detail['TrainingSessionStatus'] !== 'string') {
      throw new ArtError({
        code: 'ART_SAGEMAKER_UNKNOWN_ANSWER',
        message: `Expected DescribeTrainingSession to answer with TrainingSessionDetail.TrainingSessionStatus, got ${JSON.stringify(answer).slice(0, 200)}.`,
      });
    }
    const details = detail['ErrorDetails'];
    return {
      status: detail['TrainingSessionStatus'],
      details: typeof details === 'string' ? details : undefined,
    };
  }

  /** Names of sessions that cost money, a hundred at most. */
  async running(signal?: AbortSignal): Promise<string[]> {
    const answer = await this.#ask(
      'ListTrainingSessions',
      { StatusEquals: 'Running', MaxResults: 100 },
      'Listing the training sessions',
      signal,
      () => false,
    );
    const summaries = isJsonObject(answer) ? answer['TrainingSessionSummaries'] : undefined;
    if (!Array.isArray(summaries)) return [];
    return summaries.map((summary: unknown) =>
      String(isJsonObject(summary) ? summary['TrainingSessionArn'] : summary).replace(/^.*\//, ''),
    );
  }

  /** @param arn `arn:...:hub-content/<hub>/Model/<name>[/<version>]` @returns undefined where there is no such model */
  async baseModel(arn: string, signal?: AbortSignal): Promise<BaseModel | undefined> {
    const [, hub, type, name, version] = arn.split(':').slice(5).join(':').split('/');
    const answer = await this.#ask(
      'DescribeHubContent',
      {
        HubName: hub,
        HubContentType: type,
        HubContentName: name,
        ...(version !== undefined && { HubContentVersion: version }),
      },
      `Asking for the base model ${arn}`,
      signal,
      isUnknown,
    );
    if (!isJsonObject(answer)) return undefined;
    const text = answer['HubContentDocument'];
    const document = typeof text === 'string' ? jsonIn(text) : undefined;
    const tokenizer = isJsonObject(document) ? document['HuggingfaceId'] : undefined;
    return {
      status: String(answer['HubContentStatus']),
      tokenizerId: typeof tokenizer === 'string' ? tokenizer : undefined,
    };
  }

  /** Waits until a session takes operations. */
  async untilRunning(
    name: string,
    withinMs: number,
    tell: (status: string) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const beganAtMs = this.#clock.nowMs();
    for (;;) {
      const state = await this.describe(name, signal);
      const status = state?.status ?? 'unknown to the service';
      if (status === 'Running') return;
      const isStarting = status === 'Created' || status === 'Scheduled' || state === undefined;
      const mostMs = state === undefined ? Math.min(knownWithinMs, withinMs) : withinMs;
      const isLate = this.#clock.nowMs() - beganAtMs >= mostMs;
      if (!isStarting || isLate) {
        const why = state?.details ?? (isLate ? `it was not ready within ${mostMs} ms` : '');
        throw new ArtError({
          code: 'ART_SAGEMAKER_SESSION_ENDED',
          message: `The training session ${name} did not become ready; it is ${status}${why === '' ? '' : `: ${why}`}.`,
        });
      }
      tell(status);
      await pause(Math.min(statePollMs, withinMs), { signal, clock: this.#clock });
    }
  }

  /** Ends a session, also one that was never created or has ended. */
  async stop(name: string, signal?: AbortSignal): Promise<void> {
    await this.#ask(
      'StopTrainingSession',
      { TrainingSessionName: name },
      `Stopping the training session ${name}, which may still cost money,`,
      signal,
      (failure) => isUnknown(failure) || stoppedAlready.test(failure.message),
    );
  }

  /** Deletes a version of saved weights, also one that is gone. Its files in S3 stay. */
  async deletePackage(arn: string): Promise<void> {
    await this.#ask(
      'DeleteModelPackage',
      { ModelPackageName: arn },
      `Deleting the model package ${arn}`,
      undefined,
      isUnknown,
    );
  }

  async #ask(
    operation: Operation,
    body: object,
    doing: string,
    signal: AbortSignal | undefined,
    isDone: (failure: AwsFailure, attempt: number) => boolean,
  ): Promise<unknown> {
    try {
      return await retryPatiently(
        async (attempt) => {
          try {
            return await this.#calls.send({
              method: 'POST',
              path: '/',
              body,
              headers: {
                'content-type': 'application/x-amz-json-1.1',
                'x-amz-target': `SageMaker.${operation}`,
              },
              signal,
            });
          } catch (error) {
            if (error instanceof AwsFailure && isDone(error, attempt)) return undefined;
            throw error;
          }
        },
        {
          isRetryable: (error) => error instanceof AwsFailure && error.isTransient,
          pauseMs: (failures) => growingPauseMs(failures, pauses),
          tries: operation === 'StopTrainingSession' ? triesToStop : tries,
          signal,
          clock: this.#clock,
        },
      );
    } catch (error) {
      throw toArtError(doing, error);
    }
  }
}

function isUnknown({ kind, message }: AwsFailure): boolean {
  return (
    kind === 'ResourceNotFound' || kind === 'ResourceNotFoundException' || /does not exist/i.test(message)
  );
}
