import { isMissingRoute } from '@art/gateway/engine-port';
import { writeObject } from '@art/json-bytes';

import { type CalledEngine, EngineRefused, tokenIdsJson } from '../calls/called-engine.ts';
import { refuseForcedTool } from '../calls/chat-call.ts';
import { JsonNumber, parseLossless, stringifyLossless } from '../tokens/lossless-json.ts';
import { type SamplingParams, stopTexts, vllmSampling } from './sampling-params.ts';
import type { SampleTask, TokenSampler } from './token-sampler.ts';
import { readVllmParts, withStopToken } from './vllm-parts.ts';

/** How vLLM samples tokens: on its token route, which it has only where it was started with it, else on its completions. */
export function vllmSampler(): TokenSampler {
  const lacking = new Set<string>();
  return {
    async sample(task) {
      const { baseUrl } = task.engine;
      if (lacking.has(baseUrl)) return completionsRoute.sample(task);
      try {
        return await tokenRoute.sample(task);
      } catch (error) {
        if (!(error instanceof EngineRefused) || !isMissingRoute(error.answer)) throw error;
        lacking.add(baseUrl);
        return completionsRoute.sample(task);
      }
    },
  };
}

/** vLLM's `/inference/v1/generate`. It stops sampling when the connection is dropped. */
const tokenRoute: TokenSampler = {
  async sample(task) {
    const { call, engine, promptIds, requestId, stream, rendered } = task;
    const request = writeObject([
      ...(rendered === undefined ? ownMembers(task) : renderedMembers(task, rendered)),
      ['request_id', JSON.stringify(requestId)],
      ['token_ids', tokenIdsJson(promptIds)],
      ['stream', String(stream)],
      ['stream_options', stream ? '{"include_usage":true}' : undefined],
    ]);
    const body = await engine.sample('/inference/v1/generate', request, sessionHeader(engine));
    const parts = readVllmParts(body, task);
    // This route does not say what it stopped at.
    return stopTexts(call).length === 0 ? withStopToken(parts) : parts;
  },
};

type Members = (readonly [name: string, text: string | undefined])[];

function ownMembers({ call, maxTokens }: SampleTask): Members {
  refuseForcedTool(call);
  return [
    ['model', call.model === '' ? undefined : JSON.stringify(call.model)],
    ['sampling_params', writeObject(vllmSampling(call, maxTokens))],
    ['cache_salt', call.value('cache_salt')],
    ['priority', call.value('priority')],
  ];
}

// With what only the engine knows: the defaults of its generation config, images, grammars of tools.
function renderedMembers(task: SampleTask, rendered: ReadonlyMap<string, string>): Members {
  const params = renderedSampling(task, rendered.get('sampling_params'));
  // A tool is forced by a grammar. Without one the engine would just answer.
  if (!params.has('structured_outputs')) refuseForcedTool(task.call);
  const kept = Array.from(rendered).filter(([name, text]) => name !== 'stream_options' && text !== 'null');
  return [...kept, ['sampling_params', writeObject(params)]];
}

// vLLM's `RequestOutputKind`.
const onlyWhatIsNew = '1';
const onlyTheEnd = '2';

/**
 * The sampling parameters that vLLM's renderer made of a call, with the limit of this gateway, and such that ids come with
 * their logprobs. Members that are null are left out: the renderer writes what is not set so, and the sampler refuses it.
 */
function renderedSampling(task: SampleTask, text: string | undefined): SamplingParams {
  const params: SamplingParams = new Map();
  const rendered = text === undefined ? undefined : parseLossless(text);
  for (const [name, value] of rendered instanceof Map ? rendered : []) {
    if (value !== null) params.set(name, stringifyLossless(value));
  }
  const limit = rendered instanceof Map ? rendered.get('max_tokens') : undefined;
  const roomAtEngine = limit instanceof JsonNumber ? Number(limit.literal) : Infinity;
  params.set('max_tokens', String(Math.min(task.maxTokens, roomAtEngine)));
  params.set('logprobs', String(Math.max(1, task.call.topLogprobs)));
  if (task.call.choiceCount > 1) params.set('n', String(task.call.choiceCount));
  if (params.has('output_kind')) params.set('output_kind', task.stream ? onlyWhatIsNew : onlyTheEnd);
  return params;
}

/**
 * vLLM's `/v1/completions` with the ids of the prompt, which every vLLM has. It stops sampling when the connection is
 * dropped. Source: vLLM docs, OpenAI-compatible server, extra parameters.
 */
const completionsRoute: TokenSampler = {
  async sample(task) {
    const { call, engine } = task;
    refuseForcedTool(call);
    const body = await engine.sample(
      `${engine.apiPath}/completions`,
      completionsBody(task),
      sessionHeader(engine),
    );
    // What it stopped at is told, but for the model's own end of turn.
    return withStopToken(readVllmParts(body, task));
  },
};

function completionsBody({ call, promptIds, stream, requestId, maxTokens }: SampleTask): string {
  return writeObject([
    ['model', call.model === '' ? undefined : JSON.stringify(call.model)],
    ['prompt', tokenIdsJson(promptIds)],
    // The template has put in what belongs there.
    ['add_special_tokens', 'false'],
    ['return_token_ids', 'true'],
    // The alternatives to a token are named by their text otherwise.
    ['return_tokens_as_token_ids', 'true'],
    ['request_id', JSON.stringify(requestId)],
    ['stream', String(stream)],
    ['stream_options', stream ? '{"include_usage":true}' : undefined],
    ...vllmSampling(call, maxTokens),
    ['cache_salt', call.value('cache_salt')],
    ['priority', call.value('priority')],
  ]);
}

function sessionHeader({ sessionId }: CalledEngine): Record<string, string> {
  return sessionId === undefined ? {} : { 'x-session-id': sessionId };
}
