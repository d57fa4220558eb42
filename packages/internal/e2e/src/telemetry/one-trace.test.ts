import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { RolloutClient } from '@art/client';
import { GatewayClient } from '@art/gateway-client';
import { type LocalRuntime, startLocalRuntime } from '@art/local';
import type { RolloutOutcome } from '@art/protocol';
import { flushSpans } from '@art/ground/telemetry';
import { context, propagation, trace } from '@opentelemetry/api';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MockEngine, startMockEngine } from '../gateway/engine/mock-engine.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.fixture.ts';

const setup = pathToFileURL(join(import.meta.dirname, 'open-telemetry-setup.ts')).href;
const node = [process.execPath, '--conditions=@art/source'];
const inMemory = new InMemorySpanExporter();

let root: string;
let receiver: OtlpReceiver;
let engine: MockEngine;
let local: LocalRuntime;
let gatewayProcess: ChildProcess;
let gatewayUrl: string;
let sdk: ReturnType<typeof startNodeSdk>;

// The trainer is this process. Its agents are one with OpenTelemetry and one without.
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-spans-'));
  receiver = await startOtlpReceiver();
  engine = await startMockEngine({ flavour: 'vllm', answer: () => ({ content: 'A private answer.' }) });
  const agent = join(import.meta.dirname, '../gateway-rollout/model-agent.ts');
  local = await startLocalRuntime({
    logDir: join(root, 'logs'),
    agents: {
      traced: { command: [...node, '--import', setup, agent], env: receiver.env('agent') },
      plain: { command: [...node, agent] },
    },
  });
  const host = join(import.meta.dirname, '../gateway/gateway-host.ts');
  gatewayProcess = spawn(node[0]!, [...node.slice(1), '--import', setup, host], {
    env: { ...process.env, ...receiver.env('gateway'), OTEL_BSP_SCHEDULE_DELAY: '50' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const workers = [{ url: engine.url, flavour: 'vllm' }];
  gatewayProcess.stdin!.write(`${JSON.stringify({ start: { workers } })}\n`);
  const { value } = await createInterface({ input: gatewayProcess.stdout! })[Symbol.asyncIterator]().next();
  gatewayUrl = (JSON.parse(value as string) as { url: string }).url;
  sdk = startNodeSdk({
    spanProcessors: [new SimpleSpanProcessor({ exporter: inMemory })],
    logLevel: 'none',
    metricReaders: [],
    logRecordProcessors: [],
  });
});

afterAll(async () => {
  await sdk.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
  await local.close();
  const ended = new Promise((resolve) => gatewayProcess.once('exit', resolve));
  gatewayProcess.stdin!.end();
  await ended;
  await engine[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

interface Traced {
  sessionId: string;
  outcome: RolloutOutcome;
  /** Its spans of this process. */
  own: ReadableSpan[];
  /** Spans of the others. */
  sent: () => ReceivedSpan[];
}

async function rollOut(agent: string, payload: object): Promise<Traced> {
  await using client = new RolloutClient({ runtime: local.runtime(agent), gateway: { url: gatewayUrl } });
  const future = await client.invoke(payload);
  const outcome = await future.outcome();
  const { sessionId } = future;
  await client.close();
  await flushSpans();
  const isOfSession = (span: { attributes: Record<string, unknown> }): boolean =>
    span.attributes['session.id'] === sessionId;
  return {
    sessionId,
    outcome,
    own: inMemory.getFinishedSpans().filter(isOfSession),
    sent: () => receiver.spans.filter(isOfSession),
  };
}

const named = <T extends { name: string }>(spans: readonly T[], name: string): T => {
  const found = spans.filter((span) => span.name === name);
  expect(found.map((span) => span.name)).toEqual([name]);
  return found[0]!;
};

it('a rollout over three processes is one trace: the call of the agent, its handler, each call of its model, the reward', async () => {
  const { sessionId, outcome, own, sent } = await rollOut('traced', { turns: 2, reward: 0.25 });
  expect(outcome).toMatchObject({ kind: 'ok', reward: 0.25 });
  await expect
    .poll(() =>
      sent()
        .map(({ service, name }) => `${service}: ${name}`)
        .toSorted(),
    )
    .toEqual(['agent: invoke_agent', 'gateway: chat m', 'gateway: chat m']);
  const rollout = named(own, 'art.rollout');
  const call = named(own, 'invoke_agent');
  const reward = named(own, 'art.reward');
  const { traceId, spanId: rolloutId } = rollout.spanContext();
  expect(own).toHaveLength(3);
  expect(
    new Set([...own.map((span) => span.spanContext().traceId), ...sent().map((span) => span.traceId)]),
  ).toEqual(new Set([traceId]));
  expect(rollout.parentSpanContext).toBeUndefined();
  expect(call.parentSpanContext?.spanId).toBe(rolloutId);
  expect(reward.parentSpanContext?.spanId).toBe(rolloutId);
  const handler = named(sent(), 'invoke_agent');
  expect(handler.parentSpanId).toBe(call.spanContext().spanId);
  // The agent's `fetch` is not instrumented, so that its calls say nothing of a trace.
  const chats = sent().filter(({ name }) => name === 'chat m');
  expect(chats.map(({ parentSpanId }) => parentSpanId)).toEqual([rolloutId, rolloutId]);

  expect(rollout.attributes).toEqual({
    'session.id': sessionId,
    'gen_ai.conversation.id': sessionId,
    'art.rollout.id': sessionId,
    'art.group.id': expect.any(String),
    'art.attempt': 0,
    'art.outcome': 'ok',
    'art.reward': 0.25,
  });
  expect(rollout.status.code).toBe(0);
  expect(reward.events).toMatchObject([
    {
      name: 'gen_ai.evaluation.result',
      attributes: { 'gen_ai.evaluation.name': 'reward', 'gen_ai.evaluation.score.value': 0.25 },
    },
  ]);
  expect(chats[0]).toMatchObject({
    kind: 3,
    status: 0,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'vllm',
      'gen_ai.request.model': 'm',
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
      'gen_ai.usage.input_tokens': expect.anything(),
      'gen_ai.usage.output_tokens': expect.anything(),
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(engine.url).port),
      'art.capture': 'complete',
    },
  });
  // Neither texts of a prompt or an answer, nor token ids or logprobs.
  const written = `${JSON.stringify(own.map((span) => [span.attributes, span.events]))}${receiver.bodies.join('')}`;
  expect(written).not.toMatch(/Go on\.|private answer|logprob|token_ids/i);
  for (const { headers } of engine.calls) expect(Object.keys(headers)).not.toContain('traceparent');
});

it('an agent without OpenTelemetry is in the trace by the calls of its model', async () => {
  const { own, sent } = await rollOut('plain', { turns: 1, reward: 0 });
  await expect.poll(() => sent().map(({ name }) => name)).toEqual(['chat m']);
  const rollout = named(own, 'art.rollout');
  expect(sent()[0]).toMatchObject({
    traceId: rollout.spanContext().traceId,
    parentSpanId: rollout.spanContext().spanId,
  });
  // A bad answer is an answer.
  expect(rollout.status.code).toBe(0);
  expect(rollout.attributes).toMatchObject({ 'art.outcome': 'ok', 'art.reward': 0 });
});

it('a session that dies is an error, and its trace has the calls of its model', async () => {
  await using client = new RolloutClient({
    runtime: local.runtime('traced'),
    gateway: { url: gatewayUrl },
  });
  const future = await client.invoke({ turns: 1, reward: 1, ending: 'hang' });
  const { sessionId } = future;
  const control = new GatewayClient({ url: gatewayUrl });
  await expect.poll(async () => (await control.captures(sessionId)).length).toBe(1);
  await local.runtime('traced').stop(sessionId);
  const outcome = await future.outcome();
  await client.close();
  await flushSpans();
  expect(outcome.kind).not.toBe('ok');
  const rollout = inMemory
    .getFinishedSpans()
    .find((span) => span.name === 'art.rollout' && span.attributes['session.id'] === sessionId)!;
  expect(rollout.status.code).toBe(2);
  expect(rollout.attributes['art.outcome']).toBe(outcome.kind);
  await expect
    .poll(() =>
      receiver.spans
        .filter(({ traceId }) => traceId === rollout.spanContext().traceId)
        .map(({ name }) => name),
    )
    .toContain('chat m');
});
