import type { RelayServices } from '../call/gateway-services.ts';
import type { OpenedCall } from '../prepare/open-call.ts';
import { nativeCapture, type NativeEnd } from './native-answer.ts';
import { NativeStream, readNativeReply } from './native-stream.ts';
import { passStream } from './pass-stream.ts';
import { isRefusal, relayRefusal, sendWhole } from './relay-whole.ts';
import { type AnsweredCall, storeCaptures } from './store-captures.ts';

/** Passes an engine's answer on its own API on, byte for byte; what it says is stored as a capture without tokens. */
export async function relayNative(
  services: RelayServices,
  call: OpenedCall,
  answer: AnsweredCall,
  { wire }: AnsweredCall['ready'] & { kind: 'native' },
): Promise<void> {
  const { reply } = answer;
  const store = (end: NativeEnd): Promise<void> => storeCaptures(services, call, answer, nativeCapture(end));
  if (reply.kind === 'whole') {
    if (isRefusal(reply)) return relayRefusal(services, call, answer, reply);
    // An agent that left has no reply, and asks again.
    const end = readNativeReply(wire, reply.body);
    if (call.reply.state === 'gone') return call.charge?.answered(nativeCapture(end));
    await store(end);
    return sendWhole(call, reply, reply.body);
  }
  const stream = new NativeStream(wire);
  const broken = await passStream(call, { ...answer, reply }, (chunk) => stream.push(chunk));
  const { rest, ...end } = stream.finish();
  if (!end.ended) call.life.brokeOff = true;
  await store(end);
  // What is there in full stays good, even if the connection broke behind it.
  if (broken !== undefined && !end.ended) throw broken;
  call.reply.end(rest);
}
