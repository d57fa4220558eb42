import {
  invocationStateWire,
  parseRipRequest,
  parseRolloutConfig,
  type RipRequest,
  type RolloutTarget,
} from '@art/protocol';
import { parseJson } from '@art/ground';
import type { EndpointClock } from './endpoint-clock.ts';
import type { EndpointSettings } from './endpoint-settings.ts';
import type { RequestCounts } from './request-counts.ts';
import type { RolloutLedger } from './rollout-ledger.ts';
import { CallRate } from './call-rate.ts';
import { jsonAnswer, serviceError, type WireAnswer } from './wire-answer.ts';

/** InvokeAgentRuntime and StopRuntimeSession under quotas. */
export class DataPlane {
  readonly #settings: EndpointSettings;
  readonly #ledger: RolloutLedger;
  readonly #counts: RequestCounts;
  readonly #rate: CallRate;
  readonly #calls: CallRate;
  readonly #clock: EndpointClock;
  #askSecond = { second: 0, count: 0 };

  constructor(
    settings: EndpointSettings,
    ledger: RolloutLedger,
    counts: RequestCounts,
    clock: EndpointClock,
  ) {
    this.#settings = settings;
    this.#ledger = ledger;
    this.#counts = counts;
    this.#clock = clock;
    this.#rate = new CallRate(settings.newSessionsPerSecond ?? Number.POSITIVE_INFINITY, clock);
    this.#calls = new CallRate(settings.callsPerSecond ?? Number.POSITIVE_INFINITY, clock);
  }

  /** Looks at an invocation as it arrives; what it gives makes the answer after the latency. */
  invoke(sessionId: string, body: string): () => WireAnswer {
    const payload = parseJson(body) as Record<string, unknown>;
    const rip = parseRipRequest(payload);
    if (rip?.operation === 'get') return this.#ask(sessionId, rip);
    const target = parseRolloutConfig(payload)?.target;
    if (target === undefined && rip === undefined)
      return () =>
        serviceError(400, 'ValidationException', 'The payload has neither _rollout nor an envelope.');
    const refusal = this.#refusal(sessionId);
    if (refusal !== undefined) return () => refusal;
    // An agent of the Python toolkit passes over the envelope of a rollout whose result is to be stored.
    return this.#accept(sessionId, payload, target ?? rip!);
  }

  /** Answers a stop. */
  stop(sessionId: string): WireAnswer {
    if (!this.#calls.tryTake()) {
      this.#counts.stopThrottled += 1;
      return serviceError(429, 'ThrottlingException', 'Rate exceeded');
    }
    this.#counts.stop += 1;
    return this.#ledger.stop(sessionId)
      ? jsonAnswer({})
      : serviceError(
          404,
          'ResourceNotFoundException',
          `Session ${sessionId} not found or already terminated`,
        );
  }

  #accept(
    sessionId: string,
    payload: Record<string, unknown>,
    wire: RolloutTarget | RipRequest,
  ): () => WireAnswer {
    const target = 's3Bucket' in wire ? wire : undefined;
    const resultKey = this.#ledger.open({ sessionId, payload, target });
    return () => {
      this.#ledger.begin(sessionId);
      return 's3Bucket' in wire
        ? jsonAnswer({ status: 'processing', s3_bucket: wire.s3Bucket, result_key: resultKey })
        : jsonAnswer(invocationStateWire(wire.invocationId, { status: 'in_progress' }));
    };
  }

  #ask(sessionId: string, { invocationId }: RipRequest): () => WireAnswer {
    this.#countAsk();
    // The handler of the session looks when the request arrives; what becomes ready while it answers is for the next one.
    const found = this.#ledger.ask(sessionId);
    return () => {
      found?.onAnswered();
      if (found === undefined) return jsonAnswer(invocationStateWire(invocationId, { status: 'not_found' }));
      const result = { reward: 1 };
      const state = found.isDone
        ? ({ status: 'completed', result } as const)
        : ({ status: 'in_progress' } as const);
      return jsonAnswer(invocationStateWire(invocationId, state));
    };
  }

  #countAsk(): void {
    this.#counts.ask += 1;
    const second = Math.floor(this.#clock.nowMs() / 1_000);
    if (second !== this.#askSecond.second) this.#askSecond = { second, count: 0 };
    this.#askSecond.count += 1;
    this.#counts.askPeakPerSecond = Math.max(this.#counts.askPeakPerSecond, this.#askSecond.count);
  }

  #refusal(sessionId: string): WireAnswer | undefined {
    if (!this.#calls.tryTake()) {
      this.#counts.invokeThrottled += 1;
      return serviceError(429, 'ThrottlingException', 'Rate exceeded');
    }
    if (this.#ledger.has(sessionId)) {
      this.#counts.invokeRepeated += 1;
      return undefined;
    }
    if (this.#ledger.liveSessions >= (this.#settings.maxLiveSessions ?? Number.POSITIVE_INFINITY)) {
      this.#counts.invokeOverQuota += 1;
      return serviceError(402, 'ServiceQuotaExceededException', 'maxVms limit exceeded');
    }
    if (!this.#rate.tryTake()) {
      this.#counts.invokeThrottled += 1;
      return serviceError(429, 'ThrottlingException', 'New session creation rate exceeded');
    }
    this.#counts.invoke += 1;
    return undefined;
  }
}
