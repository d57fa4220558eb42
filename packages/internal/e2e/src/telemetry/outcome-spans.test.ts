import { AgentCoreRLApp, InfrastructureError } from '@art/agent';
import { RolloutClient } from '@art/client';
import { type AgentRuntime, RuntimeError, type RuntimeErrorCode, runtimeHeaders } from '@art/protocol';
import { flushSpans } from '@art/ground/telemetry';
import { context, propagation, trace } from '@opentelemetry/api';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

let exporter: InMemorySpanExporter;
let sdk: ReturnType<typeof startNodeSdk>;

beforeEach(() => {
  exporter = new InMemorySpanExporter();
  sdk = startNodeSdk({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    logLevel: 'none',
    metricReaders: [],
    logRecordProcessors: [],
  });
});

afterEach(async () => {
  await sdk.shutdown();
  for (const registered of [trace, context, propagation]) registered.disable();
});

type Handler = () => object | Promise<object>;

/** An agent in this process, and what it was sent. */
async function agentOf(
  handler: Handler,
): Promise<{ runtime: AgentRuntime; sent: Record<string, unknown>[] }> {
  const process = async (): Promise<object> => handler();
  const app = new AgentCoreRLApp({ rolloutHandler: { process }, config: { logging: { enabled: false } } });
  onTestFinished(() => app.close());
  const sent: Record<string, unknown>[] = [];
  const runtime: AgentRuntime = {
    async invoke({ sessionId, body }) {
      sent.push(JSON.parse(body) as Record<string, unknown>);
      const headers = { [runtimeHeaders.sessionId]: sessionId };
      const reply = await app.inject({ method: 'POST', url: '/invocations', headers, payload: body });
      return { body: reply.body };
    },
    stop: async () => ({ kind: 'stopped' }),
  };
  return { runtime, sent };
}

/** Runs one rollout, and gives its outcome and its spans by name. */
async function rollOut(runtime: AgentRuntime): Promise<{ kind: string; spans: Map<string, ReadableSpan> }> {
  await using client = new RolloutClient({ runtime, agentRuntimeArn });
  let kind: string = 'none';
  for await (const item of client.runBatch([{}], { maxConcurrentSessions: 1, retry: noRetry }))
    kind = item.outcome.kind;
  await client.close();
  await flushSpans();
  return { kind, spans: new Map(exporter.getFinishedSpans().map((span) => [span.name, span])) };
}

const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/math-abc123';
const noRetry = { agent_error: 0, infra_error: 0, lost: 0, throttled: 0, rejected: 0 };
const call = 'invoke_agent math';
const errorTypeOf = (span: ReadableSpan | undefined): unknown[] => [
  span?.status.code,
  span?.attributes['error.type'],
];

function failing(code: RuntimeErrorCode): AgentRuntime {
  return {
    invoke: () =>
      Promise.reject(new RuntimeError({ code, message: 'no', delivery: 'never', requestId: 'request-7' })),
    stop: async () => ({ kind: 'stopped' }),
  };
}

describe('a broken machine is an error of the spans, a bad answer is none', () => {
  it('a reward of 0', async () => {
    const { runtime } = await agentOf(() => ({ reward: 0 }));
    const { kind, spans } = await rollOut(runtime);
    expect(kind).toBe('ok');
    expect([...spans.keys()].toSorted()).toEqual(['art.reward', 'art.rollout', 'invoke_agent', call]);
    for (const span of spans.values()) expect(errorTypeOf(span)).toEqual([0, undefined]);
    expect(spans.get('art.rollout')?.attributes).toMatchObject({
      'art.reward': 0,
      'gen_ai.agent.name': 'math',
    });
  });

  it.each([
    ['a handler that throws', new Error('a private text'), 'agent_error', 'ART_AGENT_ERROR', 'threw'],
    [
      'an infrastructure that fails',
      new InfrastructureError('a private text'),
      'infra_error',
      'ART_INFRASTRUCTURE_ERROR',
      'ART_INFRASTRUCTURE_ERROR',
    ],
  ])('%s', async (_, error, outcome, code, type) => {
    const { runtime } = await agentOf(() => {
      throw error;
    });
    const { kind, spans } = await rollOut(runtime);
    expect(kind).toBe(outcome);
    expect(errorTypeOf(spans.get('art.rollout'))).toEqual([2, code]);
    expect(errorTypeOf(spans.get('invoke_agent'))).toEqual([2, type]);
    expect(spans.get('art.rollout')?.attributes['art.outcome']).toBe(outcome);
    expect(spans.has('art.reward')).toBe(false);
    const written = [...spans.values()].map(({ attributes, events, status }) => ({
      attributes,
      events,
      status,
    }));
    expect(JSON.stringify(written)).not.toContain('private');
  });

  it.each([
    ['ART_RUNTIME_THROTTLED', 'throttled'],
    ['ART_RUNTIME_REJECTED', 'rejected'],
    ['ART_RUNTIME_START_FAILED', 'lost'],
  ] as const)('%s', async (code, outcome) => {
    const { kind, spans } = await rollOut(failing(code));
    expect(kind).toBe(outcome);
    expect([...spans.keys()].toSorted()).toEqual(['art.rollout', call]);
    expect(errorTypeOf(spans.get('art.rollout'))[0]).toBe(2);
    expect(spans.get(call)?.attributes).toMatchObject({ 'error.type': code, 'aws.request_id': 'request-7' });
  });

  it('a rollout that its trainer calls off has not failed', async () => {
    const { runtime } = await agentOf(() => new Promise(() => undefined));
    await using client = new RolloutClient({ runtime });
    const future = await client.invoke({});
    await future.cancel();
    await client.close();
    await flushSpans();
    const rollout = exporter.getFinishedSpans().find(({ name }) => name === 'art.rollout');
    expect(errorTypeOf(rollout)).toEqual([0, undefined]);
    expect(rollout?.attributes['art.outcome']).toBe('cancelled');
  });
});

