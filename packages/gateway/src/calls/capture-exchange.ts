import { WireRequestError } from '@art/model-wires';
import type { AgentWire } from '@art/trajectories';
import { isMissingRoute } from '../engines/is-missing-route.ts';
import type { AdmittedCall } from './call/call.ts';
import type { CallContext } from './call/call-context.ts';
import { startHeartbeat } from './call/heartbeat.ts';
import { openExchange, wantedModel } from './prepare/open-exchange.ts';
import { readyCall, type ReadyCall } from './prepare/ready-call.ts';
import { asksForStream } from '../capture/prepare-call.ts';
import { relayNative } from './relay/relay-native.ts';
import { relayStream } from './relay/relay-stream.ts';
import { relayWhole } from './relay/relay-whole.ts';
import { refusedWhereGivenUp } from './send/engine-gave-up.ts';
import {
  receiveStream,
  receiveWhole,
  type StreamReply,
  type WholeReply,
  sendToWorker,
  type WorkerAnswer,
} from './send/send-to-worker.ts';

type Answer = WorkerAnswer<ReadyCall, WholeReply | StreamReply>;

/** Serves a call whose answer is captured. */
export async function captureExchange(
  context: CallContext,
  call: AdmittedCall,
  wire: AgentWire,
): Promise<void> {
  await context.turns.take(call.body.length);
  const opened = openExchange(context, call, wire);
  const stream = opened instanceof WireRequestError ? asksForStream(call.body) : opened.read?.stream === true;
  call.meter.stream = stream;
  const heartbeat = startHeartbeat(context, call, stream);
  try {
    const answer = await sendToWorker<ReadyCall, WholeReply | StreamReply>(context, call, {
      model: wantedModel(context, call.body),
      prepare: (worker, flavour) => readyCall(context, call, opened, { worker, flavour }),
      async receive(reply, worker, ready) {
        const receive = ready.stream ? receiveStream : receiveWhole;
        const received = await receive(reply, worker, call.life.signal);
        return received.kind === 'whole' && ready.kind === 'captured'
          ? refusedWhereGivenUp(received)
          : received;
      },
      isOtherWay(reply, worker, ready) {
        if (ready.kind !== 'native' || reply.kind === 'stream' || !isMissingRoute(reply)) return false;
        context.nativeRoutes.lacks(worker, ready.wire);
        const { url } = worker;
        context.log.info({ worker: url, wire, status: reply.status }, 'no such route: calls are translated');
        return true;
      },
    });
    try {
      await relayAnswer(context, call, answer);
    } finally {
      answer.release();
    }
  } finally {
    heartbeat?.stop();
  }
}

async function relayAnswer(context: CallContext, call: AdmittedCall, answer: Answer): Promise<void> {
  const { ready, reply } = answer;
  if (ready.kind === 'native') await relayNative(context, call, { ...answer, ready });
  else if (reply.kind === 'whole') await relayWhole(context, call, { ...answer, ready, reply });
  else if (ready.prepared !== undefined)
    await relayStream(context, call, { ...answer, ready, reply }, ready.prepared);
}
