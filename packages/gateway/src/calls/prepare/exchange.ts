import { prepareCall, type PreparedCall } from '../../capture/prepare-call.ts';
import type { EngineFlavour } from '../../engines/engine-profiles.ts';
import { findString, JsonSyntaxError } from '@art/json-bytes';
import type { AgentWire } from '@art/trajectories';
import {
  translateMessagesRequest,
  translateResponsesRequest,
  WireRequestError,
  type WireTranslation,
} from '@art/model-wires';
import { callSampling } from './call-sampling.ts';
import type { Call } from '../call/call.ts';
import type { ProxyContext } from '../call/proxy-context.ts';

/** A call whose answer is captured: what the agent speaks, and what the engine is to be sent. */
export interface Exchange {
  wire: AgentWire;
  /** The engine's own wire. */
  endpoint: 'chat' | 'completions';
  /** In the engine's wire, before anything is injected. */
  body: Uint8Array;
  /** For a wire that is translated. */
  translation: WireTranslation | undefined;
}

/** What goes to the engine. Without `prepared`, the body is no JSON object: the engine may refuse it in its own words. */
export interface PreparedExchange {
  prepared: PreparedCall | undefined;
  body: Uint8Array;
  path: string;
}

/**
 * Opens a call in the engine's wire. What cannot be translated is returned and not thrown: an engine that has the route
 * itself may take it.
 */
export function openExchange(
  context: ProxyContext,
  call: Call,
  wire: AgentWire,
): Exchange | WireRequestError {
  const { body } = call;
  try {
    switch (wire) {
      case 'chat':
      case 'completions':
        return { wire, endpoint: wire, body, translation: undefined };
      case 'responses':
        return translated(wire, translateResponsesRequest(body, { items: context.responseItems }));
      case 'messages':
        return translated(wire, translateMessagesRequest(body));
    }
  } catch (error) {
    if (error instanceof WireRequestError) return error;
    throw error;
  }
}

function translated(wire: AgentWire, translation: WireTranslation): Exchange {
  return { wire, endpoint: 'chat', body: Buffer.from(translation.chatBody), translation };
}

/** @throws ArtError `ART_GATEWAY_BAD_REQUEST` */
export function prepareExchange(
  { options, chat }: ProxyContext,
  call: Call,
  exchange: Exchange,
  flavour: EngineFlavour,
): PreparedExchange {
  const { endpoint, body, translation } = exchange;
  // Trainers of SGLang spell it so; its chat route does not know the name.
  const spelled = (name: string): string =>
    name === 'max_new_tokens' && chat.engine?.samplingParams.has(name) !== true ? 'max_tokens' : name;
  const plain = prepareCall(body, {
    flavour: (endpoint === 'chat' ? chat.engine?.shape : undefined) ?? flavour,
    endpoint,
    addLogprobs: options.addLogprobs,
    addTokenIds: options.addTokenIds,
    model: options.model,
    samplingParams: callSampling(options, call, body, { defaults: spelled }),
    stripEngineFields: options.stripEngineFields,
  });
  const prepared = plain !== undefined && needsStopReason(exchange) ? withStopReason(plain) : plain;
  call.stream = prepared?.stream ?? false;
  const path = endpoint === 'chat' ? '/chat/completions' : '/completions';
  // A query of another wire means nothing to the engine's chat route.
  const query = translation === undefined ? call.target.query : '';
  return { prepared, body: prepared?.body ?? body, path: path + query };
}

// Only the engine's `stop_reason` tells a stop sequence, which Anthropic's wire has to name, from the model's own end. The
// ids that come along are read by nobody: a translated reply has only what its wire has.
function needsStopReason({ wire, translation }: Exchange): boolean {
  return wire === 'messages' && translation?.chatBody.includes('"stop"') === true;
}

function withStopReason(prepared: PreparedCall): PreparedCall {
  return { ...prepared, stripEngineFields: false };
}

/** The model that an agent names, where it decides about the worker. */
export function wantedModel({ options, pool }: ProxyContext, body: Uint8Array): string | undefined {
  if (!pool.namesModels) return undefined;
  if (options.model !== undefined) return options.model;
  try {
    return findString(body, ['model']);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
