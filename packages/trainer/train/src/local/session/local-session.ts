import { randomUUID } from 'node:crypto';
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
  submitted,
  type Submitted,
  type TrainingSteps,
  type WeightsRef,
} from '../../steps/index.ts';
import type {
  CallArguments,
  CallName,
  CallResult,
  PolicySession,
  PolicySessionOptions,
} from './policy-session.ts';
import { SessionThread } from './session-thread.ts';

export type LocalSessionOptions = PolicySessionOptions;

/** A small policy of this machine behind the port: trains and samples on the processor, in a thread beside this one. */
export class LocalSession implements TrainingSteps {
  readonly #thread = SessionThread.shared();
  readonly #name = randomUUID();
  #counts = { prompt: 0, sampled: 0, trained: 0 };
  #stopped: Promise<void> | undefined;

  constructor(options: LocalSessionOptions) {
    this.#thread.call(this.#name, { open: options }, () => undefined).catch(() => undefined);
  }

  /** Token ids so far, by what was done with them. */
  get tokenCounts(): { prompt: number; sampled: number; trained: number } {
    return this.#counts;
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  info(): Promise<StepsInfo> {
    return this.#call('info', []);
  }

  forwardBackward(rows: readonly StepRow[], loss: Loss): Submitted<PassResult> {
    return submitted(this.#call('forwardBackward', [rows, loss]));
  }

  /** The logprobs of a pass without its gradient. */
  forward(rows: readonly StepRow[], loss: Loss): Submitted<PassResult> {
    return submitted(this.#call('forward', [rows, loss]));
  }

  optimStep(adam: AdamParams): Submitted<StepResult> {
    return submitted(this.#call('optimStep', [adam]));
  }

  saveForSampling(name: string, options: SaveForSamplingOptions): Submitted<WeightsRef> {
    return submitted(this.#call('saveForSampling', [name, options]));
  }

  saveState(name: string): Submitted<StateRef> {
    return submitted(this.#call('saveState', [name]));
  }

  loadState(state: StateRef, options: { optimizer: boolean }): Submitted<void> {
    return submitted(this.#call('loadState', [state, options]));
  }

  sample(request: SampleRequest, signal?: AbortSignal): Promise<Sample[]> {
    // Only what crosses threads: callers pass on what else they know of a prompt.
    const { prompt, samples, maxTokens, temperature, topP, topK, seed, stop, weights } = request;
    const asked = { prompt, samples, maxTokens, temperature, topP, topK, seed, stop, weights };
    return this.#call('sample', [asked], signal);
  }

  logprobs(
    tokens: readonly number[],
    weights: WeightsRef | 'base',
    signal?: AbortSignal,
  ): Promise<(number | null)[]> {
    return this.#call('logprobs', [tokens, weights], signal);
  }

  forget(save: WeightsRef | StateRef): Promise<boolean> {
    return this.#call('forget', [save]);
  }

  /** Also where the thread has ended, and its sessions with it. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#call('stop', []).catch(() => undefined));
  }

  #call<Name extends CallName>(
    call: Name,
    args: CallArguments<Name>,
    signal?: AbortSignal,
  ): Promise<CallResult<Name>> {
    const heard = (counts: PolicySession['tokenCounts']): void => void (this.#counts = counts);
    return this.#thread.call(this.#name, { call, args }, heard, signal);
  }
}
