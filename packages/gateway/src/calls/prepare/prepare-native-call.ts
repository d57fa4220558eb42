import { prepareCall, type PreparedCall } from '../../capture/prepare-call.ts';
import { callSampling, isTokenLimit } from './call-sampling.ts';
import type { Call } from '../call/call.ts';
import type { ProxyContext } from '../call/proxy-context.ts';
import type { TranslatedWire, WireTranslation } from '@art/model-wires';

/**
 * Makes a call ready for an engine that has the route of its wire: the agent's bytes, with the gateway's model and the
 * session's sampling parameters spliced in where there are some. undefined where the body is no JSON object.
 * @param translation what its trace is to say of the request; without one, as for images, the trace has no messages
 * @throws ArtError `ART_GATEWAY_BAD_REQUEST`
 */
export function prepareNativeCall(
  { options }: ProxyContext,
  call: Call,
  wire: TranslatedWire,
  translation: WireTranslation | undefined,
): PreparedCall | undefined {
  const plan = {
    flavour: 'openai',
    endpoint: 'chat',
    addLogprobs: false,
    addTokenIds: false,
    model: options.model,
    samplingParams: {},
  } as const;
  const name = (parameter: string): string => nativeName(wire, parameter);
  const given = callSampling(options, call, call.body, { enforced: name, defaults: name });
  const samplingParams = Object.fromEntries(
    // The chat wire takes a single text too.
    Object.entries(given).map(([key, value]) => [
      key,
      key === 'stop_sequences' && typeof value === 'string' ? [value] : value,
    ]),
  );
  const prepared = prepareCall(call.body, { ...plan, samplingParams });
  if (prepared === undefined) return undefined;
  const chat = translation === undefined ? undefined : prepareCall(Buffer.from(translation.chatBody), plan);
  // One answer a call, whatever a member `n` says: neither wire has it.
  return { ...prepared, choiceCount: 1, messages: chat?.messages ?? [], tools: chat?.tools };
}

function nativeName(wire: TranslatedWire, parameter: string): string {
  if (isTokenLimit(parameter)) return wire === 'responses' ? 'max_output_tokens' : 'max_tokens';
  return parameter === 'stop' && wire === 'messages' ? 'stop_sequences' : parameter;
}
