import { WireRequestError } from '@art/model-wires';
import type { AgentWire } from '@art/trajectories';
import { asksForStream } from '../capture/prepare-call.ts';
import type { EngineFlavour } from '../engines/engine-profiles.ts';
import { isMissingRoute } from '../engines/is-missing-route.ts';
import type { Worker } from '../routing/worker.ts';
import type { AdmittedCall } from './call/call.ts';
import type { CallContext } from './call/call-context.ts';
import { startHeartbeat } from './call/heartbeat.ts';
import { type Exchange, openExchange, wantedModel } from './prepare/open-exchange.ts';
import { readyCall } from './prepare/ready-call.ts';
import { refuseMedia } from './prepare/refuse-media.ts';
import type { CapturedAnswer } from './relay/captured-answer.ts';
import { relayNative } from './relay/relay-native.ts';
import { relayStream } from './relay/relay-stream.ts';
import { relayWhole } from './relay/relay-whole.ts';
import { refusedWhereGivenUp } from './send/engine-gave-up.ts';
import { receiveStream, receiveWhole } from './send/receive-reply.ts';
import { sendCall } from './send/send-call.ts';
import { tryWorkers } from './send/try-workers.ts';

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
  refuseMedia(context, call, opened);
  const heartbeat = startHeartbeat(context, call, stream);
  try {
    const answer = await tryWorkers(context, call, wantedModel(context, call.body), (worker, flavour) =>
      askWorker(context, call, opened, worker, flavour),
    );
    try {
      const { ready, reply } = answer;
      if (ready.kind === 'native') await relayNative(context, call, { ...answer, ready });
      else if (reply.kind === 'whole') await relayWhole(context, call, { ...answer, ready, reply });
      else if (ready.prepared !== undefined)
        await relayStream(context, call, { ...answer, ready, reply }, ready.prepared);
    } finally {
      answer.release();
    }
  } finally {
    heartbeat?.stop();
  }
}

/** Asks one worker, in the agent's own API where the worker has it, else on its chat route. */
async function askWorker(
  context: CallContext,
  call: AdmittedCall,
  opened: Exchange | WireRequestError,
  worker: Worker,
  flavour: EngineFlavour,
): Promise<CapturedAnswer> {
  const ready = await readyCall(context, call, opened, { worker, flavour });
  const weightMark = context.weights.mark();
  const reply = await call.meter.engineTime(async () => {
    const receive = ready.stream ? receiveStream : receiveWhole;
    return await receive(await sendCall(context, call, worker, ready), worker, call.life.signal);
  });
  if (reply.kind === 'stream') return { ready, reply, weightMark };
  if (ready.kind === 'captured') return { ready, reply: refusedWhereGivenUp(reply), weightMark };
  if (!isMissingRoute(reply)) return { ready, reply, weightMark };
  context.nativeRoutes.lacks(worker, ready.wire);
  const told = { worker: worker.url, wire: ready.wire, status: reply.status };
  context.log.info(told, 'no such route: calls are translated');
  return await askWorker(context, call, opened, worker, flavour);
}
