import type { PreparedCall } from '../../capture/prepare-call.ts';
import { type EngineFlavour, engineProfiles } from '../../engines/engine-profiles.ts';
import { prepareNativeCall } from './prepare-native-call.ts';
import type { Worker } from '../../routing/worker.ts';
import type { AgentWire } from '@art/trajectories';
import { WireRequestError, type TranslatedWire } from '@art/model-wires';
import type { Call } from '../call/call.ts';
import { prepareExchange, type Exchange, type PreparedExchange } from './exchange.ts';
import type { ProxyContext } from '../call/proxy-context.ts';

/**
 * A call as one worker is to get it.
 * - `native`: on the agent's own wire.
 * - `captured`: on the wire that captures are read from, translated where the agent speaks another one.
 */
export type ReadyCall =
  | { kind: 'native'; wire: TranslatedWire; prepared: PreparedCall; body: Uint8Array; path: string }
  | ({ kind: 'captured'; exchange: Exchange } & PreparedExchange);

/** Which worker a call goes to, and what kind of engine that is. */
export interface CallDestination {
  worker: Worker;
  flavour: EngineFlavour;
}

/**
 * @param opened the call in the engine's wire, or why it cannot be put on it
 * @throws that reason, where the worker does not take the agent's wire; ArtError `ART_GATEWAY_BAD_REQUEST`
 */
export function readyCall(
  context: ProxyContext,
  call: Call,
  wire: AgentWire,
  opened: Exchange | WireRequestError,
  destination: CallDestination,
): ReadyCall {
  if ((wire === 'responses' || wire === 'messages') && goesNative(context, wire, destination)) {
    const translation = opened instanceof WireRequestError ? undefined : opened.translation;
    const prepared = prepareNativeCall(context, call, wire, translation);
    if (prepared !== undefined) {
      call.stream = prepared.stream;
      return {
        kind: 'native',
        wire,
        prepared,
        body: prepared.body,
        path: call.target.tail + call.target.query,
      };
    }
  }
  if (opened instanceof WireRequestError) throw opened;
  const ready = prepareExchange(context, call, opened, destination.flavour);
  return { kind: 'captured', exchange: opened, ...ready };
}

// A transport that samples itself does so whatever routes the engine behind it has.
function goesNative(
  { chat, nativeRoutes }: ProxyContext,
  wire: TranslatedWire,
  { flavour, worker }: CallDestination,
): boolean {
  if (chat.engine !== undefined) return false;
  return engineProfiles[flavour].hasNativeWires && nativeRoutes.mayHave(worker, wire);
}
