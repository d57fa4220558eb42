import type { RoutedExperts } from '@art/trajectories';
import { isTruthyJson, objectMembers, setMembers } from '../json-bytes/object-members.ts';

/** The kinds of servers that a worker can be. The kind decides which questions it gets and where its token ids are. */
export const engineFlavours = ['vllm', 'sglang', 'trtllm', 'openai'] as const;

/** The kinds of inference servers. */
export type EngineFlavour = (typeof engineFlavours)[number];

/** A request that is about to go to an engine, as far as injection depends on it. */
interface InjectionRequest {
  endpoint: 'chat' | 'completions';
  stream: boolean;
  addLogprobs: boolean;
  addTokenIds: boolean;
  /** The prompt as tokens, in place of one that the engine renders. */
  promptIds: Int32Array | undefined;
  /** The JSON text of a field of the body as it would go out; undefined where it has none. */
  value(name: string): string | undefined;
}

/** An engine's report of itself in its lists and versions. */
export interface EngineEvidence {
  /** `owned_by` of its models. */
  owners: readonly string[];
  /** The object that a path answered with status 200; undefined where it answered otherwise. */
  reply(path: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** The gateway's knowledge of one kind of engine. */
interface EngineProfile {
  flavour: EngineFlavour;
  /** Fields that the body must have for a capture, as JSON text by name; what is right already is not listed. */
  inject(request: InjectionRequest): ReadonlyMap<string, string>;
  /** True if its replies on this endpoint always have token ids when they were asked for. */
  givesTokenIds(endpoint: 'chat' | 'completions'): boolean;
  /** True if its chat route samples from given token ids. */
  takesPromptIds: boolean;
  /** True if its replies may have fields that agents do not expect. */
  hasEngineFields: boolean;
  /** The encoding of its routed experts where the data itself does not show it. */
  routedExperts: RoutedExperts['encoding'];
  /**
   * True if its own routes for Responses and Messages are used where it has them. False for engines that give token
   * ids: those routes give none.
   */
  hasNativeWires: boolean;
  /** Where to POST `{"rid": ...}` to stop a call whose connection is gone; undefined: dropping the connection does it. */
  abortPath: string | undefined;
  /** True if this is the engine that the evidence is from. */
  recognise(evidence: EngineEvidence): Promise<boolean>;
}

/**
 * Sets `logprobs` unless the body asks for them already: on the chat wire a flag, on the completions wire how many
 * alternatives there are to be beside the sampled token, where a number of the agent's own stays as it is (0 has the
 * sampled token's logprob too).
 */
function injectLogprobs(request: InjectionRequest, members: Map<string, string>): void {
  if (!request.addLogprobs) return;
  const given = request.value('logprobs');
  if (request.endpoint === 'chat') {
    if (!isTruthyJson(given)) members.set('logprobs', 'true');
    return;
  }
  const isCount = given !== undefined && (given === 'true' || /^\d+$/.test(given));
  if (!isCount) members.set('logprobs', '1');
}

/** Asks for the token counts at the end of a stream: they show whether a token was lost on the way. */
function injectUsage(request: InjectionRequest, members: Map<string, string>): void {
  const isCaptured = request.addLogprobs || request.addTokenIds;
  if (!request.stream || !isCaptured) return;
  const given = request.value('stream_options') ?? 'null';
  const bytes = Buffer.from(given);
  const member = objectMembers(bytes)?.byName.get('include_usage');
  const asks = member && bytes.toString('utf8', member.valueStart, member.valueEnd);
  if (!isTruthyJson(asks)) members.set('stream_options', withMember(given, 'include_usage', 'true'));
}

/** Token ids as a JSON array. */
function idsJson(ids: Int32Array): string {
  return `[${ids.join(',')}]`;
}

/** A body's field that is an object, with one more field; as it is where it is something else, for the engine to refuse. */
function withMember(object: string | undefined, name: string, value: string): string {
  if (object === undefined || object === 'null') return `{${JSON.stringify(name)}:${value}}`;
  const bytes = Buffer.from(object);
  const members = objectMembers(bytes);
  return members === undefined ? object : setMembers(bytes, members, new Map([[name, value]])).toString();
}

/**
 * vLLM: `return_token_ids` since 0.10.2 on both wires, streamed or not. Older ones ignore the unknown field
 * and their calls are marked as incomplete. Prompts as token ids: tried on 0.32; not with images, nor with gpt-oss.
 */
const vllm: EngineProfile = {
  flavour: 'vllm',
  inject(request) {
    const members = new Map<string, string>();
    injectLogprobs(request, members);
    if (request.addTokenIds && !isTruthyJson(request.value('return_token_ids'))) {
      members.set('return_token_ids', 'true');
    }
    const { promptIds } = request;
    if (promptIds !== undefined) {
      const given = request.value('kv_transfer_params');
      const params = withMember(given, 'prompt_token_ids', idsJson(promptIds));
      members.set('kv_transfer_params', params);
    }
    injectUsage(request, members);
    return members;
  },
  givesTokenIds: () => true,
  takesPromptIds: true,
  hasEngineFields: true,
  routedExperts: 'npy_base64',
  hasNativeWires: false,
  abortPath: undefined,
  recognise: (evidence) => Promise.resolve(evidence.owners.includes('vllm')),
};

// A streamed chat with `return_token_ids` is refused; there the ids come in the `sglext` of an event before the last.
const streamedChatFlags = ['return_input_ids_in_sglext', 'return_output_ids_in_sglext'];
const tokenIdFlags = ['return_token_ids'];

/**
 * SGLang: `return_token_ids` for completions and for chat that is not streamed, `sglext` for chat that is. Releases
 * without them ignore the fields, and their calls are marked as incomplete. Prompts as token ids since 0.5.13.
 */
const sglang: EngineProfile = {
  flavour: 'sglang',
  inject(request) {
    const members = new Map<string, string>();
    injectLogprobs(request, members);
    if (request.addTokenIds) {
      const flags = request.endpoint === 'chat' && request.stream ? streamedChatFlags : tokenIdFlags;
      for (const flag of flags) {
        if (!isTruthyJson(request.value(flag))) members.set(flag, 'true');
      }
    }
    if (request.promptIds !== undefined) members.set('input_ids', idsJson(request.promptIds));
    injectUsage(request, members);
    return members;
  },
  givesTokenIds: () => true,
  takesPromptIds: true,
  hasEngineFields: true,
  routedExperts: 'int32_base64',
  hasNativeWires: false,
  abortPath: '/abort_request',
  async recognise(evidence) {
    if (evidence.owners.includes('sglang')) return true;
    if (evidence.owners.includes('vllm')) return false;
    // Its router lists the workers' models, anyone who owns them by name, and has SGLang's own routes.
    for (const path of ['/get_server_info', '/server_info', '/get_model_info', '/model_info']) {
      const reply = await evidence.reply(path);
      if (reply !== undefined && ('tokenizer_path' in reply || 'sglang_version' in reply)) return true;
    }
    return false;
  },
};

/**
 * TensorRT-LLM (`trtllm-serve`): its schemas refuse fields that they do not know, so only `logprobs` is set. Token ids
 * come on the completions wire alone, and there in place of the text (`detokenize: false`): an agent that wants text gets
 * text, and the call is captured as text. One that sends `detokenize: false` itself is captured whole.
 */
const trtllm: EngineProfile = {
  flavour: 'trtllm',
  inject(request) {
    const members = new Map<string, string>();
    injectLogprobs(request, members);
    if (request.promptIds !== undefined) members.set('prompt_token_ids', idsJson(request.promptIds));
    return members;
  },
  givesTokenIds: () => false,
  takesPromptIds: true,
  hasEngineFields: true,
  routedExperts: 'unknown',
  hasNativeWires: false,
  abortPath: undefined,
  recognise: (evidence) => Promise.resolve(evidence.owners.includes('tensorrt_llm')),
};

/** `owned_by` of servers that never give token ids: llama.cpp, LMDeploy, Ollama, LM Studio. */
const plainOwners = new Set(['llamacpp', 'lmdeploy', 'library', 'organization_owner']);

/**
 * Any other server with OpenAI's interface: nothing is injected, since OpenAI and many proxies refuse fields that they do
 * not know, and nothing is stripped. Its calls are captured as text unless the agent asked for token ids itself.
 */
const openai: EngineProfile = {
  flavour: 'openai',
  inject: () => new Map(),
  givesTokenIds: () => false,
  takesPromptIds: false,
  hasEngineFields: false,
  routedExperts: 'unknown',
  hasNativeWires: true,
  abortPath: undefined,
  // Most such servers have no mark: they are what an operator says they are.
  recognise: (evidence) => Promise.resolve(evidence.owners.some((owner) => plainOwners.has(owner))),
};

/** The profile of each kind of engine. */
export const engineProfiles: Readonly<Record<EngineFlavour, EngineProfile>> = {
  vllm,
  sglang,
  trtllm,
  openai,
};
