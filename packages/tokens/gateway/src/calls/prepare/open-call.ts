import { translateMessagesRequest } from '../../model-wires/messages/translate-messages-request.ts';
import { translateResponsesRequest } from '../../model-wires/responses/translate-responses-request.ts';
import { WireRequestError } from '../../model-wires/chat/wire-request-error.ts';
import { type WireTranslation } from '../../model-wires/chat/wire-translation.ts';
import type { AgentWire } from '@art/trajectories';
import { readCall, type ReadCall } from '../../capture/prepare-call.ts';
import { ApiError } from '../../http/api-error.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { PreparationServices, StageServices } from '../call/gateway-services.ts';
import { callSampling } from './call-sampling.ts';

/** A call whose answer is captured, on the engine's API, before anything is injected for one kind of engine. */
export interface OpenedCall extends AdmittedCall {
  /** The API that the agent uses. */
  readonly wire: AgentWire;
  /** The engine's own API. */
  readonly endpoint: 'chat' | 'completions';
  /** The body on that API. */
  readonly engineBody: Uint8Array;
  /** Undefined where the body is no JSON object: the engine may refuse it in its own words. */
  readonly read: ReadCall | undefined;
  /** For an API that is translated. */
  readonly translation: WireTranslation | undefined;
  /** Why it cannot be translated: only an engine that has the agent's API can take it. `read` is what the agent's body says. */
  readonly refusal: WireRequestError | undefined;
}

/**
 * Puts a call on the engine's API.
 * @throws ArtError `ART_GATEWAY_BAD_REQUEST`, `ART_JSON_WRITE`
 */
export function openCall(services: PreparationServices, call: AdmittedCall, wire: AgentWire): OpenedCall {
  const { options, responseItems: items } = services;
  const { body } = call;
  const endpoint = wire === 'completions' ? wire : 'chat';
  const common = { ...call, wire, endpoint } as const;
  try {
    const translation =
      wire === 'messages'
        ? translateMessagesRequest(body)
        : wire === 'responses'
          ? translateResponsesRequest(body, { items })
          : undefined;
    const engineBody = translation === undefined ? body : Buffer.from(translation.chatBody);
    const samplingParams = callSampling(services, call, engineBody, chatName);
    const read = readCall(engineBody, { endpoint, model: options.model, samplingParams });
    return { ...common, engineBody, read, translation, refusal: undefined };
  } catch (error) {
    if (!(error instanceof WireRequestError)) throw error;
    const read = readCall(body, { endpoint, model: undefined, samplingParams: {} });
    return { ...common, engineBody: body, read, translation: undefined, refusal: error };
  }
}

// Trainers of SGLang spell it so; no chat route knows the name.
function chatName(parameter: string): string {
  return parameter === 'max_new_tokens' ? 'max_tokens' : parameter;
}

/**
 * Refuses a call with images, audio or files where those are not to be served, or where what samples would not see them.
 * @throws ApiError 400
 */
export function refuseMedia({ options }: StageServices, { read, wire }: OpenedCall): void {
  // An engine in this process gets token ids and would sample without them.
  const isBlind = options.engine !== undefined && wire !== 'completions';
  const [media] = read?.media ?? [];
  if (media === undefined || (options.media === 'mark' && !isBlind)) return;
  const why = isBlind ? 'what samples here sees token ids only' : 'such calls cannot be trained on';
  throw new ApiError({
    status: 400,
    message: `Expected a call of text, got ${media.type} at ${media.path}: ${why}. Leave it out, or describe it in words.`,
    code: 'media_not_trainable',
    param: media.path,
  });
}
