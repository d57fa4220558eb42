import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  type Sampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import * as newer from 'newer-opentelemetry-api';
import { afterEach, describe, expect, it } from 'vitest';
import { attributeNames, eventNames, spanNames } from './names.ts';
import { telemetryReady, usesRegistered } from './open-telemetry.ts';
import { incomingContext, startSpan } from './start-span.ts';
import { isSameTrace, readTraceContext } from './trace-context.ts';

// The versions of all three are those that AWS's distribution for Node pins.
async function register(sampler?: Sampler): Promise<InMemorySpanExporter> {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors, ...(sampler && { sampler }) }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  await telemetryReady();
  return exporter;
}

afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

it('without an SDK nothing is waited for, loaded or made', () => {
  expect(telemetryReady()).toBeUndefined();
  expect(startSpan(spanNames.rollout)).toBeUndefined();
  expect(incomingContext({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` })).toBeUndefined();
});

it("with the versions that AWS's distribution pins, spans of three processes are one trace", async () => {
  const exporter = await register();
  const root = startSpan(spanNames.rollout, { attributes: { [attributeNames.attempt]: 0 } })!;
  // What another process has of it is text.
  const carried = readTraceContext(JSON.parse(JSON.stringify(root.context)));
  const agent = startSpan(spanNames.invokeAgent, { parent: carried })!;
  const inside = agent.run(() => trace.getTracer('a framework').startSpan('inside'), { 'session.id': 's' });
  inside.end();
  agent.end();
  root.event(eventNames.evaluationResult, { [attributeNames.evaluationScore]: 0.5 });
  root.end();
  const [first, second, third] = exporter.getFinishedSpans();
  expect([first, second, third].map((span) => span?.name)).toEqual(['inside', 'invoke_agent', 'art.rollout']);
  expect(first?.parentSpanContext?.spanId).toBe(second?.spanContext().spanId);
  expect(second?.parentSpanContext?.spanId).toBe(third?.spanContext().spanId);
  expect(third?.parentSpanContext).toBeUndefined();
  expect(new Set([first, second, third].map((span) => span?.spanContext().traceId)).size).toBe(1);
});

it('a span without a parent has its own trace, with a link to the span around it', async () => {
  const exporter = await register();
  const step = startSpan('a training step')!;
  step.run(() => startSpan(spanNames.rollout)!.end());
  const [rollout] = exporter.getFinishedSpans();
  expect(rollout?.parentSpanContext).toBeUndefined();
  expect(rollout?.links.map(({ context: { spanId } }) => spanId)).toEqual([
    step.context.traceparent.slice(36, 52),
  ]);
  expect(
    isSameTrace(step.context, { traceparent: `00-${rollout!.spanContext().traceId}-${'1'.repeat(16)}-01` }),
  ).toBe(false);
});

it('what is not sampled says so to the other processes', async () => {
  await register(new AlwaysOffSampler());
  expect(startSpan(spanNames.rollout)!.context.traceparent).toMatch(/-00$/);
});

it('what a handler runs in has its session in the baggage, where the caller has not said another', async () => {
  await register();
  const span = startSpan(spanNames.invokeAgent)!;
  const sessionOf = (): string | undefined => propagation.getActiveBaggage()?.getEntry('session.id')?.value;
  expect(span.run(sessionOf, { 'session.id': 'ours' })).toBe('ours');
  const given = propagation.setBaggage(
    context.active(),
    propagation.createBaggage({ 'session.id': { value: 'theirs' } }),
  );
  expect(context.with(given, () => span.run(sessionOf, { 'session.id': 'ours' }))).toBe('theirs');
});

describe('what another process sends', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

  it.each([
    [{ traceparent }, { traceparent }],
    [
      { traceparent, tracestate: 'a=1', more: 1 },
      { traceparent, tracestate: 'a=1' },
    ],
    [
      { traceparent: `cc-${'a'.repeat(32)}-${'b'.repeat(16)}-01-later` },
      { traceparent: `cc-${'a'.repeat(32)}-${'b'.repeat(16)}-01-later` },
    ],
    [{ traceparent: `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }, undefined],
    [{ traceparent: traceparent.toUpperCase() }, undefined],
    [{ traceparent: 7 }, undefined],
    ['00-a-b-01', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%j is read as %j', (sent, read) => {
    expect(readTraceContext(sent)).toEqual(read);
  });

  it('an id of zeros is no parent', async () => {
    const exporter = await register();
    startSpan('a', { parent: { traceparent: `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01` } })!.end();
    expect(exporter.getFinishedSpans()[0]?.parentSpanContext).toBeUndefined();
  });
});

it('a newer copy of the API than the one of the SDK is found out: its spans would be none', async () => {
  const exporter = await register();
  expect(usesRegistered({ trace })).toBe(true);
  newer.trace.getTracer('newer').startSpan('lost').end();
  expect(exporter.getFinishedSpans()).toEqual([]);
  expect(usesRegistered(newer)).toBe(false);
});
