import { isJsonObject, parseJson, shownUrl } from '@art/ground';
import {
  attributeNames,
  isSameTrace,
  readTraceContext,
  type SpanAttributes,
  spanNames,
  startSpan,
  type TelemetrySpan,
} from '@art/ground/telemetry';
import type { NewCapture } from '../../store/capture-store.ts';
import type { LiveSession } from '../../sessions/live-session.ts';

/** Known facts of a call when its span begins. */
interface ChatStart {
  /** Headers that the agent sent. */
  headers: Readonly<Record<string, unknown>>;
  session: LiveSession | undefined;
  label: string | undefined;
  arrivedAtMs: number;
  model: string | undefined;
  isChat: boolean;
  stream: boolean;
}

/** How it ended; a `CallLife`. */
interface ChatEnd {
  cancelledBecause: string | undefined;
  failed: boolean;
  brokeOff: boolean;
}

/** Measurements of a call; a `CallMeter`. */
interface EngineUse {
  engine: string | undefined;
  engineMs: number | undefined;
}

/** The span of one call of a model: what its agent asked for, and figures of what came; no text, token or logprob of either. */
export class ChatSpan {
  readonly #span: TelemetrySpan;

  private constructor(span: TelemetrySpan) {
    this.#span = span;
  }

  /**
   * Begins it where the agent's client says it is, if that is in the capture of the rollout; else below the rollout, so that an agent
   * without instrumentation is in its trace as well. Undefined where no SDK of OpenTelemetry is registered.
   */
  static begin({ headers, session, label, arrivedAtMs, ...asked }: ChatStart): ChatSpan | undefined {
    const ofSession = readTraceContext(session?.init.metadata);
    const ofCall = readTraceContext(headers);
    const isElsewhere = ofSession !== undefined && ofCall !== undefined && !isSameTrace(ofSession, ofCall);
    const operation = asked.isChat ? spanNames.chat : spanNames.textCompletion;
    const sessionId = session?.sessionId;
    const span = startSpan(asked.model === undefined ? operation : `${operation} ${asked.model}`, {
      kind: 'client',
      parent: isElsewhere ? ofSession : (ofCall ?? ofSession),
      links: isElsewhere ? [ofCall] : [],
      startedAtMs: arrivedAtMs,
      attributes: {
        [attributeNames.operation]: operation,
        [attributeNames.requestModel]: asked.model,
        [attributeNames.requestStream]: asked.stream || undefined,
        [attributeNames.sessionId]: sessionId,
        [attributeNames.conversationId]: sessionId,
        [attributeNames.rolloutId]: session?.init.rolloutId ?? sessionId,
        [attributeNames.groupId]: session?.init.groupId ?? undefined,
        [attributeNames.agentLabel]: label,
      },
    });
    return span && new ChatSpan(span);
  }

  /** Adds facts from the call's captures. */
  captured(captures: readonly NewCapture[]): void {
    const [capture] = captures;
    if (capture === undefined) return;
    const { samplingParams = '{}', temperature, topP, choiceCount, usage } = capture;
    const sampling = parseJson(samplingParams);
    const maxTokens = isJsonObject(sampling)
      ? (sampling['max_completion_tokens'] ?? sampling['max_tokens'])
      : undefined;
    this.#span.set({
      ...serverOf(capture.worker),
      [attributeNames.requestMaxTokens]: typeof maxTokens === 'number' ? maxTokens : undefined,
      [attributeNames.requestTemperature]: temperature,
      [attributeNames.requestTopP]: topP,
      [attributeNames.requestChoices]: choiceCount === 1 ? undefined : choiceCount,
      [attributeNames.responseModel]: capture.model,
      [attributeNames.finishReasons]: captures.flatMap(({ finishReason }) => finishReason ?? []),
      [attributeNames.inputTokens]: usage.prompt,
      [attributeNames.outputTokens]: sum(captures.map(({ usage: { completion } }) => completion)),
      [attributeNames.capture]: capture.status,
      [attributeNames.weightVersion]: capture.weightVersion,
    });
  }

  /** @param status that the agent got; 499 where it left before */
  end(status: number, { cancelledBecause, failed, brokeOff }: ChatEnd, engine: EngineUse): void {
    this.#span.set({
      [attributeNames.provider]: engine.engine ?? 'unknown',
      [attributeNames.engineMs]: engine.engineMs,
    });
    if (cancelledBecause !== undefined) this.#span.fail(cancelledBecause);
    else if (status >= 400) this.#span.fail(String(status));
    else if (failed || brokeOff) this.#span.fail('broke_off');
    this.#span.end();
  }
}

function serverOf(worker: string): SpanAttributes {
  const { hostname, port, protocol } = new URL(shownUrl(worker));
  const usual = protocol === 'https:' ? 443 : 80;
  return {
    [attributeNames.serverAddress]: hostname,
    [attributeNames.serverPort]: port === '' ? usual : Number(port),
  };
}

function sum(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((total, count) => (count === undefined ? total : (total ?? 0) + count), undefined);
}
