import type { TranslatedWire } from '@art/model-wires';
import type { PreparedCall } from '../../capture/prepare-call.ts';
import type { EngineFlavour } from '../../engines/engine-profiles.ts';
import type { Worker } from '../../routing/worker.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Heartbeat } from '../call/heartbeat.ts';
import type { StreamReply, WholeReply } from '../send/send-to-worker.ts';
import { nativeCapture, type NativeEnd } from './native-answer.ts';
import { NativeStream, readNativeReply } from './native-stream.ts';
import { passStream } from './pass-stream.ts';
import { relayRefusal, sendWhole } from './relay-whole.ts';
import { storeTraces } from './store-traces.ts';

/** What is relayed. */
export interface NativeReply {
  wire: TranslatedWire;
  prepared: PreparedCall;
  reply: WholeReply | StreamReply;
  worker: Worker;
  flavour: EngineFlavour;
  heartbeat: Heartbeat | undefined;
}

/** Passes an engine's answer on its own wire on, byte for byte; what it says is stored as a trace without tokens. */
export async function relayNative(
  context: CallContext,
  call: AdmittedCall,
  native: NativeReply,
): Promise<void> {
  const { reply } = native;
  if (reply.kind === 'stream') await relayStream(context, call, native, reply);
  else if (reply.status < 200 || reply.status > 299) relayRefusal(context, call, reply, undefined);
  // An agent that left has no reply, and asks again.
  else if (call.reply.state !== 'gone') {
    await store(context, call, native, readNativeReply(native.wire, reply.body), reply.body);
    sendWhole(call, reply, reply.body);
  }
}

async function relayStream(
  context: CallContext,
  call: AdmittedCall,
  native: NativeReply,
  reply: StreamReply,
): Promise<void> {
  const { wire, worker, heartbeat } = native;
  const stream = new NativeStream(wire);
  const push = (chunk: Uint8Array): Uint8Array => stream.push(chunk);
  const broken = await passStream(call, { reply, worker, heartbeat, push });
  const { rest, ...end } = stream.finish();
  await store(context, call, native, end, undefined);
  // What is there in full stays good, even if the connection broke behind it.
  if (broken !== undefined && !end.ended) throw broken;
  call.reply.end(rest);
}

async function store(
  context: CallContext,
  call: AdmittedCall,
  { wire, prepared, worker, flavour, reply: { notes } }: NativeReply,
  end: NativeEnd,
  rawReply: Buffer | undefined,
): Promise<void> {
  const captured = nativeCapture(end);
  await storeTraces(context, call, { wire, prepared, captured, worker, flavour, notes, rawReply });
}
