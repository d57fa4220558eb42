import type { EngineReply } from '../engines/engine-transport.ts';
import type { Worker } from '../routing/worker.ts';
import { abortAtEngine, needsAbort, RequestIdSniffer } from './abort-at-engine.ts';
import type { Call } from './call.ts';
import { startHeartbeat } from './call-heartbeat.ts';
import { openExchange, prepareExchange, wantedModel, type PreparedExchange } from './exchange.ts';
import type { ProxyContext } from './proxy-context.ts';
import { receiveStream, receiveWhole, type StreamReply, type WholeReply } from './received-reply.ts';
import { relayStream } from './relay-stream.ts';
import { relayWhole } from './relay-whole.ts';
import { sendToWorker } from './send-to-worker.ts';

/** Serves a call whose answer is captured. */
export async function captureExchange(
  context: ProxyContext,
  call: Call,
  wire: 'chat' | 'completions' | 'responses' | 'messages',
): Promise<void> {
  const exchange = openExchange(context, call, wire);
  call.stream = exchange.translation?.stream ?? false;
  const heartbeat = startHeartbeat(context, call);
  const transport = exchange.endpoint === 'chat' ? context.chat : context.http;
  let isStream = false;
  try {
    const answer = await sendToWorker<PreparedExchange, WholeReply | StreamReply>(
      context,
      call,
      {
        transport,
        model: wantedModel(context, exchange.body),
        prepare(flavour) {
          const ready = prepareExchange(context, call, exchange, flavour);
          isStream = ready.prepared?.stream ?? false;
          return ready;
        },
      },
      (reply: EngineReply, worker: Worker) =>
        isStream ? receiveStream(reply, worker, call) : receiveWhole(reply, worker, call),
    );
    const { prepared, reply, flavour, worker, release } = answer;
    const { url } = worker;
    try {
      if (reply.kind === 'whole') {
        await relayWhole(context, call, { exchange, prepared, reply, worker: url });
      } else if (prepared.prepared !== undefined) {
        const ids =
          transport === context.http && needsAbort(flavour) ? new RequestIdSniffer(reply.body) : undefined;
        const stream = ids === undefined ? reply : { ...reply, body: ids.body };
        const what = { exchange, prepared: prepared.prepared, reply: stream, worker: url, heartbeat };
        await relayStream(context, call, what);
        if (call.signal.aborted) await abortAtEngine(context, flavour, worker, ids?.requestId);
      }
    } finally {
      release();
    }
  } finally {
    heartbeat?.stop();
  }
}
