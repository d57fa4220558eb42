import type { PreparedCall } from '../../capture/prepare-call.ts';
import type { Call } from '../call/call.ts';
import { exchangeTraces } from './exchange-traces.ts';
import type { Heartbeat } from '../call/heartbeat.ts';
import { passStream } from './pass-stream.ts';
import type { ProxyContext } from '../call/proxy-context.ts';
import type { StreamReply, WholeReply } from '../send/received-reply.ts';
import { relayRefusal } from './relay-refusal.ts';
import { sendWhole } from './send-whole.ts';
import { storeTraces } from './store-traces.ts';
import { tellFailure } from '../call/tell-failure.ts';
import type { TranslatedWire } from '@art/model-wires';
import { nativeCapture, type NativeEnd } from './native-answer.ts';
import { NativeStream, readNativeReply } from './native-stream.ts';

/** What is relayed. */
export interface NativeReply {
  wire: TranslatedWire;
  prepared: PreparedCall;
  reply: WholeReply | StreamReply;
  /** The worker's URL. */
  worker: string;
  heartbeat: Heartbeat | undefined;
}

/** Passes an engine's answer on its own wire on, byte for byte; what it says is stored as a trace without tokens. */
export async function relayNative(context: ProxyContext, call: Call, native: NativeReply): Promise<void> {
  const { reply } = native;
  if (reply.kind === 'stream') await relayStream(context, call, native, reply);
  else if (reply.status < 200 || reply.status > 299) relayRefusal(context, call, reply, undefined);
  else await relayWhole(context, call, native, reply);
}

async function relayWhole(
  context: ProxyContext,
  call: Call,
  native: NativeReply,
  reply: WholeReply,
): Promise<void> {
  // An agent that left has no reply, and asks again.
  if (call.reply.state === 'gone') return;
  await store(context, call, native, readNativeReply(native.wire, reply.body.bytes), reply.body.bytes);
  sendWhole(call, reply, reply.body.bytes);
}

async function relayStream(
  context: ProxyContext,
  call: Call,
  native: NativeReply,
  reply: StreamReply,
): Promise<void> {
  const { wire, worker, heartbeat } = native;
  const stream = new NativeStream(wire);
  const broken = await passStream(call, {
    reply,
    worker,
    heartbeat,
    push: (chunk) => stream.push(chunk),
  });
  const { rest, ...end } = stream.finish();
  try {
    await store(context, call, native, end, undefined);
  } catch (error) {
    tellFailure(context, call, error);
    return;
  }
  // What is there in full stays good, even if the connection broke behind it.
  if (broken !== undefined && !end.ended) tellFailure(context, call, broken);
  else call.reply.end(rest);
}

async function store(
  context: ProxyContext,
  call: Call,
  { wire, prepared, worker }: NativeReply,
  end: NativeEnd,
  rawReply: Buffer | undefined,
): Promise<void> {
  const captured = nativeCapture(end);
  await storeTraces(
    context,
    call,
    exchangeTraces(context, call, { wire, prepared, captured, worker, rawReply }),
  );
}
