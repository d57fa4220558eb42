import type { AdmittedCall } from '../call/call.ts';
import type { CallContext } from '../call/call-context.ts';
import { WireRequestError, type TranslatedWire } from '@art/model-wires';
import { injectCall, type PreparedCall, readCall } from '../../capture/prepare-call.ts';
import { engineProfiles, type EngineFlavour } from '../../engines/engine-profiles.ts';
import type { Worker } from '../../routing/worker.ts';
import { continueTurn } from '../continue/continue-turn.ts';
import { callSampling, isTokenLimit } from './call-sampling.ts';
import type { SentCall } from '../send/send-call.ts';
import type { Exchange } from './open-exchange.ts';

interface SendableCall extends SentCall {
  /** Whether the answer may come as events. */
  stream: boolean;
}

/** On the agent's own wire. */
export interface NativeCall extends SendableCall {
  kind: 'native';
  wire: TranslatedWire;
  prepared: PreparedCall;
}

/** On the wire that captures are read from. */
export interface CapturedCall extends SendableCall {
  kind: 'captured';
  exchange: Exchange;
  /** Undefined where the body is no JSON object. */
  prepared: PreparedCall | undefined;
}

/** A call as one worker is to get it. */
export type ReadyCall = NativeCall | CapturedCall;

/** Which worker a call goes to, and what kind of engine that is. */
interface CallDestination {
  worker: Worker;
  flavour: EngineFlavour;
}

/**
 * @param opened the call in the engine's wire, or why it cannot be put on it
 * @throws that reason, where the worker does not take the agent's wire; ArtError `ART_GATEWAY_BAD_REQUEST`
 */
export async function readyCall(
  context: CallContext,
  call: AdmittedCall,
  opened: Exchange | WireRequestError,
  destination: CallDestination,
): Promise<ReadyCall> {
  const native = nativeCall(context, call, opened, destination);
  if (native !== undefined) return native;
  if (opened instanceof WireRequestError) throw opened;
  const { options } = context;
  const { endpoint, read, translation } = opened;
  const continuation = await continueTurn(context, call, read, destination);
  const prepared =
    read &&
    injectCall(read, {
      flavour: destination.flavour,
      addLogprobs: options.addLogprobs,
      addTokenIds: options.addTokenIds,
      stripEngineFields: options.stripEngineFields && !needsStopReason(opened),
      continuation,
    });
  const path = endpoint === 'chat' ? '/chat/completions' : '/completions';
  // A query of another wire means nothing to the engine's chat route.
  const query = translation === undefined ? call.target.query : '';
  const body = prepared?.body ?? opened.body;
  return {
    kind: 'captured',
    exchange: opened,
    prepared,
    stream: read?.stream ?? false,
    body,
    path: path + query,
  };
}

// Only the engine's `stop_reason` tells a stop sequence, which Anthropic's wire has to name, from the model's own end. The
// ids that come along are read by nobody: a translated reply has only what its wire has.
function needsStopReason({ wire, translation }: Exchange): boolean {
  return wire === 'messages' && translation?.chatBody.includes('"stop"') === true;
}

/**
 * For an engine that has the route of the agent's wire: the agent's bytes, with the gateway's model and the session's sampling
 * parameters spliced in where there are some. undefined where it has none, or the body is no JSON object.
 */
function nativeCall(
  context: CallContext,
  call: AdmittedCall,
  opened: Exchange | WireRequestError,
  { worker, flavour }: CallDestination,
): ReadyCall | undefined {
  const { endpoint: wire, tail, query } = call.target;
  if (wire !== 'responses' && wire !== 'messages') return undefined;
  if (!engineProfiles[flavour].hasNativeWires) return undefined;
  if (!context.nativeRoutes.mayHave(worker, wire)) return undefined;
  const given = callSampling(context, call, call.body, (parameter) => nativeName(wire, parameter));
  const { stop_sequences: stops, ...others } = given;
  // The chat wire takes a single text too.
  const samplingParams = stops === undefined ? others : { ...others, stop_sequences: [stops].flat() };
  const read = readCall(call.body, { endpoint: 'chat', model: context.options.model, samplingParams });
  if (read === undefined) return undefined;
  const prepared = injectCall(read, { flavour: 'openai', addLogprobs: false, addTokenIds: false });
  // What cannot be translated, as images, is not in the trace.
  const {
    messages = [],
    tools,
    constraints = [],
  } = (opened instanceof WireRequestError ? undefined : opened.read) ?? {};
  return {
    kind: 'native',
    wire,
    // One answer a call, whatever a member `n` says: neither wire has it.
    prepared: { ...prepared, choiceCount: 1, messages, tools, constraints },
    stream: read.stream,
    body: prepared.body,
    path: tail + query,
  };
}

function nativeName(wire: TranslatedWire, parameter: string): string {
  if (isTokenLimit(parameter)) return wire === 'responses' ? 'max_output_tokens' : 'max_tokens';
  return parameter === 'stop' && wire === 'messages' ? 'stop_sequences' : parameter;
}
