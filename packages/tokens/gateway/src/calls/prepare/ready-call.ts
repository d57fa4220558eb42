import type { TranslatedWire } from '../../model-wires/chat/wire-translation.ts';
import { injectCall, type PreparedCall, readCall } from '../../capture/prepare-call.ts';
import { engineProfiles, type EngineFlavour } from '../../engines/engine-profiles.ts';
import type { Worker } from '../../routing/worker.ts';
import type { PreparationServices } from '../call/gateway-services.ts';
import { continueTurn } from '../continue/continue-turn.ts';
import type { SentCall } from '../send/send-call.ts';
import { callSampling, isTokenLimit } from './call-sampling.ts';
import type { OpenedCall } from './open-call.ts';

/** A call as one worker is to get it: on the agent's own API, on the one that captures are read from, or as it came. */
export type ReadyCall = SentCall & {
  /** True if the answer may come as events. */
  stream: boolean;
} & (
    | { kind: 'native'; wire: TranslatedWire; prepared: PreparedCall }
    | { kind: 'captured'; prepared: PreparedCall }
    /** The body is no JSON object. */
    | { kind: 'unread'; prepared?: undefined }
  );

/** Which worker a call goes to, and what kind of engine that is. */
interface CallDestination {
  worker: Worker;
  flavour: EngineFlavour;
}

/** @throws WireRequestError where the worker does not take what cannot be translated; ArtError `ART_GATEWAY_BAD_REQUEST` */
export async function readyCall(
  services: PreparationServices,
  call: OpenedCall,
  destination: CallDestination,
): Promise<ReadyCall> {
  const native = nativeCall(services, call, destination);
  if (native !== undefined) return native;
  const { endpoint, engineBody, read, refusal, translation } = call;
  if (refusal !== undefined) throw refusal;
  // A query of another API means nothing to the engine's chat route.
  const query = translation === undefined ? call.target.query : '';
  const path = (endpoint === 'chat' ? '/chat/completions' : '/completions') + query;
  if (read === undefined) return { kind: 'unread', stream: false, body: engineBody, path };
  const { options } = services;
  const continuation = await continueTurn(services, call, read, destination);
  const prepared = injectCall(read, {
    flavour: destination.flavour,
    addLogprobs: options.addLogprobs,
    addTokenIds: options.addTokenIds,
    stripEngineFields: options.stripEngineFields && !needsStopReason(call),
    continuation,
  });
  return { kind: 'captured', prepared, stream: read.stream, body: prepared.body, path };
}

// Only the engine's `stop_reason` distinguishes a stop sequence, which Anthropic's API has to name, from the model's own end. The
// ids that come along are read by nobody: a translated reply has only what its API has.
function needsStopReason({ wire, translation }: OpenedCall): boolean {
  return wire === 'messages' && translation?.chatBody.includes('"stop"') === true;
}

/**
 * For an engine that has the route of the agent's API: the agent's bytes, with the gateway's model and the session's sampling
 * parameters spliced in where there are some. Undefined where it has none, or the body is no JSON object.
 */
function nativeCall(
  services: PreparationServices,
  call: OpenedCall,
  { worker, flavour }: CallDestination,
): ReadyCall | undefined {
  const { wire } = call;
  if (wire !== 'responses' && wire !== 'messages') return undefined;
  if (!engineProfiles[flavour].hasNativeWires) return undefined;
  if (!services.nativeRoutes.mayHave(worker, wire)) return undefined;
  const given = callSampling(services, call, call.body, (parameter) => nativeName(wire, parameter));
  const { stop_sequences: stops, ...others } = given;
  // The chat API takes a single text too.
  const samplingParams = stops === undefined ? others : { ...others, stop_sequences: [stops].flat() };
  const read = readCall(call.body, { endpoint: 'chat', model: services.options.model, samplingParams });
  if (read === undefined) return undefined;
  const injected = injectCall(read, { flavour: 'openai', addLogprobs: false, addTokenIds: false });
  // What cannot be translated, as images, is not in the capture.
  const { messages = [], tools, constraints = [] } = (call.refusal === undefined && call.read) || {};
  // One answer a call, whatever a field `n` says: neither API has it.
  const prepared = { ...injected, choiceCount: 1, messages, tools, constraints };
  const path = call.target.tail + call.target.query;
  return { kind: 'native', wire, prepared, stream: read.stream, body: prepared.body, path };
}

function nativeName(wire: TranslatedWire, parameter: string): string {
  if (isTokenLimit(parameter)) return wire === 'responses' ? 'max_output_tokens' : 'max_tokens';
  return parameter === 'stop' && wire === 'messages' ? 'stop_sequences' : parameter;
}
