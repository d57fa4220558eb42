import { StreamCapture } from '../../capture/stream-capture.ts';
import type { CapturedReply } from '../../capture/captured-reply.ts';
import type { PreparedCall } from '../../capture/prepare-call.ts';
import type { WireStream } from '@art/model-wires';
import { ApiError } from '../../http/api-error.ts';
import type { Call } from '../call/call.ts';
import type { Exchange } from '../prepare/exchange.ts';
import { exchangeTraces } from './exchange-traces.ts';
import { failureOf } from '../call/failure-of.ts';
import type { Heartbeat } from '../call/heartbeat.ts';
import { passStream } from './pass-stream.ts';
import type { ProxyContext } from '../call/proxy-context.ts';
import type { StreamReply } from '../send/received-reply.ts';
import { SseDataLines } from '../../http/sse-data-lines.ts';
import { storeTraces } from './store-traces.ts';
import { tellFailure } from '../call/tell-failure.ts';

/** What is relayed. */
export interface StreamAnswer {
  exchange: Exchange;
  prepared: PreparedCall;
  reply: StreamReply;
  /** The worker's URL. */
  worker: string;
  heartbeat: Heartbeat | undefined;
}

/**
 * Passes a stream on, event by event, no faster than the agent reads. The end is held back until the trace is stored. Where
 * the agent leaves or the engine breaks off, what was sampled until then is stored as a partial trace.
 */
export async function relayStream(context: ProxyContext, call: Call, answer: StreamAnswer): Promise<void> {
  const { exchange, prepared, reply, worker, heartbeat } = answer;
  const capture = new StreamCapture(prepared);
  const wire =
    exchange.translation === undefined ? undefined : new TranslatedStream(exchange.translation.openStream());
  const store = async (captured: CapturedReply): Promise<void> =>
    storeTraces(
      context,
      call,
      exchangeTraces(context, call, { wire: exchange.wire, prepared, captured, worker, rawReply: undefined }),
    );

  const broken = await passStream(call, {
    reply,
    worker,
    heartbeat,
    push(chunk) {
      const events = capture.push(chunk);
      return wire === undefined ? events : wire.push(events);
    },
  });
  const { rest, captured } = capture.finish();
  try {
    await store(captured);
  } catch (error) {
    // Without its end the agent's library takes the answer for broken, as it must: nothing was kept of it.
    endWithFailure(context, call, wire, error);
    return;
  }
  // What is there in full stays good, even if the connection broke behind it.
  if (captured.ended || (captured.error !== undefined && broken === undefined)) {
    call.reply.end(wire === undefined ? rest : wire.push(rest) + wire.finish());
    return;
  }
  endWithFailure(context, call, wire, broken ?? brokeOff(worker));
}

function brokeOff(worker: string): ApiError {
  const message = `The worker ${worker} ended its stream in mid-answer.`;
  return new ApiError({ status: 502, message, code: 'upstream_broke_off' });
}

function endWithFailure(
  context: ProxyContext,
  call: Call,
  wire: TranslatedStream | undefined,
  error: unknown,
): void {
  const failure = failureOf(error, call);
  if (wire === undefined || failure === undefined || call.reply.state !== 'committed') {
    tellFailure(context, call, error);
    return;
  }
  context.metrics.error(String(failure.code ?? failure.status));
  call.reply.end(wire.fail(failure));
}

/** The events of the engine's chat stream in the agent's wire. */
class TranslatedStream {
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
