import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as a viewer would have it. */
export interface ReceivedSpan {
  service: string;
  name: string;
  /** 1 internal, 3 client. */
  kind: number;
  traceId: string;
  spanId: string;
  /** Empty for a root. */
  parentSpanId: string;
  attributes: Record<string, unknown>;
  /** 2 where it failed. */
  status: number;
  events: { name: string; attributes: Record<string, unknown> }[];
  links: string[];
}

interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}

interface OtlpSpan extends Pick<ReceivedSpan, 'name' | 'kind' | 'traceId' | 'spanId'> {
  parentSpanId?: string;
  attributes: OtlpAttribute[];
  status: { code?: number };
  events: { name: string; attributes: OtlpAttribute[] }[];
  links: { spanId: string }[];
}

interface OtlpBody {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

export interface OtlpReceiver extends AsyncDisposable {
  /** Variables that a process needs to send its spans here. */
  env(service: string): Record<string, string>;
  /** In the order of their arrival. */
  readonly spans: readonly ReceivedSpan[];
  /** Every body, as text. */
  readonly bodies: readonly string[];
}

/** Takes spans over OTLP, as JSON, on a free port of loopback. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      bodies.push(JSON.stringify(body));
      spans.push(...spansOf(body as OtlpBody));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    spans,
    bodies,
    env: (service) => ({
      OTEL_SERVICE_NAME: service,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: OtlpBody): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, ...span }) => ({
        service,
        name,
        kind,
        traceId,
        spanId,
        parentSpanId: span.parentSpanId ?? '',
        attributes: valuesOf(span.attributes),
        status: span.status.code ?? 0,
        events: span.events.map((event) => ({ name: event.name, attributes: valuesOf(event.attributes) })),
        links: span.links.map((link) => link.spanId),
      })),
    );
  });
}

function valuesOf(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
