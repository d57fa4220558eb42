import { randomUUID } from 'node:crypto';
import { ArtError, refuseOption } from '@art/ground';
import {
  type AdamParams,
  chunkRows,
  joinPasses,
  type Loss,
  numbersOf,
  OperationOrder,
  type PassResult,
  type Sample,
  type SampleRequest,
  type SaveForSamplingOptions,
  type StateRef,
  type StepResult,
  type StepRow,
  type StepsInfo,
  submitted,
  type Submitted,
  type TrainingSteps,
  type WeightsRef,
} from '@art/train/steps';
import { passLogprobs, readArn, readPassLogprobs, readSampledSequences } from './operations/read-results.ts';
import type { SessionRuntime } from './operations/session-runtime.ts';
import type { TemporaryPackages } from './operations/temporary-packages.ts';
import { toDatum } from './operations/to-datum.ts';

/** Least `maxTokens` that the API takes. */
const leastSampleTokens = 512;
const mostSampleTokens = 131_072;
const mostSamples = 1_000;
/** Limits of one request, as AWS's own SDK keeps them: tokens, targets, weights, logprobs and advantages in ten bytes each. */
const requestLimits = { rows: 1_024, bytes: 10_000_000, bytesPerToken: 50 };
const highestLearningRate = 0.01;

export interface SageMakerSession {
  runtime: SessionRuntime;
  info: StepsInfo;
  reduction: 'sum' | 'token-mean';
  /** Versions that are not kept. */
  temporary: TemporaryPackages;
  /** Deletes a saved version, also one that is gone. */
  remove: (arn: string) => Promise<void>;
  /** Ends the session. */
  stop: () => Promise<void>;
}

/** The steps of one training session. */
export class SageMakerSteps implements TrainingSteps {
  readonly #session: SageMakerSession;
  readonly #order = new OperationOrder();
  readonly #ended = new AbortController();
  /** Weights that the sampler has, or is about to have. */
  readonly #loaded = new Map<string, Promise<unknown>>();
  #hasSaved = false;
  #stopping: Promise<void> | undefined;

  constructor(session: SageMakerSession) {
    this.#session = session;
  }

