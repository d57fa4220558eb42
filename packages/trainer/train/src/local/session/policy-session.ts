import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArtError } from '@art/ground';
import {
  type AdamParams,
  type Loss,
  type PassResult,
  type Sample,
  type SampleRequest,
  type SaveForSamplingOptions,
  type StateRef,
  type StepResult,
  type StepRow,
  type StepsInfo,
  type WeightsRef,
} from '../../steps/index.ts';
import { Policy } from '../model/policy.ts';
import type { PolicyShape } from '../model/policy-shape.ts';
import { type LoraOptions, newWeights, type PolicyWeights } from '../model/policy-weights.ts';
import { readSafetensors } from '../saving/safetensors.ts';
import { saveCheckpoint } from '../saving/save-policy.ts';
import { loadState, saveState } from '../saving/save-state.ts';
import { Sampler } from '../sampling/sampler.ts';
import { Adam } from '../training/adam.ts';
import { gatherGradients } from '../training/gather-gradients.ts';
import { checkRows } from './check-rows.ts';

export interface PolicySessionOptions {
  shape: PolicyShape;
  /** Decides about the weights to begin with. */
  seed: number;
  /** Undefined: all weights are trained. */
  lora?: LoraOptions | undefined;
  /** Folder for saved weights and states. */
  directory: string;
  /** The bytes of each token, in UTF-8, to find `stop` in. @default stop texts are refused */
  tokenBytes?: readonly Uint8Array[] | undefined;
}

/** The functions that can be called from another thread. */
export type CallName =
  | 'info'
  | 'forwardBackward'
  | 'forward'
  | 'optimStep'
  | 'saveForSampling'
  | 'saveState'
  | 'loadState'
  | 'sample'
  | 'logprobs'
  | 'forget'
  | 'stop';
export type CallResult<Name extends CallName> = Awaited<ReturnType<PolicySession[Name]>>;
/** Without the signal, which does not cross threads. */
export type CallArguments<Name extends CallName> = Name extends 'sample'
  ? [request: SampleRequest]
  : Name extends 'logprobs'
    ? [tokens: readonly number[], weights: WeightsRef | 'base']
    : Parameters<PolicySession[Name]>;

// Calls that are on their way may still name the versions before the newest.
const mostUnkept = 4;

/** A small policy that trains and samples in the thread that calls it, and occupies that. */
export class PolicySession {
  readonly #options: PolicySessionOptions;
  readonly #policy: Policy;
  readonly #adam: Adam;
  readonly #base: Policy;
  readonly #sampler = new Sampler();
  readonly #stopped = new AbortController();
  /** Versions that can be sampled, by their names. */
  readonly #versions = new Map<string, Policy>();
  readonly #unkept: string[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #failure: Error | undefined;
  #trainedTokens = 0;

  constructor(options: PolicySessionOptions) {
    const { shape, seed, lora } = options;
    this.#options = options;
    this.#policy = new Policy(shape, newWeights(shape, { seed, lora }), lora);
    this.#adam = new Adam(this.#policy.weights);
    this.#base = frozenCopy(this.#policy);
  }

  /** Token ids so far, by what was done with them. */
  get tokenCounts(): { prompt: number; sampled: number; trained: number } {
    return { ...this.#sampler.counts, trained: this.#trainedTokens };
  }

  info(): Promise<StepsInfo> {
    const { shape, lora } = this.#options;
    const size = [...this.#base.weights.values()].reduce((sum, { data }) => sum + data.length, 0);
    const baseModel = `a random policy of ${size.toLocaleString('en-US')} weights`;
    return Promise.resolve({ baseModel, loraRank: lora?.rank, maxContext: shape.maxContext });
  }

  forwardBackward(rows: readonly StepRow[], loss: Loss): Promise<PassResult> {
    return this.#inOrder(() => this.#pass(rows, loss, loss));
  }

  /** The logprobs of a pass without its gradient. */
  forward(rows: readonly StepRow[], loss: Loss): Promise<PassResult> {
    return this.#inOrder(() => this.#pass(rows, loss, undefined));
  }

  optimStep(adam: AdamParams): Promise<StepResult> {
    return this.#inOrder(() => {
      const { gradNorm } = this.#adam.step(adam);
      return Promise.resolve({ metrics: { grad_norm: gradNorm } });
    });
  }

