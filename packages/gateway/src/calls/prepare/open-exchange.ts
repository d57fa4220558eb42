import { findString, JsonSyntaxError } from '@art/json-bytes';
import {
  translateMessagesRequest,
  translateResponsesRequest,
  WireRequestError,
  type WireTranslation,
} from '@art/model-wires';
import type { AgentWire } from '@art/trajectories';
import { readCall, type ReadCall } from '../../capture/prepare-call.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { CallContext } from '../call/call-context.ts';
import { callSampling } from './call-sampling.ts';

/** A call whose answer is captured, on the engine's wire, before anything is injected for one kind of engine. */
export interface Exchange {
  /** What the agent speaks. */
  wire: AgentWire;
  /** The engine's own wire. */
  endpoint: 'chat' | 'completions';
  body: Uint8Array;
  /** Undefined where the body is no JSON object: the engine may refuse it in its own words. */
  read: ReadCall | undefined;
  /** For a wire that is translated. */
  translation: WireTranslation | undefined;
}

/**
 * Opens a call in the engine's wire. What cannot be translated is returned and not thrown: an engine that has the route
 * itself may take it.
 * @throws ArtError `ART_GATEWAY_BAD_REQUEST`, `ART_JSON_WRITE`
 */
export function openExchange(
  context: CallContext,
  call: AdmittedCall,
  wire: AgentWire,
): Exchange | WireRequestError {
  try {
    if (wire === 'chat' || wire === 'completions') return opened(context, call, wire, undefined);
    const translation =
      wire === 'messages'
        ? translateMessagesRequest(call.body)
        : translateResponsesRequest(call.body, { items: context.responseItems });
    return opened(context, call, wire, translation);
  } catch (error) {
    if (error instanceof WireRequestError) return error;
    throw error;
  }
}

function opened(
  context: CallContext,
  call: AdmittedCall,
  wire: AgentWire,
  translation: WireTranslation | undefined,
): Exchange {
  const { options } = context;
  const endpoint = wire === 'completions' ? wire : 'chat';
  const body = translation === undefined ? call.body : Buffer.from(translation.chatBody);
  const samplingParams = callSampling(context, call, body, chatName);
  const read = readCall(body, { endpoint, model: options.model, samplingParams });
  return { wire, endpoint, body, read, translation };
}

// Trainers of SGLang spell it so; no chat route knows the name.
function chatName(parameter: string): string {
  return parameter === 'max_new_tokens' ? 'max_tokens' : parameter;
}

/** The model that an agent names, where it decides about the worker. */
export function wantedModel({ options, pool }: CallContext, body: Uint8Array): string | undefined {
  if (!pool.namesModels) return undefined;
  return options.model ?? namedModel(body);
}

/** The model that a body names; undefined also where it is no JSON. */
export function namedModel(body: Uint8Array): string | undefined {
  try {
    return findString(body, ['model']);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
