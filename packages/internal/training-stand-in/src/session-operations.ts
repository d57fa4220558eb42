import type { LossPass, SamplingConfig, TrainingConfig, WireAdam, WireModelInput } from './wire-shapes.ts';
import type { AdamParams, Loss, PassResult, StepRow, WeightsRef } from '@art/train/steps';
import type { LocalSession } from '@art/train/local';
import type { PackageShelf } from './package-shelf.ts';

/** The number that the sum of a pass is divided by. SageMaker does not document its choice. */
export type LossReduction = 'sum' | 'token-mean' | 'sequence-mean';

export interface SessionOperationsDeps {
  session: LocalSession;
  shelf: PackageShelf;
  group: string;
  reduction: LossReduction;
}

/** Carries out the operations of one session by its policy. Answers have the form of the wire. */
export class SessionOperations {
  readonly #deps: SessionOperationsDeps;
  /** By ARN, what sampling gets. */
  readonly #loaded = new Map<string, WeightsRef | 'base'>();
  #newest: WeightsRef | 'base' = 'base';

  constructor(deps: SessionOperationsDeps) {
    this.#deps = deps;
  }

  async train(config: TrainingConfig): Promise<object> {
    const { session, shelf, group } = this.#deps;
    if (config.forwardBackward !== undefined)
      return { forwardBackward: await this.#pass(config.forwardBackward, true) };
    if (config.forward !== undefined) return { forward: await this.#pass(config.forward, false) };
    if (config.optimizerStep !== undefined)
      return {
        optimizerStep: await session.optimStep(adamOf(config.optimizerStep.adamParamsConfig)).result(),
      };
    if (config.loadState !== undefined) {
      const { modelPackageArn, loadOptimizer } = config.loadState;
      const state = shelf.state(modelPackageArn);
      if (state === undefined)
        throw new Error(`Model package ${modelPackageArn} is not a training checkpoint.`);
      await session.loadState(state, { optimizer: loadOptimizer }).result();
      return { loadState: {} };
    }
    const version = shelf.next(group);
    const modelPackageArn = shelf.arn(group, version);
    if (config.saveState !== undefined) {
      await session.saveState(String(version)).result();
      return { saveState: { modelPackageArn } };
    }
    await session.saveForSampling(String(version), { keep: true }).result();
    return { saveWeights: { modelPackageArn } };
  }

  async sample(config: SamplingConfig): Promise<object> {
    const { session } = this.#deps;
    if (config.loadWeightsForSampling !== undefined) {
      const { modelPackageArn } = config.loadWeightsForSampling;
      const weights = this.#deps.shelf.weights(modelPackageArn);
      if (weights === undefined)
        throw new Error(`Model package ${modelPackageArn} holds no weights to sample from.`);
      this.#serve(modelPackageArn, weights);
      return { loadWeightsForSampling: {} };
    }
    if (config.computeLogprobs !== undefined) {
      const { prompt, modelPackageArn } = config.computeLogprobs;
      return {
        computeLogprobs: {
          logprobs: await session.logprobs(tokensOf(prompt), this.#served(modelPackageArn)),
        },
      };
    }
    const {
      prompt,
      numSamples,
      samplingParams,
      includePromptLogprobs = false,
      modelPackageArn,
    } = config.sample!;
    const { maxTokens, temperature = 1, topK = -1, topP = 1, seed, stop } = samplingParams;
    const weights = this.#served(modelPackageArn);
    const tokens = tokensOf(prompt);
    const samples = await session.sample({
      prompt: tokens,
      samples: numSamples,
      maxTokens,
      temperature,
      topP,
      topK: Math.max(0, topK),
      seed,
      stop,
      weights,
    });
    const sequences = samples.map((sample) => ({
      stopReason: sample.stopReason,
      tokens: sample.tokens,
      logprobs: sample.logprobs,
      tokenUsage: { prefill: tokens.length, decode: sample.tokens.length },
    }));
    if (!includePromptLogprobs) return { sample: { sequences } };
    return { sample: { sequences, promptLogprobs: await session.logprobs(tokens, weights) } };
  }

  /** As if it had been done: what comes out of an operation whose effect is lost. */
  async pretend(config: TrainingConfig | SamplingConfig): Promise<object> {
    if ('loadWeightsForSampling' in config)
      this.#serve(config.loadWeightsForSampling.modelPackageArn, this.#newest);
    if ('forwardBackward' in config)
      return { forwardBackward: await this.#pass(config.forwardBackward, false) };
    const [kind = ''] = Object.keys(config);
    return { [kind]: { metrics: {}, lossFnOutputs: [] } };
  }

  /** @throws Error where the version was not loaded */
  checkServed(config: SamplingConfig): void {
    const { modelPackageArn } = config.sample ?? config.computeLogprobs ?? {};
    if (modelPackageArn !== undefined) this.#served(modelPackageArn);
  }

  #serve(arn: string, weights: WeightsRef | 'base'): void {
    this.#loaded.set(arn, weights);
    this.#newest = weights;
  }

  #served(arn: string | undefined): WeightsRef | 'base' {
    if (arn === undefined) return this.#newest;
    const weights = this.#loaded.get(arn);
    if (weights === undefined) throw new Error(`Model package ${arn} is not loaded for sampling.`);
    return weights;
  }

  async #pass(pass: LossPass, withGradient: boolean): Promise<object> {
    const rows = scaled(pass.datumList.map(rowOf), this.#deps.reduction);
    const { session } = this.#deps;
    const loss = lossOf(pass);
    const { logprobs = [], metrics }: PassResult = await (
      withGradient ? session.forwardBackward(rows, loss) : session.forward(rows, loss)
    ).result();
    return {
      lossFnOutputType: 'scalar',
      lossFnOutputs: logprobs.map((data) => ({ logprobs: { data, dtype: 'float32', shape: [data.length] } })),
      metrics,
      tokenUsage: { trainingTokens: rows.reduce((sum, { tokens }) => sum + tokens.length, 0) },
    };
  }
}

function rowOf({ modelInput, lossFnInputs }: LossPass['datumList'][number]): StepRow {
  const { target_tokens: targets, weights, advantages, logprobs } = lossFnInputs ?? {};
  return {
    tokens: tokensOf(modelInput),
    targets: targets!.data,
    weights: weights!.data,
    advantages: advantages?.data,
    logprobs: logprobs?.data,
  };
}

function scaled(rows: readonly StepRow[], reduction: LossReduction): readonly StepRow[] {
  if (reduction === 'sum') return rows;
  const all = rows.reduce((sum, { weights }) => sum + sumOf(weights), 0);
  return rows.map((row) => {
    const by = reduction === 'token-mean' ? all : sumOf(row.weights) * rows.length;
    return by === 0 ? row : { ...row, weights: row.weights.map((weight) => weight / by) };
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function lossOf({ lossFnName: name, lossFnConfig = {} }: LossPass): Loss {
  if (name !== 'ppo' && name !== 'cispo') return { name };
  const { clip_low_threshold: clipLow = 0.8, clip_high_threshold: clipHigh = 1.2 } = lossFnConfig;
  return { name, clipLow, clipHigh };
}

// The defaults of AWS's Python SDK, which always sends them.
function adamOf(config: WireAdam): AdamParams {
  const { beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weightDecay = 0.01, gradClipNorm = 0 } = config;
  return { learningRate: config.learningRate, beta1, beta2, eps, weightDecay, gradClipNorm };
}

function tokensOf({ chunks }: WireModelInput): number[] {
  return chunks.flatMap(({ tokens }) => tokens);
}
