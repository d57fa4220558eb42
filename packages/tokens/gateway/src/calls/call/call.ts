import type { IncomingMessage } from 'node:http';
import type { EngineFlavour } from '../../engines/engine-profiles.ts';
import type { ClientReply } from '../../http/client-reply.ts';
import type { ProxyTarget } from '../../http/proxy-path.ts';
import type { LiveSession } from '../../sessions/live-session.ts';
import type { CallCharge } from './call-charge.ts';
import type { ChatSpan } from './chat-span.ts';

/**
 * A call of an agent as it arrived. On its way it becomes {@link AdmittedCall}, `ReadyCall` (what one worker is sent) and
 * `AnsweredCall`; no stage changes the one before it.
 */
export interface ReceivedCall {
  readonly request: IncomingMessage;
  readonly target: ProxyTarget;
  /** The way back to the agent. */
  readonly reply: ClientReply;
  /** Milliseconds since the Unix epoch. */
  readonly arrivedAtMs: number;
  /** State of the call: running, or cancelled and why. */
  readonly life: CallLife;
  /** Figures for the metrics. */
  readonly meter: CallMeter;
}

/** A call whose body is here, and whose session takes it. */
export interface AdmittedCall extends ReceivedCall {
  readonly body: Uint8Array;
  /** Headers for the engine. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Undefined: served, and nothing is kept. */
  readonly session: LiveSession | undefined;
  /** Counts the call where its session has ceilings. */
  readonly charge: CallCharge | undefined;
  /** Which of a rollout's agents calls, where it says so. */
  readonly label: string | undefined;
  /** The call is over, and is counted in its session. @param status that the agent got; 499 where it left before */
  leave(status: number): void;
}

/** Why a call was given up. */
export type CallCancellation = 'client_gone' | 'expired' | 'closing' | 'finished';

/** State of a call: running, or cancelled and why. */
export class CallLife {
  readonly #abort = new AbortController();
  #cancelledBecause: CallCancellation | undefined;
  /** It came to nothing, whatever status was sent before that was known. */
  failed = false;
  /** An error stands in its answer, behind whatever was sent before. */
  brokeOff = false;
  /** Its prompt left no room for an answer. */
  contextFull = false;

  /** Aborted when the call is given up; anyone who works for it stops. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get cancelledBecause(): CallCancellation | undefined {
    return this.#cancelledBecause;
  }

  /** The first reason counts. */
  cancel(reason: CallCancellation): void {
    this.#cancelledBecause ??= reason;
    this.#abort.abort();
  }
}

/** Measurements of a call. No decision depends on them. */
export class CallMeter {
  readonly #startedAt = performance.now();
  stream = false;
  /** The kind of engine that was asked last. */
  engine: EngineFlavour | undefined;
  /** Milliseconds that engines took in all; undefined where none was asked. */
  engineMs: number | undefined;
  /** The call's OpenTelemetry span, where OpenTelemetry is set up. */
  span: ChatSpan | undefined;

  /** Time since the arrival. */
  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Counts what an engine takes. */
  async engineTime<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.engineMs = (this.engineMs ?? 0) + performance.now() - startedAt;
    }
  }
}
