import { callWithin, ArtError } from '@art/ground';
import { traceContextField } from '@art/protocol';
import {
  attributeNames,
  flushSpans,
  incomingContext,
  readTraceContext,
  spanNames,
  startSpan,
  type TelemetrySpan,
} from '@art/ground/telemetry';
import type { RolloutEnding } from '../document/rollout-ending.ts';
import type { RequestContext } from '../request/request-context.ts';

// Less than an app has for its end.
const flushLimitMs = 2_000;

/** The span of a rollout in its agent: the handler, below the trainer's call. What the handler makes of spans is below it. */
export class AgentSpan {
  readonly #span: TelemetrySpan;
  readonly #sessionId: string;

  private constructor(span: TelemetrySpan, sessionId: string) {
    this.#span = span;
    this.#sessionId = sessionId;
  }

  /** Undefined where no SDK of OpenTelemetry is registered. */
  static begin({ sessionId, rollout, headers }: RequestContext): AgentSpan | undefined {
    const span = startSpan(spanNames.invokeAgent, {
      parent: readTraceContext(rollout?.raw[traceContextField]) ?? incomingContext(headers),
      attributes: {
        [attributeNames.operation]: spanNames.invokeAgent,
        [attributeNames.provider]: 'aws.bedrock',
        [attributeNames.sessionId]: sessionId,
        [attributeNames.conversationId]: sessionId,
        [attributeNames.rolloutId]: sessionId,
      },
    });
    return span && new AgentSpan(span, sessionId);
  }

  /** Runs the handler. */
  run<T>(work: () => T): T {
    return this.#span.run(work, {
      [attributeNames.sessionId]: this.#sessionId,
      [attributeNames.rolloutId]: this.#sessionId,
    });
  }

  /**
   * Ends it. Its session may be stopped as soon as the result is there, long before SDKs send by themselves: resolves, and never
   * rejects, when it was sent, or could not be.
   */
  async end(ending: RolloutEnding, log: RequestContext['log']): Promise<void> {
    if (ending.kind !== 'returned')
      this.#span.fail(ArtError.isInstance(ending.error) ? ending.error.code : ending.kind);
    this.#span.end();
    try {
      await callWithin(() => flushSpans(), { timeoutMs: flushLimitMs });
    } catch (error) {
      log.warn(
        { err: error },
        'The span of the rollout could not be sent; look at the set-up of OpenTelemetry',
      );
    }
  }
}
