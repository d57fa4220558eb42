import { parseJson, parseRolloutConfig, type RolloutTarget } from '@art/protocol';
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

  constructor(
    settings: EndpointSettings,
    ledger: RolloutLedger,
    counts: RequestCounts,
    clock: EndpointClock,
  ) {
    this.#settings = settings;
    this.#ledger = ledger;
    this.#counts = counts;
    this.#rate = new CallRate(settings.newSessionsPerSecond ?? Number.POSITIVE_INFINITY, clock);
    this.#calls = new CallRate(settings.callsPerSecond ?? Number.POSITIVE_INFINITY, clock);
  }

  /** Looks at an invocation as it arrives; what it gives makes the answer after the latency. */
  invoke(sessionId: string, body: string): () => WireAnswer {
    const payload = parseJson(body) as Record<string, unknown>;
    const target = parseRolloutConfig(payload)?.target;
    if (target === undefined)
      return () => serviceError(400, 'ValidationException', 'The payload has no _rollout.');
    const refusal = this.#refusal(sessionId);
    if (refusal !== undefined) return () => refusal;
    return this.#accept(sessionId, target, payload);
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

  #accept(sessionId: string, target: RolloutTarget, payload: Record<string, unknown>): () => WireAnswer {
    const { s3Bucket: bucket } = target;
    const resultKey = this.#ledger.open({ ...target, sessionId, bucket, payload });
    return () => {
      this.#ledger.begin(sessionId);
      return jsonAnswer({ status: 'processing', s3_bucket: bucket, result_key: resultKey });
    };
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
