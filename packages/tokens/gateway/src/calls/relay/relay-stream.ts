import type { WireStream } from '../../model-wires/chat/wire-translation.ts';
import type { PreparedCall } from '../../capture/prepare-call.ts';
import { SseDataLines } from '../../capture/sse-events.ts';
import { StreamCapture } from '../../capture/stream-capture.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Worker } from '../../routing/worker.ts';
import { failureOf, reportFailure } from '../call/call-failure.ts';
import type { RelayServices } from '../call/gateway-services.ts';
import type { OpenedCall } from '../prepare/open-call.ts';
import { gaveUp } from '../send/engine-gave-up.ts';
import type { StreamReply } from '../send/send-call.ts';
import { openStop } from './engine-stop.ts';
import { passStream } from './pass-stream.ts';
import { type AnsweredCall, storeCaptures } from './store-captures.ts';

/**
 * Passes a stream on, event by event, no faster than the agent reads. The end is held back until the capture is stored. Where
 * the agent leaves or the engine breaks off, what was sampled until then is stored as a partial capture.
 */
export async function relayStream(
  services: RelayServices,
  call: OpenedCall,
  answer: AnsweredCall & { reply: StreamReply },
  prepared: PreparedCall,
): Promise<void> {
  const { worker, flavour } = answer;
  const capture = new StreamCapture(prepared);
  const wire = call.translation && new AgentEvents(call.translation.openStream());
  const stop = openStop(flavour);
  const push = (chunk: Uint8Array): Uint8Array | string => {
    stop?.look(chunk);
    const events = capture.push(chunk);
    return wire === undefined ? events : wire.push(events);
  };
  const broken = await passStream(call, answer, push);
  const { rest, captured, givenUp } = capture.finish();
  try {
    await storeCaptures(services, call, answer, captured);
  } catch (error) {
    // Without its end the agent's library takes the answer for broken, as it must: nothing was kept of it.
    endWithFailure(services, call, wire, error);
    return;
  } finally {
    if (call.life.signal.aborted) await stop?.send(services, worker);
  }
  if (givenUp !== undefined) {
    endWithFailure(services, call, wire, new ApiError(gaveUp(givenUp)));
    return;
  }
  if (!captured.ended) call.life.brokeOff = true;
  // What is there in full stays good, even if the connection broke behind it.
  if (captured.ended || (captured.error !== undefined && broken === undefined)) {
    call.reply.end(wire === undefined ? rest : wire.push(rest) + wire.finish());
    return;
  }
  endWithFailure(services, call, wire, broken ?? brokeOff(worker));
}

function brokeOff({ url }: Worker): ApiError {
  const message = `The worker ${url} ended its stream in mid-answer.`;
  return new ApiError({ status: 502, message, code: 'upstream_broke_off' });
}

function endWithFailure(
  services: RelayServices,
  call: OpenedCall,
  wire: AgentEvents | undefined,
  error: unknown,
): void {
  const failure = failureOf(error, call);
  if (wire === undefined || failure === undefined || call.reply.state !== 'committed') {
    reportFailure(services, call, error, call.session?.sessionId);
    return;
  }
  services.metrics.error(String(failure.code ?? failure.status));
  call.reply.end(wire.fail(failure));
}

/** The events of the engine's chat stream in the agent's wire. */
class AgentEvents {
  readonly #wire: WireStream;
  readonly #lines = new SseDataLines();

  constructor(wire: WireStream) {
    this.#wire = wire;
  }

  push(events: Uint8Array): string {
    let text = '';
    for (const data of this.#lines.push(events)) {
      if (data !== '[DONE]') text += this.#wire.push(data);
    }
    return text;
  }

  finish(): string {
    return this.#wire.finish();
  }

  fail(failure: { message: string; status: number }): string {
    return this.#wire.fail(failure);
  }
}
