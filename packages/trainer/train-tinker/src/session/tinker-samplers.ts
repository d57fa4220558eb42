import { Semaphore, isJsonObject } from '@art/ground';
import type { WeightsRef } from '@art/train/steps';
import { readJsonSamples } from '../encoding/json-pass.ts';
import { readProtobufSamples } from '../encoding/protobuf-pass.ts';
import { unknownAnswer } from '../encoding/results.ts';
import type { ResolvedTinkerOptions } from '../options/tinker-training-options.ts';
import type { Futures, LaterRequest } from '../wire/futures.ts';
import { jsonOf, protobufType, type RequestOptions, type TinkerRequests } from '../wire/tinker-requests.ts';

/** Weights that live as long as the session have no path, but a sampling session of their own. */
const ephemeral = 'sampling-session:';

/** Names weights by the sampling session that was made with them. */
export function ephemeralWeights(samplingSessionId: string): WeightsRef {
  return { weights: `${ephemeral}${samplingSessionId}` };
}

export interface AskedSamples {
  prompt: readonly number[];
  samples: number;
  /** As the wire has them. */
  params: object;
  weights: WeightsRef | 'base';
  /** True if the logprobs of the prompt are wanted. */
  withPrompt: boolean;
}

interface Sampler {
  id: string;
  /** How often it was asked; the number of the next call. */
  calls: number;
}

interface SamplersDeps {
  requests: TinkerRequests;
  futures: Futures;
  options: ResolvedTinkerOptions;
  sessionId: string;
  /** Aborts when the session has ended. */
  ended: AbortSignal;
}

/** The sampling sessions of a session, one for each weights. */
export class TinkerSamplers {
  readonly #deps: SamplersDeps;
  readonly #turns: Semaphore;
  readonly #samplers = new Map<string, Promise<Sampler>>();
  #opened = 0;

  constructor(deps: SamplersDeps) {
    this.#deps = deps;
    this.#turns = new Semaphore(deps.options.maxConcurrentSamples);
  }

  /** The number of the next sampling session. */
  nextNumber(): number {
    this.#opened += 1;
    return this.#opened - 1;
  }

  async ask(
    { prompt, samples, params, weights, withPrompt }: AskedSamples,
    asked?: AbortSignal,
  ): Promise<ReturnType<typeof readJsonSamples>> {
    const { ended, options, futures } = this.#deps;
    const signal = asked === undefined ? ended : AbortSignal.any([ended, asked]);
    const accept = options.encoding === 'protobuf' ? protobufType : undefined;
    return this.#turns.run(signal, async () => {
      const sampler = await this.#sampler(weights);
      const seqId = sampler.calls;
      sampler.calls += 1;
      const sent: RequestOptions = { signal, headers: { 'x-tinker-sampling-backpressure': '1' } };
      const request: LaterRequest = {
        path: '/asample',
        body: {
          num_samples: samples,
          prompt: { chunks: [{ tokens: prompt, type: 'encoded_text' }] },
          sampling_params: params,
          sampling_session_id: sampler.id,
          seq_id: seqId,
          prompt_logprobs: withPrompt,
          topk_prompt_logprobs: 0,
          type: 'sample',
        },
        what: `${samples} samples`,
        options: sent,
      };
      const answer = await futures.result(await futures.ask(request), request, accept);
      return 'bytes' in answer ? readProtobufSamples(answer.bytes) : readJsonSamples(answer.json);
    });
  }

  #sampler(weights: WeightsRef | 'base'): Promise<Sampler> {
    const name = weights === 'base' ? 'base' : weights.weights;
    const known = this.#samplers.get(name);
    if (known !== undefined) return known;
    const opening = this.#open(weights);
    this.#samplers.set(name, opening);
    opening.catch(() => this.#samplers.delete(name));
    return opening;
  }

  async #open(weights: WeightsRef | 'base'): Promise<Sampler> {
    if (weights !== 'base' && weights.weights.startsWith(ephemeral))
      return { id: weights.weights.slice(ephemeral.length), calls: 0 };
    const { requests, sessionId, options, ended } = this.#deps;
    const answer = jsonOf(
      await requests.send(
        '/create_sampling_session',
        {
          session_id: sessionId,
          sampling_session_seq_id: this.nextNumber(),
          ...samplerOf(weights === 'base' ? options.baseModel : weights.weights),
          type: 'create_sampling_session',
        },
        { signal: ended },
      ),
    );
    const id = isJsonObject(answer) ? answer['sampling_session_id'] : undefined;
    if (typeof id !== 'string') throw unknownAnswer('a sampling_session_id', answer);
    return { id, calls: 0 };
  }
}

/** A saved model has an address; what has none is the name of a base model, this session's or another one: a teacher can be larger. */
function samplerOf(name: string): object {
  return name.includes('://') ? { model_path: name } : { base_model: name };
}
