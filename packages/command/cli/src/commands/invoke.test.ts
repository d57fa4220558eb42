import { PassThrough } from 'node:stream';
import { type AgentRuntime, MemoryResultStore, RolloutClient, RuntimeError } from '@art/client';
import { startGateway } from '@art/gateway';
import { startMockModel } from '@art/mock-model';
import { buildResultKey, parseRolloutConfig } from '@art/protocol';
import { isJsonObject, parseJson } from '@art/ground';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CapturedContext, capturedContext } from '../captured-context.fixture.ts';
import type { createRolloutClient } from '../connection/create-rollout-client.ts';
import type { InvokeTarget } from '../connection/invoke-target.ts';
import type { InvokeCommandOptions } from '../invoke/invoke-options.ts';
import { runInvoke } from './invoke.ts';

const arn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123';
const sessionId = 'a856c62e-0000-4000-8000-000000000001';

/** Gives the text that the agent stores for a payload; undefined stores nothing. */
type Behaviour = (payload: Record<string, unknown>) => string | undefined | Promise<string>;

interface Rig {
  connect: typeof createRolloutClient;
  context: CapturedContext;
  targets: InvokeTarget[];
  sent: Record<string, unknown>[];
  stopped: string[];
}

function rig(behaviour: Behaviour | Error, stdin?: string): Rig {
  const store = new MemoryResultStore();
  const [targets, sent, stopped]: [InvokeTarget[], Record<string, unknown>[], string[]] = [[], [], []];
  const runtime: AgentRuntime = {
    invoke: async (request) => {
      if (behaviour instanceof Error) throw behaviour;
      const payload = parseJson(request.body);
      if (!isJsonObject(payload)) throw new Error('no object');
      sent.push(payload);
      const target = parseRolloutConfig(payload)!.target!;
      const key = buildResultKey({ ...target, sessionId: request.sessionId });
      const text = await behaviour(payload);
      if (text !== undefined) await store.put({ bucket: target.s3Bucket, key }, text);
      return { body: JSON.stringify({ status: 'processing', s3_bucket: target.s3Bucket, result_key: key }) };
    },
    stop: async (id) => {
      stopped.push(id);
      return { kind: 'stopped' };
    },
  };
  const connect: typeof createRolloutClient = (target, options) => {
    targets.push(target);
    const client = new RolloutClient({
      runtime,
      store,
      bucket: target.bucket,
      expId: options.expId,
      extraConfig: options.set,
      gateway: options.gateway,
    });
    return { client, [Symbol.asyncDispose]: () => client.close() };
  };
  return { connect, context: capturedContext(stdin === undefined ? {} : { stdin }), targets, sent, stopped };
}

const options = (chosen: Partial<InvokeCommandOptions> = {}): InvokeCommandOptions => ({
  payload: '{"prompt":"6*7?"}',
  storeCheck: true,
  arn,
  bucket: 'results',
  expId: 'try',
  inputId: 'item',
  sessionId,
  timeoutMs: 100_000,
  json: true,
  ...chosen,
});

const run = (use: Rig, chosen: Partial<InvokeCommandOptions> = {}): Promise<number> =>
  runInvoke(options(chosen), use.context, use.connect);

const reportOf = (use: Rig): Record<string, unknown> => JSON.parse(use.context.output());

