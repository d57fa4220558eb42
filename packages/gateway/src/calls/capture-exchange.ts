import { isMissingRoute } from '../engines/is-missing-route.ts';
import { relayNative } from './relay/relay-native.ts';
import type { AgentWire } from '@art/trajectories';
import { WireRequestError } from '@art/model-wires';
import { abortAtEngine, needsAbort, RequestIdSniffer } from './relay/abort-at-engine.ts';
import type { Call } from './call/call.ts';
import { startHeartbeat } from './call/call-heartbeat.ts';
import { openExchange, wantedModel } from './prepare/exchange.ts';
import type { Heartbeat } from './call/heartbeat.ts';
import type { ProxyContext } from './call/proxy-context.ts';
import { readyCall, type ReadyCall } from './prepare/ready-call.ts';
import { receiveStream, receiveWhole, type StreamReply, type WholeReply } from './send/received-reply.ts';
import { relayStream } from './relay/relay-stream.ts';
import { relayWhole } from './relay/relay-whole.ts';
import { sendToWorker, type WorkerAnswer } from './send/send-to-worker.ts';

type Answer = WorkerAnswer<ReadyCall, WholeReply | StreamReply>;

/** Serves a call whose answer is captured. */
export async function captureExchange(context: ProxyContext, call: Call, wire: AgentWire): Promise<void> {
  await context.turns.take(call.body.length);
  const opened = openExchange(context, call, wire);
  call.stream = opened instanceof WireRequestError ? false : (opened.translation?.stream ?? false);
  const heartbeat = startHeartbeat(context, call);
  const request = {
    transport: wire === 'completions' ? context.http : context.chat,
    model: wantedModel(context, call.body),
    prepare: (flavour: Answer['flavour'], worker: Answer['worker']): ReadyCall =>
      readyCall(context, call, wire, opened, { flavour, worker }),
  };
  try {
    // Each turn finds out of one worker more that it lacks the route, so there is a last one.
    for (let isServed = false; !isServed;) {
      const answer = await sendToWorker<ReadyCall, WholeReply | StreamReply>(
        context,
        call,
        request,
        (reply, worker) =>
          call.stream ? receiveStream(reply, worker, call) : receiveWhole(reply, worker, call),
      );
      try {
        isServed = await relayAnswer(context, call, answer, heartbeat);
      } finally {
        answer.release();
      }
    }
  } finally {
    heartbeat?.stop();
  }
}

/** Passes an answer on. @returns false where the worker has no route for the agent's wire, and so has not answered */
async function relayAnswer(
  context: ProxyContext,
  call: Call,
  { prepared: ready, reply, flavour, worker }: Answer,
  heartbeat: Heartbeat | undefined,
): Promise<boolean> {
  const { url } = worker;
  if (ready.kind === 'native') {
    const { wire, prepared } = ready;
    if (reply.kind === 'whole' && isMissingRoute({ status: reply.status, body: reply.body.bytes })) {
      context.nativeRoutes.lacks(worker, wire);
      context.log.info({ worker: url, wire, status: reply.status }, 'no such route: calls are translated');
      return false;
    }
    await relayNative(context, call, { wire, prepared, reply, worker: url, heartbeat });
    return true;
  }
  const { exchange, prepared } = ready;
  if (reply.kind === 'whole') {
    await relayWhole(context, call, { exchange, prepared, reply, worker: url });
  } else if (prepared !== undefined) {
    // In token mode there is nobody to tell but the transport, which sees the signal.
    const isHttp = exchange.endpoint === 'completions' || context.chat === context.http;
    const ids = isHttp && needsAbort(flavour) ? new RequestIdSniffer(reply.body) : undefined;
    const stream = ids === undefined ? reply : { ...reply, body: ids.body };
    await relayStream(context, call, { exchange, prepared, reply: stream, worker: url, heartbeat });
    if (call.signal.aborted) await abortAtEngine(context, flavour, worker, ids?.requestId);
  }
  return true;
}
