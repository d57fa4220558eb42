import { ArtError, isJsonObject } from '@art/ground';
import {
  type AdamParams,
  type ChunkLimits,
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
import { jsonPass, readJsonPass } from '../encoding/json-pass.ts';
import { protobufPass, readProtobufPass } from '../encoding/protobuf-pass.ts';
import { type PassOutput, unknownAnswer } from '../encoding/results.ts';
import type { ResolvedTinkerOptions } from '../options/tinker-training-options.ts';
import { tinkerFailureOf } from '../wire/tinker-failure.ts';
import { Futures, type LaterRequest } from '../wire/futures.ts';
import { ephemeralWeights, TinkerSamplers } from './tinker-samplers.ts';
import { jsonOf, protobufType, type ResponseBody, type TinkerRequests } from '../wire/tinker-requests.ts';

export interface TinkerSession {
  requests: TinkerRequests;
  options: ResolvedTinkerOptions;
  sessionId: string;
  modelId: string;
  info: StepsInfo;
  limits: ChunkLimits;
  /** Ends the session at the server. */
  finish: () => Promise<void>;
}

/** The steps of one model of one session. */
export class TinkerSteps implements TrainingSteps {
  readonly #session: TinkerSession;
  readonly #futures: Futures;
  readonly #order = new OperationOrder();
  readonly #ended = new AbortController();
  readonly #samplers: TinkerSamplers;
  #stopping: Promise<void> | undefined;

  constructor(session: TinkerSession) {
    this.#session = session;
    this.#futures = new Futures(session.requests, session.options.onNotice);
    this.#samplers = new TinkerSamplers({ ...session, futures: this.#futures, ended: this.#ended.signal });
  }

  info(): Promise<StepsInfo> {
    return Promise.resolve(this.#session.info);
  }

  forwardBackward(rows: readonly StepRow[], loss: Loss): Submitted<PassResult> {
    const { encoding, reduction } = this.#session.options;
    const { modelId } = this.#session;
    const isProtobuf = encoding === 'protobuf';
    const parts = chunkRows(rows, this.#session.limits).map(async (part) => {
      const answer = await this.#train(
        (seqId) => {
          const pass = { modelId, seqId, rows: part, loss };
          return {
            path: '/forward_backward',
            body: isProtobuf ? protobufPass(pass, reduction) : jsonPass(pass, reduction),
            what: `a pass over ${part.length} rows`,
          };
        },
        isProtobuf ? protobufType : undefined,
      );
      const output: PassOutput =
        'bytes' in answer ? readProtobufPass(answer.bytes) : readJsonPass(answer.json);
      return { rows: part, ...output };
    });
    return submitted(Promise.all(parts).then(joinPasses));
  }

  optimStep(adam: AdamParams): Submitted<StepResult> {
    const { learningRate, beta1, beta2, eps, weightDecay, gradClipNorm } = adam;
    const params = {
      learning_rate: learningRate,
      beta1,
      beta2,
      eps,
      weight_decay: weightDecay,
      grad_clip_norm: gradClipNorm,
    };
    return submitted(
      this.#named('optim_step', { adam_params: params }, 'an optimizer step').then(({ metrics }) => ({
        metrics: numbersOf(metrics),
      })),
    );
  }

  saveForSampling(name: string, { keep }: SaveForSamplingOptions): Submitted<WeightsRef> {
    const where = keep ? { path: name } : { sampling_session_seq_id: this.#samplers.nextNumber() };
    return submitted(
      this.#named('save_weights_for_sampler', where, `saving the weights ${name}`).then((answer) => {
        const found = keep ? answer['path'] : answer['sampling_session_id'];
        if (typeof found !== 'string') throw unknownAnswer(keep ? 'a path' : 'a sampling_session_id', answer);
        return keep ? { weights: found } : ephemeralWeights(found);
      }),
    );
  }

  saveState(name: string): Submitted<StateRef> {
    return submitted(
      this.#named('save_weights', { path: name, overwrite: false }, `saving the state ${name}`).then(
        (answer) => {
          if (typeof answer['path'] !== 'string') throw unknownAnswer('a path', answer);
          return { state: answer['path'] };
        },
      ),
    );
  }

  loadState({ state }: StateRef, { optimizer }: { optimizer: boolean }): Submitted<void> {
    return submitted(
      this.#named('load_weights', { path: state, optimizer }, `loading the state ${state}`).then(
        () => undefined,
      ),
    );
  }

  async sample(request: SampleRequest, signal?: AbortSignal): Promise<readonly Sample[]> {
    const {
      prompt,
      samples,
      maxTokens,
      temperature,
      topP = 1,
      topK = -1,
      seed,
      stop = [],
      weights,
    } = request;
    const params = {
      max_tokens: maxTokens,
      temperature,
      top_p: topP,
      top_k: topK,
      ...(seed !== undefined && { seed }),
      ...(stop.length > 0 && { stop }),
    };
    const { sequences } = await this.#samplers.ask(
      { prompt, samples, params, weights, withPrompt: false },
      signal,
    );
    if (sequences.length !== samples) throw unknownAnswer(`${samples} sequences`, sequences.length);
    return sequences.map(({ tokens, logprobs, stopReason }): Sample => {
      if (logprobs?.length !== tokens.length)
        throw unknownAnswer(`a logprob for each of ${tokens.length} tokens`, logprobs?.length);
      if (stopReason !== 'stop' && stopReason !== 'length')
        throw unknownAnswer("'stop' or 'length'", stopReason);
      return { tokens, logprobs, stopReason };
    });
  }

  async logprobs(
    tokens: readonly number[],
    weights: WeightsRef | 'base',
    signal?: AbortSignal,
  ): Promise<readonly (number | null)[]> {
    // The way of Tinker's own client: one token is sampled, and not looked at.
    const params = { max_tokens: 1, temperature: 1, top_p: 1, top_k: -1 };
    const asked = { prompt: tokens, samples: 1, params, weights, withPrompt: true };
    const { promptLogprobs } = await this.#samplers.ask(asked, signal);
    // SkyRL leaves the first one out, which has none.
    const known = promptLogprobs.length === tokens.length - 1 ? [null, ...promptLogprobs] : promptLogprobs;
    if (known.length !== tokens.length)
      throw unknownAnswer(`${tokens.length} logprobs`, promptLogprobs.length);
    return known.map((logprob, at) => (at === 0 ? null : logprob));
  }

  /** Also saves of sessions that have ended. Weights that are not kept have no address: they go with their session. */
  async forget(save: WeightsRef | StateRef): Promise<boolean> {
    const [address, kind] = 'weights' in save ? [save.weights, 'sampler_weights'] : [save.state, 'weights'];
    // SkyRL leaves the kind out of the address of weights.
    const [, run, name] = /^tinker:\/\/([^/]+)\/(?:(?:sampler_)?weights\/)?([^/]+)$/.exec(address) ?? [];
    if (run === undefined || name === undefined) return false;
    const path = `/training_runs/${run}/checkpoints/${kind}/${name}`;
    try {
      await this.#session.requests.send(path, {}, { method: 'DELETE' });
      return true;
    } catch (error) {
      const { status, message } = tinkerFailureOf(error) ?? {};
      // One that is gone is what was wanted. A server without this route answers so, too, and keeps it.
      if (status === 404) return /checkpoint/i.test(message ?? '');
      if (status === 405) return false;
      throw error;
    }
  }

  stop(): Promise<void> {
    this.end(new ArtError({ code: 'ART_TINKER_SESSION_ENDED', message: 'The session was stopped.' }));
    this.#stopping ??= this.#session.finish();
    return this.#stopping;
  }

  /** Lets everything fail that is under way, or comes. */
  end(error: Error): void {
    this.#ended.abort(error);
    this.#order.fail(error);
  }

  /** A training operation: its place is fixed now, the next one leaves when the server has accepted it. */
  async #train(request: (seqId: number) => LaterRequest, accept?: string): Promise<ResponseBody> {
    const { signal } = this.#ended;
    try {
      const [id, asked] = await this.#order.submit(async (seqId) => {
        const made = { ...request(seqId), options: { signal } };
        return [await this.#futures.ask(made), made] as const;
      });
      return await this.#futures.result(id, asked, accept);
    } catch (error) {
      // The server would continue with what comes after a failure; the caller would not know from which weights.
      this.#order.fail(error as Error);
      throw error;
    }
  }

  async #named(type: string, members: object, what: string): Promise<Record<string, unknown>> {
    const { modelId } = this.#session;
    const answer = jsonOf(
      await this.#train((seqId) => ({
        path: `/${type}`,
        body: { model_id: modelId, ...members, seq_id: seqId, type },
        what,
      })),
    );
    if (!isJsonObject(answer)) throw unknownAnswer(`an object for ${what}`, answer);
    return answer;
  }
}