it('each attempt has its own trace, with a link to the first one', async () => {
  let calls = 0;
  const { runtime } = await agentOf(() => {
    calls += 1;
    if (calls < 3) throw new Error('not yet');
    return { reward: 1 };
  });
  await using client = new RolloutClient({ runtime });
  const options = { maxConcurrentSessions: 1, retry: { agent_error: 2 }, retryDelayMs: () => 0 };
  for await (const { outcome } of client.runBatch([{}], options)) expect(outcome.kind).toBe('ok');
  await client.close();
  await flushSpans();
  const attempts = exporter
    .getFinishedSpans()
    .filter(({ name }) => name === 'art.rollout')
    .toSorted((a, b) => Number(a.attributes['art.attempt']) - Number(b.attributes['art.attempt']));
  const first = attempts[0]?.spanContext().spanId;
  expect(attempts.map(({ attributes }) => attributes['art.attempt'])).toEqual([0, 1, 2]);
  expect(new Set(attempts.map((span) => span.spanContext().traceId)).size).toBe(3);
  expect(attempts.map(({ links }) => links.map((link) => link.context.spanId))).toEqual([
    [],
    [first],
    [first],
  ]);
});

it('what a handler makes of spans is below its own, and the wire gains one field that nobody has to know', async () => {
  const { runtime, sent } = await agentOf(() => {
    trace.getTracer('a framework').startSpan('execute_tool').end();
    return { reward: 1 };
  });
  const { spans } = await rollOut(runtime);
  const handler = spans.get('invoke_agent')!;
  expect(spans.get('execute_tool')?.parentSpanContext?.spanId).toBe(handler.spanContext().spanId);
  expect(handler.parentSpanContext?.spanId).toBe(spans.get(call)?.spanContext().spanId);
  const { traceId, spanId } = spans.get(call)!.spanContext();
  expect(sent[0]).toEqual({
    _config: { trace_context: { traceparent: `00-${traceId}-${spanId}-01` } },
    _agentcore_runtime: {
      version: 1,
      operation: 'start',
      invocation_id: expect.any(String),
      background: true,
    },
  });
});

it('a context in the payload that is none fails no rollout', async () => {
  const { runtime } = await agentOf(() => ({ reward: 1 }));
  await sdk.shutdown();
  trace.disable();
  await using client = new RolloutClient({ runtime, extraConfig: { trace_context: { traceparent: ['x'] } } });
  expect((await (await client.invoke({})).outcome()).kind).toBe('ok');
});

// An exporter in place of { exporter } was right up to SDK 2.
it('the set-up of an older SDK exports nothing in SDK 3, and throws nothing before it is told to send', async () => {
  const Older = SimpleSpanProcessor as unknown as new (exporter: InMemorySpanExporter) => SimpleSpanProcessor;
  const lost = new InMemorySpanExporter();
  const older = new TracerProvider({ spanProcessors: [new Older(lost)] });
  older.getTracer('test').startSpan('lost').end();
  await expect(older.forceFlush()).rejects.toBeDefined();
  expect(lost.getFinishedSpans()).toEqual([]);
  const kept = new InMemorySpanExporter();
  const right = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: kept })] });
  right.getTracer('test').startSpan('kept').end();
  await right.forceFlush();
  expect(kept.getFinishedSpans()).toHaveLength(1);
});
