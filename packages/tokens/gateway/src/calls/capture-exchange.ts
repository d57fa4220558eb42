import { telemetryReady } from '@art/ground/telemetry';
import type { AgentWire } from '@art/trajectories';
import type { EngineFlavour } from '../engines/engine-profiles.ts';
import type { EngineReply } from '../engines/engine-transport.ts';
import { isMissingRoute } from '../engines/is-missing-route.ts';
import type { Worker } from '../routing/worker.ts';
import type { AdmittedCall } from './call/call.ts';
import type { GatewayServices } from './call/gateway-services.ts';
import { ChatSpan } from './call/chat-span.ts';
import { startHeartbeat } from './call/heartbeat.ts';
import { openCall, type OpenedCall, refuseMedia } from './prepare/open-call.ts';
import { type ReadyCall, readyCall } from './prepare/ready-call.ts';
import { relayNative } from './relay/relay-native.ts';
import { relayStream } from './relay/relay-stream.ts';
import { isRefusal, relayWhole } from './relay/relay-whole.ts';
import type { AnsweredCall } from './relay/store-captures.ts';
import { refusedWhereGivenUp } from './send/engine-gave-up.ts';
import type { KeptPlace } from './call/kept-place.ts';
import { isEventStream, receiveWhole, sendCharged } from './send/send-call.ts';
import { tryWorkers } from './send/try-workers.ts';

/** Serves a call whose answer is captured. */
export async function captureExchange(
  services: GatewayServices,
  admitted: AdmittedCall,
  wire: AgentWire,
): Promise<void> {
  await services.loopTurns.take(admitted.body.length);
  const call = openCall(services, admitted, wire);
  const stream = call.read?.stream === true;
  call.meter.stream = stream;
  const telemetry = telemetryReady();
  if (telemetry !== undefined) await telemetry;
  const asked = { model: call.read?.model, isChat: call.endpoint === 'chat', stream };
  call.meter.span = ChatSpan.begin({ ...call, ...asked, headers: call.request.headers });
  refuseMedia(services, call);
  const heartbeat = startHeartbeat(services, call, stream);
  try {
    const answer = await tryWorkers(services, call, (...worker) => askWorker(services, call, ...worker));
    try {
      const { ready, reply } = answer;
      if (ready.kind === 'native') await relayNative(services, call, answer, ready);
      else if (reply.kind === 'whole') await relayWhole(services, call, answer, reply);
      else if (ready.kind === 'captured')
        await relayStream(services, call, { ...answer, reply }, ready.prepared);
    } finally {
      answer.release();
    }
  } finally {
    heartbeat?.stop();
  }
}

/** Asks one worker, in the agent's own API where the worker has it, else on its chat route. */
async function askWorker(
  services: GatewayServices,
  call: OpenedCall,
  worker: Worker,
  flavour: EngineFlavour,
): Promise<Pick<AnsweredCall, 'ready' | 'reply' | 'weightMark' | 'place'>> {
  const ready = await readyCall(services, call, { worker, flavour });
  const weightMark = services.weights.mark();
  const place = await services.keptAnswers?.placeOf(call, ready);
  const begun = place?.reply ?? (await askEngine(services, call, worker, ready, place));
  const asked = { ready, weightMark, place };
  if (ready.stream && isEventStream(begun)) return { ...asked, reply: { kind: 'stream', ...begun } };
  const reply = await receiveWhole(call, worker, begun);
  // A route that is not there costs nothing.
  if (isRefusal(reply)) call.charge?.takeBack(ready.kind !== 'native' || !isMissingRoute(reply));
  if (ready.kind !== 'native') return { ...asked, reply: refusedWhereGivenUp(reply) };
  if (!isMissingRoute(reply)) return { ...asked, reply };
  const { wire } = ready;
  services.nativeRoutes.lacks(worker, wire);
  services.log.info(
    { worker: worker.url, wire, status: reply.status },
    'no such route: calls are translated',
  );
  return await askWorker(services, call, worker, flavour);
}

async function askEngine(
  services: GatewayServices,
  call: OpenedCall,
  worker: Worker,
  ready: ReadyCall,
  place: KeptPlace | undefined,
): Promise<EngineReply> {
  const reply = await sendCharged(services, call, worker, { ...ready, model: call.read?.model });
  return place?.remember(reply) ?? reply;
}