  saveForSampling(name: string, { keep }: SaveForSamplingOptions): Promise<WeightsRef> {
    return this.#inOrder(async () => {
      const snapshot = frozenCopy(this.#policy);
      if (!keep) {
        const weights = `memory:${name}:${randomUUID()}`;
        this.#versions.set(weights, snapshot);
        this.#unkept.push(weights);
        if (this.#unkept.length > mostUnkept) this.#versions.delete(this.#unkept.shift()!);
        return { weights };
      }
      const folder = join(this.#options.directory, 'weights', name);
      await saveCheckpoint(folder, snapshot);
      this.#versions.set(folder, snapshot);
      return { weights: folder };
    });
  }

  saveState(name: string): Promise<StateRef> {
    return this.#inOrder(async () => {
      const state = join(this.#options.directory, 'states', `${name}.safetensors`);
      await saveState(state, this.#policy.weights, this.#adam);
      return { state };
    });
  }

  loadState({ state }: StateRef, { optimizer }: { optimizer: boolean }): Promise<void> {
    return this.#inOrder(() => loadState(state, this.#policy.weights, optimizer ? this.#adam : undefined));
  }

  async sample(
    { weights, stop = [], seed, ...request }: SampleRequest,
    signal?: AbortSignal,
  ): Promise<Sample[]> {
    const { tokenBytes } = this.#options;
    if (stop.length > 0 && tokenBytes === undefined)
      throw refused('Expected no `stop` texts: this session has no tokenizer to find them with.');
    const isEnd =
      stop.length === 0
        ? undefined
        : (tokens: readonly number[]): boolean => {
            const text = Buffer.concat(tokens.map((token) => tokenBytes![token]!)).toString();
            return stop.some((end) => text.includes(end));
          };
    this.#checkPrompt(request.prompt, this.#options.shape.maxContext - 1);
    return await this.#sampler.sample(
      await this.#version(weights),
      { ...request, seed: seed ?? Math.floor(Math.random() * 2 ** 32), isEnd },
      signal === undefined ? this.#stopped.signal : AbortSignal.any([signal, this.#stopped.signal]),
    );
  }

  async logprobs(
    tokens: readonly number[],
    weights: WeightsRef | 'base',
    signal?: AbortSignal,
  ): Promise<(number | null)[]> {
    this.#checkPrompt(tokens, this.#options.shape.maxContext);
    const row = { tokens: tokens.slice(0, -1), targets: tokens.slice(1), weights: [] };
    const version = await this.#version(weights);
    if (row.tokens.length === 0) return [null];
    const { logprobs } = await gatherGradients(version, [row], undefined);
    signal?.throwIfAborted();
    return [null, ...logprobs[0]!];
  }

  /** Deletes the files of kept weights or of a kept state. Only what this session's folder has. */
  async forget(save: WeightsRef | StateRef): Promise<boolean> {
    const path = 'weights' in save ? save.weights : save.state;
    const isOwn = dirname(path) === join(this.#options.directory, 'weights' in save ? 'weights' : 'states');
    if (!isOwn) return false;
    this.#versions.delete(path);
    await rm(path, { recursive: true, force: true });
    return true;
  }

  async stop(): Promise<void> {
    this.#failure ??= stoppedError();
    this.#stopped.abort(stoppedError());
    await this.#last;
  }

  #inOrder<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => {
      if (this.#failure !== undefined) throw this.#failure;
      return operation();
    });
    this.#last = result.catch((error: unknown) => {
      this.#failure ??= error as Error;
    });
    // The caller may ask for the failure later.
    result.catch(() => undefined);
    return result;
  }

  async #pass(rows: readonly StepRow[], checked: Loss, loss: Loss | undefined): Promise<PassResult> {
    checkRows(rows, checked, this.#options.shape);
    const { loss: total, logprobs } = await gatherGradients(this.#policy, rows, loss, this.#stopped.signal);
    this.#trainedTokens += rows.reduce((sum, { tokens }) => sum + tokens.length, 0);
    return {
      logprobs,
      answeredRows: rows.length,
      metrics: loss === undefined ? {} : { 'loss:sum': total },
    };
  }

  /** @throws ArtError `ART_TRAIN_UNKNOWN_SAVE` */
  async #version(weights: WeightsRef | 'base'): Promise<Policy> {
    this.#stopped.signal.throwIfAborted();
    if (weights === 'base') return this.#base;
    const known = this.#versions.get(weights.weights);
    if (known !== undefined) return known;
    const { tensors } = await readSafetensors(join(weights.weights, 'model.safetensors'));
    const policy = new Policy(
      this.#options.shape,
      frozen(this.#base.weights, (name) => tensors.get(name)?.data),
    );
    this.#versions.set(weights.weights, policy);
    return policy;
  }

  #checkPrompt(prompt: readonly number[], most: number): void {
    const { vocabularySize } = this.#options.shape;
    if (prompt.length === 0 || prompt.length > most)
      throw refused(`Expected a prompt of 1 to ${most} tokens, got ${prompt.length}.`);
    const strange = prompt.find((id) => !Number.isInteger(id) || id < 0 || id >= vocabularySize);
    if (strange !== undefined)
      throw refused(
        `Expected token ids from 0 to ${vocabularySize - 1}, got ${strange}. Were they made by another tokenizer?`,
      );
  }
}

/** A version for sampling: what is trained continues beside it. */
function frozenCopy({ shape, weights, lora }: Policy): Policy {
  return new Policy(
    shape,
    frozen(weights, (name) => weights.get(name)!.data.slice()),
    lora,
  );
}

function frozen(
  weights: PolicyWeights,
  dataOf: (name: string) => Float32Array | Float64Array | undefined,
): PolicyWeights {
  const copies = Array.from(weights, ([name, { rows, columns }]) => {
    const data = dataOf(name);
    return data === undefined ? [] : [[name, { rows, columns, data, grad: undefined }] as const];
  });
  return new Map(copies.flat());
}

function refused(message: string): ArtError {
  return new ArtError({ code: 'ART_TRAIN_SAMPLING_REFUSED', message });
}

export function stoppedError(): ArtError {
  return new ArtError({ code: 'ART_TRAIN_STOPPED', message: 'The training session was stopped.' });
}