  info(): Promise<StepsInfo> {
    return Promise.resolve(this.#session.info);
  }

  forwardBackward(rows: readonly StepRow[], loss: Loss): Submitted<PassResult> {
    const { reduction } = this.#session;
    const parts = chunkRows(rows, requestLimits).map((part) => {
      // A mean over the targets of a request, times their number, is their sum.
      const scale =
        reduction === 'sum' ? 1 : part.reduce((sum, row) => sum + row.weights.reduce((a, b) => a + b, 0), 0);
      const config =
        loss.name === 'ppo' || loss.name === 'cispo'
          ? { clip_low_threshold: loss.clipLow, clip_high_threshold: loss.clipHigh }
          : undefined;
      const pass = {
        lossFnName: loss.name,
        datumList: part.map((row) => toDatum(row, loss, scale)),
        ...(config !== undefined && { lossFnConfig: config }),
      };
      const result = this.#train('forwardBackward', pass, `a pass over ${part.length} rows`);
      return result.then((given) => ({
        rows: part,
        logprobs: passLogprobs(given),
        metrics: given['metrics'],
      }));
    });
    return submitted(Promise.all(parts).then(joinPasses));
  }

  optimStep(adam: AdamParams): Submitted<StepResult> {
    if (!(adam.learningRate > 0 && adam.learningRate <= highestLearningRate))
      refuseOption(
        'learningRate',
        `greater than 0, and at most ${highestLearningRate} on SageMaker`,
        adam.learningRate,
      );
    const { learningRate, beta1, beta2, eps, weightDecay, gradClipNorm } = adam;
    const config = { learningRate, beta1, beta2, eps, weightDecay, gradClipNorm };
    return submitted(
      this.#train('optimizerStep', { adamParamsConfig: config }, 'an optimizer step').then(({ metrics }) => ({
        metrics: numbersOf(metrics),
      })),
    );
  }

  saveForSampling(name: string, { keep }: SaveForSamplingOptions): Submitted<WeightsRef> {
    return submitted(
      this.#train('saveWeights', { description: name }, `saving the weights ${name}`).then(async (result) => {
        const arn = readArn(result);
        this.#hasSaved = true;
        if (!keep) await this.#session.temporary.saved(arn);
        await this.#load(arn);
        return { weights: arn };
      }),
    );
  }

  saveState(name: string): Submitted<StateRef> {
    return submitted(
      this.#train('saveState', { description: name }, `saving the state ${name}`).then((result) => ({
        state: readArn(result),
      })),
    );
  }

  loadState({ state }: StateRef, { optimizer }: { optimizer: boolean }): Submitted<void> {
    const config = { modelPackageArn: state, loadOptimizer: optimizer };
    // What comes out of the state is no base model any more.
    this.#hasSaved = true;
    return submitted(this.#train('loadState', config, `loading the state ${state}`).then(() => undefined));
  }

  async sample(request: SampleRequest, signal?: AbortSignal): Promise<readonly Sample[]> {
    const { prompt, samples, maxTokens, temperature, topP = 1, topK = -1, seed, stop = [] } = request;
    if (maxTokens < leastSampleTokens || maxTokens > mostSampleTokens)
      refuseOption('maxTokens', `from ${leastSampleTokens} to ${mostSampleTokens} on SageMaker`, maxTokens);
    if (samples > mostSamples) refuseOption('samples', `at most ${mostSamples} on SageMaker`, samples);
    const arn = await this.#sampled(request.weights);
    const config = {
      prompt: modelInput(prompt),
      numSamples: samples,
      samplingParams: {
        maxTokens,
        temperature,
        topP,
        topK,
        ...(seed !== undefined && { seed }),
        ...(stop.length > 0 && { stop }),
      },
      ...arn,
    };
    return readSampledSequences(await this.#ask('sample', config, `${samples} samples`, signal), samples);
  }

  async logprobs(
    tokens: readonly number[],
    weights: WeightsRef | 'base',
    signal?: AbortSignal,
  ): Promise<readonly (number | null)[]> {
    const config = { prompt: modelInput(tokens), ...(await this.#sampled(weights)) };
    return readPassLogprobs(await this.#ask('computeLogprobs', config, 'logprobs', signal), tokens.length);
  }

  async forget(save: WeightsRef | StateRef): Promise<boolean> {
    const arn = 'weights' in save ? save.weights : save.state;
    this.#loaded.delete(arn);
    await this.#session.remove(arn);
    return true;
  }

  stop(): Promise<void> {
    this.#ended.abort(
      new ArtError({ code: 'ART_SAGEMAKER_SESSION_ENDED', message: 'The training session was stopped.' }),
    );
    this.#stopping ??= this.#session
      .stop()
      .then(() => this.#session.temporary.deleteAll())
      .catch((error: unknown) => {
        // Anyone who calls again tries again: the session may still cost money.
        this.#stopping = undefined;
        throw error;
      });
    return this.#stopping;
  }

  /** A training operation: numbered now, sent in its turn, asked for until it has ended. */
  async #train(member: string, config: object, what: string): Promise<Record<string, unknown>> {
    const { runtime } = this.#session;
    const { signal } = this.#ended;
    const clientToken = randomUUID();
    try {
      const id = await this.#order.submit((sequenceNumber) =>
        runtime.submit(
          'operations',
          { sequenceNumber, clientToken, operationConfig: { [member]: config } },
          what,
          signal,
        ),
      );
      return await runtime.result('operations', { id, member, what }, signal);
    } catch (error) {
      // A number that was given up is a gap, which blocks the session for ever.
      this.#order.fail(error as Error);
      throw error;
    }
  }

  /** A sampling operation. It has no number and no token: one that is sent twice may run, and cost, twice. */
  async #ask(
    member: string,
    config: object,
    what: string,
    asked?: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { runtime } = this.#session;
    const ended = this.#ended.signal;
    const signal = asked === undefined ? ended : AbortSignal.any([ended, asked]);
    const id = await runtime.submit(
      'sampling-operations',
      { operationConfig: { [member]: config } },
      what,
      signal,
    );
    return runtime.result('sampling-operations', { id, member, what }, signal);
  }

  /** Which weights a sampling operation is for. The sampler takes those only that were loaded into it. */
  async #sampled(weights: WeightsRef | 'base'): Promise<{ modelPackageArn?: string }> {
    if (weights !== 'base') {
      await this.#load(weights.weights);
      return { modelPackageArn: weights.weights };
    }
    if (!this.#hasSaved) return {};
    throw new ArtError({
      code: 'ART_SAGEMAKER_REFUSED',
      message:
        'Expected saved weights: once weights were saved, AWS does not say what a sample without them comes from. Save the weights of the base model before the first step (saveForSampling), and sample those.',
    });
  }

  #load(arn: string): Promise<unknown> {
    const known = this.#loaded.get(arn);
    if (known !== undefined) return known;
    const loading = this.#ask(
      'loadWeightsForSampling',
      { modelPackageArn: arn },
      `loading the weights ${arn}`,
    );
    this.#loaded.set(arn, loading);
    loading.catch(() => this.#loaded.delete(arn));
    return loading;
  }
}

function modelInput(tokens: readonly number[]): object {
  return { chunks: [{ tokens, type: 'encoded_text' }] };
}
