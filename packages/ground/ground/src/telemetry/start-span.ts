import type { Context, Link, Span } from '@opentelemetry/api';
import { attributeNames } from './names.ts';
import { type Api, openTelemetry } from './open-telemetry.ts';
import { formatSpanContext, toSpanContext, type TraceContext } from './trace-context.ts';

/** Attributes of a span. Undefined ones are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

export interface SpanStart {
  /** `client`: it waits for another process. @default 'internal' */
  kind?: 'internal' | 'client' | undefined;
  /** @default none: its own trace, with a link to the span in which the caller works */
  parent?: TraceContext | undefined;
  /** Spans of other traces that have to do with it. @default none */
  links?: readonly TraceContext[] | undefined;
  attributes?: SpanAttributes | undefined;
  /** Milliseconds since 1970. @default now */
  startedAtMs?: number | undefined;
}

/** A span that has begun. It takes names and numbers only: no text of a prompt, an answer or an error may be given to it. */
export class TelemetrySpan {
  /** For the processes that work for it. */
  readonly context: TraceContext;
  readonly #api: Api;
  readonly #span: Span;

  constructor(api: Api, span: Span) {
    this.#api = api;
    this.#span = span;
    this.context = formatSpanContext(span.spanContext());
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  event(name: string, attributes: SpanAttributes = {}): void {
    this.#span.addEvent(name, attributes);
  }

  /** @param errorType a class of errors, of which there are few: a code, and no message */
  fail(errorType: string): void {
    this.set({ [attributeNames.errorType]: errorType });
    this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }

  /**
   * Runs code in this span: spans that it makes are its children, where the application has a context manager.
   * @param baggage what instrumentations copy onto those spans; what is there already stays. It is sent to other hosts.
   */
  run<T>(work: () => T, baggage: Readonly<Record<string, string>> = {}): T {
    const { context, propagation, trace } = this.#api;
    let within = trace.setSpan(context.active(), this.#span);
    let entries = propagation.getBaggage(within) ?? propagation.createBaggage();
    for (const [name, value] of Object.entries(baggage))
      if (entries.getEntry(name) === undefined) entries = entries.setEntry(name, { value });
    within = propagation.setBaggage(within, entries);
    return context.with(within, work);
  }
}

/** Begins a span; undefined where no SDK is registered, or `telemetryReady` was not awaited since. */
export function startSpan(name: string, start: SpanStart = {}): TelemetrySpan | undefined {
  const api = openTelemetry();
  if (api === undefined) return undefined;
  const { context, SpanKind, trace } = api;
  const { kind = 'internal', parent, startedAtMs, attributes } = start;
  const above = parent && toSpanContext(parent, api);
  const within: Context = above
    ? trace.setSpanContext(context.active(), above)
    : trace.deleteSpan(context.active());
  const around = above === undefined ? trace.getSpanContext(context.active()) : undefined;
  const others = (start.links ?? []).map((link) => toSpanContext(link, api));
  const links: Link[] = [around, ...others].flatMap((other) => (other ? [{ context: other }] : []));
  const span = trace.getTracer('@art/ground/telemetry').startSpan(
    name,
    {
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      links,
      ...(attributes && { attributes: { ...attributes } }),
      // A Date, for small numbers would be read as times since the process has begun.
      ...(startedAtMs !== undefined && { startTime: new Date(startedAtMs) }),
    },
    within,
  );
  return new TelemetrySpan(api, span);
}

/**
 * Where the request stands that the caller works on: as its headers say, read by the application's propagator, else by the span in
 * which the caller works.
 */
export function incomingContext(headers: Readonly<Record<string, string>>): TraceContext | undefined {
  const api = openTelemetry();
  if (api === undefined) return undefined;
  const { context, propagation, trace } = api;
  const found = trace.getSpanContext(propagation.extract(context.active(), headers));
  return found && formatSpanContext(found);
}