describe('art invoke', () => {
  it('sends the payload with its fields, prints the outcome and stops the session', async () => {
    const use = rig(() => '{"status_code":200,"rewards":[0,0.5],"answer":42}');
    expect(await run(use, { set: { temperature: 0.7, expName: 'x' } })).toBe(0);
    expect(use.sent[0]).toMatchObject({
      prompt: '6*7?',
      _rollout: { exp_id: 'try', input_id: 'item', s3_bucket: 'results', temperature: 0.7, expName: 'x' },
    });
    expect(reportOf(use)).toEqual({
      outcome: 'ok',
      reward: 0.5,
      rewardProblem: null,
      sessionId,
      inputId: 'item',
      invocationId: expect.stringMatching(/^[\w-]+$/) as string,
      bucket: 'results',
      resultKey: `try/item/${sessionId}.json`,
      submittedAtMs: expect.any(Number) as number,
      timings: {
        acceptedMs: expect.any(Number),
        noticedMs: expect.any(Number),
        settledMs: expect.any(Number),
        stoppedMs: null,
      },
      attempts: [expect.objectContaining({ attempt: 0, outcome: 'ok', sessionId, throttled: 0, resent: 0 })],
      error: null,
      document: { status_code: 200, rewards: [0, 0.5], answer: 42 },
    });
    expect(use.context.output().endsWith('}\n')).toBe(true);
    expect(use.context.errors()).toBe('');
    expect(use.stopped).toEqual([sessionId]);
    expect(use.targets[0]).toEqual({
      agentRuntimeArn: arn,
      bucket: 'results',
      region: 'us-west-2',
      endpoint: undefined,
      credentials: 'aws',
    });
  });

  it('sends the agent to a gateway, and tells what that has captured', async () => {
    const model = await startMockModel({ reply: () => 'It is 42.' });
    onTestFinished(() => model.close());
    await using gateway = await startGateway({
      port: 0,
      logLevel: 'error',
      workers: [{ url: model.baseUrl }],
    });
    const asking: Behaviour = async (payload) => {
      const { base_url: url, api_key: key } = payload['_rollout'] as Record<string, string>;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      const body = JSON.stringify({ model: 'policy', messages: [{ role: 'user', content: '6*7' }] });
      const answer = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
      return JSON.stringify({ status_code: 200, rewards: [1], text: await answer.json() });
    };
    const use = rig(asking);
    const chosen = options({ gateway: gateway.url, modelId: 'policy', json: true });
    expect(await runInvoke(chosen, use.context, use.connect)).toBe(0);
    expect(JSON.parse(use.context.output())).toMatchObject({
      outcome: 'ok',
      captured: { turns: 1, rows: 1, sampledTokens: expect.any(Number) as number },
    });
    const people = rig(asking);
    await runInvoke({ ...chosen, sessionId: undefined, json: false }, people.context, people.connect);
    expect(people.context.output()).toMatch(/captured +1 turns, 1 rows, (\d+) of \1 tokens train/);
    const lost = rig(asking);
    const dead = options({ gateway: 'http://127.0.0.1:1', modelId: 'policy' });
    await expect(runInvoke(dead, lost.context, lost.connect)).rejects.toThrow('no answer from the gateway');
    expect(lost.sent).toEqual([]);
  });

  it('reads the payload from stdin', async () => {
    const use = rig(() => '{}', '{"from":"stdin"}');
    expect(await run(use, { payload: '-' })).toBe(0);
    expect(use.sent[0]).toMatchObject({ from: 'stdin' });
  });

  it('shows people what happened, without the echo of the payload', async () => {
    const use = rig((payload) =>
      JSON.stringify({ status_code: 200, rewards: 1, answer: 42, payload, ids: Array(1_000).fill(7) }),
    );
    expect(await run(use, { json: false })).toBe(0);
    const output = use.context.output();
    expect(output).toMatch(/^ok {2}reward 1 {2}in \d+\.\d\d s\n/);
    expect(output).toContain(`s3://results/try/item/${sessionId}.json`);
    expect(output).toContain('answer: 42');
    expect(output).toContain('976 more items');
    expect(output).not.toContain('6*7?');
    expect(use.context.errors()).toBe(
      `Sent to session ${sessionId}.\nAccepted; waiting for the result.\nSession stopped.\n`,
    );
  });

  it('writes what Python wrote as NaN as a text, and big integers as they are', async () => {
    const use = rig(() => '{"rewards": NaN, "big": 12345678901234567890, "list": [-Infinity]}');
    expect(await run(use)).toBe(0);
    expect(use.context.output()).toContain(
      '"document":{"rewards":"NaN","big":12345678901234567890,"list":["-Infinity"]}',
    );
    expect(reportOf(use)).toMatchObject({
      outcome: 'ok',
      reward: null,
      rewardProblem: { kind: 'not_finite' },
    });
  });

  it.each([
    ['{"rewards":"good"}', 'not_a_number', 'got "good"'],
    ['{"rewards":[]}', 'empty', 'got an empty list'],
    ['{"answer":42}', 'absent', 'it has neither'],
  ])('says of %s why it is ok without a reward', async (text, kind, words) => {
    const forPrograms = rig(() => text);
    expect(await run(forPrograms)).toBe(0);
    expect(reportOf(forPrograms)).toMatchObject({ outcome: 'ok', reward: null, rewardProblem: { kind } });
    const forPeople = rig(() => text);
    expect(await run(forPeople, { json: false })).toBe(0);
    expect(forPeople.context.output()).toMatch(/^ok {2}no reward {2}in/);
    expect(forPeople.context.output()).toMatch(new RegExp(`^ {2}no reward {3}Expected .*${words}`, 'm'));
  });

  const throttled = new RuntimeError({
    code: 'ART_RUNTIME_THROTTLED',
    delivery: 'never',
    message: 'too fast',
  });
  const refused = new RuntimeError({ code: 'ART_RUNTIME_REJECTED', delivery: 'never', message: 'denied' });
  it.each<[string, Behaviour | Error, number, string]>([
    ['agent_error', () => '{"status_code":500,"stop_reason":"boom"}', 10, 'ART_AGENT_ERROR'],
    [
      'infra_error',
      () => '{"status_code":503,"stop_reason":"infrastructure_error"}',
      17,
      'ART_INFRASTRUCTURE_ERROR',
    ],
    ['timeout', () => undefined, 11, 'ART_ROLLOUT_TIMEOUT'],
    ['throttled', throttled, 13, 'ART_RUNTIME_THROTTLED'],
    ['rejected', refused, 14, 'ART_RUNTIME_REJECTED'],
    ['invalid_result', () => 'not json', 15, 'ART_INVALID_DOCUMENT'],
  ])('tells %s by its exit code', async (kind, behaviour, code, errorCode) => {
    const use = rig(behaviour);
    expect(await run(use, { timeoutMs: kind === 'timeout' ? 50 : 10_000 })).toBe(code);
    expect(reportOf(use)).toMatchObject({ outcome: kind, reward: null, error: { code: errorCode } });
  });

  it('stops the session at Ctrl-C and says so', async () => {
    const use = rig(() => undefined);
    const running = run(use, { json: false });
    await vi.waitFor(() => expect(use.context.errors()).toContain('Accepted'));
    use.context.signals.emit('SIGINT', 'SIGINT');
    expect(await running).toBe(130);
    expect(use.stopped).toEqual([sessionId]);
    expect(use.context.output()).toMatch(/^cancelled\n {2}error .*cancelled by its caller/);
    expect(use.context.signals.eventNames()).toEqual([]);
  });

  it('ends with 143 at SIGTERM, also while it waits for stdin', async () => {
    const use = rig(() => '{}');
    use.context.stdin = new PassThrough();
    const running = run(use, { payload: '-' });
    use.context.signals.emit('SIGTERM', 'SIGTERM');
    expect(await running).toBe(143);
    expect(use.sent).toEqual([]);
    expect(reportOf(use)).toMatchObject({ outcome: 'cancelled', sessionId: null });
  });

  it.each<[string, Partial<InvokeCommandOptions>, string]>([
    ['a payload that is no object', { payload: '[]' }, 'ART_INVALID_PAYLOAD'],
    ['a payload with _rollout', { payload: '{"_rollout":{}}' }, 'ART_INVALID_PAYLOAD'],
    ['an id that forms no key', { inputId: 'a/../b' }, 'ART_INVALID_RESULT_KEY'],
    ['an ARN that is none', { arn: 'my_agent' }, 'ART_INVALID_ARN'],
    ['an endpoint without an ARN', { arn: undefined, endpoint: 'http://x' }, 'ART_INVALID_OPTION'],
  ])('refuses %s before anything is sent', async (_, chosen, code) => {
    const use = rig(() => '{}');
    await expect(run(use, chosen)).rejects.toMatchObject({ code });
    expect(use.sent).toEqual([]);
    expect(use.context.output()).toBe('');
  });
});
