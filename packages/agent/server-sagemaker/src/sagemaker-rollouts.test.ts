import { request } from 'node:http';
import { Writable } from 'node:stream';
import { ManualClock } from '@art/ground/testing';
import { type JobFault, type LocalJobRuntimeOptions, startLocalJobRuntime } from './local/index.ts';
import { startMockModel } from '@art/mock-model';
import { AgentCoreRLApp, type InvocationHandler } from '@art/server';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sagemakerModel } from './sagemaker-model.ts';
import { sagemakerRollouts, type SageMakerRolloutsOptions } from './sagemaker-rollouts.ts';

const jobArn = 'arn:aws:sagemaker:us-west-2:123456789012:job/agent-rft/test';
const credentials = async () => ({ accessKeyId: 'AKIATEST', secretAccessKey: 'secret', sessionToken: 'st' });
type Process = InvocationHandler['process'];

/** An agent as its developers write it: nothing in it knows of SageMaker. */
const asking: Process = async (request, { rollout }) => {
  const { prompt } = request as { prompt: string };
  const client = new OpenAI({ baseURL: rollout!.baseUrl, apiKey: rollout!.apiKey, maxRetries: 2 });
  const reply = await client.chat.completions.create({
    model: rollout!.modelId!,
    messages: [{ role: 'user', content: prompt }],
    max_completion_tokens: 5,
  });
  return { answer: reply.choices[0]!.message.content, reward: 1 };
};

interface BedOptions {
  process?: Process;
  wire?: SageMakerRolloutsOptions;
  fault?: LocalJobRuntimeOptions['fault'];
}

/** A clock on which the pauses of a day's rollout pass in seconds. */
function fastClock(): ManualClock {
  const clock = new ManualClock();
  const ticking = setInterval(() => clock.advance(200), 1);
  onTestFinished(() => clearInterval(ticking));
  return clock;
}
const longest = 86_400_000;

async function bed({ process: handler = asking, wire, fault }: BedOptions = {}) {
  const seen: Record<string, unknown>[] = [];
  const model = await startMockModel({
    reply: ({ question, body }) => {
      seen.push(body);
      return `You said: ${question}`;
    },
  });
  const calls: { path: string; key: string; jobArn: unknown; body: Record<string, unknown> }[] = [];
  const runtime = await startLocalJobRuntime({
    modelUrl: model.baseUrl,
    clock: wire?.clock,
    fault: (call) => {
      const { authorization, 'x-amzn-sagemaker-job-arn': job } = call.headers;
      const body = JSON.parse(call.body.toString()) as Record<string, unknown>;
      calls.push({ path: call.path, key: authorization as string, jobArn: job, body });
      return fault?.(call);
    },
  });
  let log = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  const app = new AgentCoreRLApp({
    invocationHandler: { process: handler },
    wires: [sagemakerRollouts({ credentials, ...wire })],
    config: { logging: { level: 'debug', options: { stream } } },
  });
  onTestFinished(async () => {
    await app.close();
    await runtime.close();
    await model.close();
  });
  let rollouts = 0;
  const send = async (trajectoryId: string, more: object = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: '/invocations',
      payload: {
        prompt: 'hello',
        metadata: { jobArn, rolloutId: trajectoryId, endpoint: runtime.endpoint },
        ...more,
      },
    });
    return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
  };
  return {
    app,
    runtime,
    calls,
    seen,
    send,
    log: () => log,
    /** Sends a rollout and waits for what the trainer sees. */
    run: async (timeoutMs = 100_000) => {
      const trajectoryId = `rollout-${(rollouts += 1)}`;
      const end = runtime.open({ jobArn, trajectoryId }, timeoutMs);
      const reply = await send(trajectoryId);
      return { reply, ...(await end) };
    },
  };
}

describe('a rollout', () => {
  it('of a handler that streams is rewarded with what the generator returns', async () => {
    const streaming: Process = async function* (request, context) {
      yield 'asking';
      return await asking(request, context);
    };
    const { run, send, runtime } = await bed({ process: streaming, wire: { background: false } });
    expect(await run()).toMatchObject({ state: 'rewarded', rewards: [1], turns: 1 });
    runtime.open({ jobArn, trajectoryId: 'again' }, 100_000).catch(() => undefined);
    expect(await send('again')).toMatchObject({ status: 200, body: { reward: 1 } });
  });

  it('runs the handler of production, and its reward arrives', async () => {
    const { run, calls, seen, send, runtime } = await bed();
    expect(await run()).toMatchObject({
      reply: { status: 200, body: { status: 'processing' } },
      state: 'rewarded',
      completedAs: 'ready',
      rewards: [1],
      turns: 1,
    });
    expect(calls.map(({ path }) => path)).toEqual([
      '/v1/chat/completions',
      '/complete-rollout',
      '/update-reward',
    ]);
    for (const call of calls)
      expect(call).toMatchObject({
        jobArn,
        key: expect.stringMatching(/^Bearer sagemaker-api-key-/) as string,
      });
    expect(calls[1]!.body).toEqual({
      JobArn: jobArn,
      TrajectoryId: 'rollout-1',
      Status: 'ready',
      ClientToken: expect.any(String) as string,
    });
    expect(calls[2]!.body).toMatchObject({ Rewards: [1] });

    // The trainer's sampling parameters win.
    const end = runtime.open({ jobArn, trajectoryId: 'p' }, 100_000);
    await send('p', { inferenceParams: { temperature: 0.5, topP: 0.9, maxTokens: 9 } });
    await end;
    expect(seen[0]).toMatchObject({ max_completion_tokens: 5 });
    expect(seen[1]).toMatchObject({ temperature: 0.5, top_p: 0.9, max_tokens: 9, model: 'default' });
    expect(seen[1]).not.toHaveProperty('max_completion_tokens');
  });

  it('passes a request on with all digits of its numbers', async () => {
    const sent: string[] = [];
    const { send, runtime } = await bed({
      fault: ({ body }) => void sent.push(body.toString()),
      process: async (_request, { rollout }) => {
        const body = '{"model":"default","seed":9007199254740993,"messages":[{"role":"user","content":"a"}]}';
        const headers = { authorization: `Bearer ${rollout!.apiKey}`, 'content-type': 'application/json' };
        await fetch(`${rollout!.baseUrl}/chat/completions`, { method: 'POST', headers, body });
        return { reward: 1 };
      },
    });
    const end = runtime.open({ jobArn, trajectoryId: 'p' }, 100_000);
    await send('p', { inferenceParams: { temperature: 0.5 } });
    await end;
    expect(sent[0]).toMatch(/"seed":9007199254740993,.*"temperature":0.5/);
  });

  it('is production without a job and a rollout', async () => {
    const { app } = await bed({ process: (_request, { rollout }) => ({ isRollout: rollout !== undefined }) });
    const response = await app.inject({
      method: 'POST',
      url: '/invocations',
      payload: { metadata: { jobArn } },
    });
    expect(response.json()).toEqual({ isRollout: false });
  });

  it('streams, and takes the key of Anthropic clients', async () => {
    const { run } = await bed({
      process: async (_request, { rollout }) => {
        const response = await fetch(`${rollout!.baseUrl}/chat/completions`, {
          method: 'POST',
          headers: { 'x-api-key': rollout!.apiKey!, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
        });
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
        const text = await response.text();
        const refused = await fetch(`${rollout!.baseUrl}/models`, { headers: { authorization: 'Bearer x' } });
        return { reward: Number(isStream && text.endsWith('[DONE]\n\n') && refused.status === 401) };
      },
    });
    expect(await run()).toMatchObject({ rewards: [1], turns: 1 });
  });

  it('passes calls of the model and no others: an agent gives itself no reward', async () => {
    const { run, calls } = await bed({
      process: async (_request, { rollout }) => {
        const { hostname, port } = new URL(rollout!.baseUrl!);
        const ask = async (method: string, path: string, length?: string): Promise<number> => {
          const headers = {
            authorization: `Bearer ${rollout!.apiKey}`,
            ...(length !== undefined && { 'content-length': length }),
          };
          const { promise, resolve, reject } = Promise.withResolvers<number>();
          const call = request({ hostname, port, path, method, headers }, (response) =>
            resolve(response.resume().statusCode!),
          );
          call.on('error', reject);
          if (length === undefined) call.end(method === 'POST' ? '{"Rewards":[100]}' : undefined);
          else call.flushHeaders();
          return promise.finally(() => call.destroy());
        };
        const statuses = [
          await ask('POST', '/update-reward'),
          await ask('POST', '/complete-rollout'),
          await ask('POST', '/v1/../update-reward'),
          await ask('POST', '//update-reward'),
          await ask('POST', '/v1/chat/completions/../../../update-reward'),
          await ask('GET', '/v1/chat/completions'),
          await ask('POST', '/v1/chat/completions', '100000001'),
        ];
        return { reward: 1, statuses };
      },
      wire: { background: false },
    });
    const { reply, rewards } = await run();
    expect(reply.body).toEqual({ reward: 1, statuses: [404, 404, 404, 404, 404, 404, 413] });
    expect(rewards).toEqual([1]);
    expect(calls.map(({ path }) => path)).toEqual(['/complete-rollout', '/update-reward']);
  });

  it('can be sampled for without the address on loopback', async () => {
    const { run } = await bed({
      process: async (_request, { rollout }) => {
        const { baseUrl, headers, apiKey, modelId } = sagemakerModel(rollout)!;
        const client = new OpenAI({ baseURL: baseUrl, apiKey, defaultHeaders: headers });
        await client.chat.completions.create({ model: modelId, messages: [{ role: 'user', content: 'x' }] });
        return { reward: 2 };
      },
    });
    expect(await run()).toMatchObject({ rewards: [2], turns: 1 });
  });

  it('fails with a reward of zero where the handler throws, and ends by its time-out', async () => {
    const { run, log } = await bed({ process: () => Promise.reject(new Error('the tool failed')) });
    expect(await run()).toMatchObject({ state: 'rewarded', completedAs: 'failed', rewards: [0] });
    await vi.waitFor(() => expect(log()).toContain('the tool failed'));

    // The clock of the delivery stands still: only the handler's time is to run out here.
    const wire = { rolloutTimeoutMs: 1_000, clock: new ManualClock() };
    const stuck = await bed({ process: () => new Promise(() => undefined), wire });
    expect(await stuck.run()).toMatchObject({ state: 'rewarded', completedAs: 'failed', rewards: [0] });
  });

  it('is answered with the value of the handler, or its error, in the foreground', async () => {
    const { run } = await bed({ wire: { background: false } });
    const { reply, state } = await run();
    expect(state).toBe('rewarded');
    expect(reply).toEqual({ status: 200, body: { answer: 'You said: hello', reward: 1 } });
    const failing = await bed({
      wire: { background: false },
      process: () => Promise.reject(new Error('no')),
    });
    expect((await failing.run()).reply).toEqual({ status: 500, body: { error: 'no' } });
  });

  it('runs once however often it comes', async () => {
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const { send, runtime, calls } = await bed({
      process: async () => {
        runs += 1;
        await gate.promise;
        return { reward: 1 };
      },
    });
    const end = runtime.open({ jobArn, trajectoryId: 'd' }, 100_000);
    const replies = await Promise.all([send('d'), send('d'), send('d')]);
    gate.resolve();
    await end;
    replies.push(await send('d'));
    expect(replies.map(({ body }) => body)).toEqual(replies.map(() => ({ status: 'processing' })));
    expect(runs).toBe(1);
    expect(calls).toHaveLength(2);
  });

  it('may be sent again where it was refused', async () => {
    const { send } = await bed();
    const metadata = { jobArn, rolloutId: 'e', endpoint: 'https://evil.example' };
    expect(await send('e', { metadata })).toMatchObject({ status: 400 });
  });
});

describe('feedback', () => {
  it('keeps the session busy until it is taken', async () => {
    const held = Promise.withResolvers<void>();
    let attempts = 0;
    const { app, send, runtime } = await bed({
      process: () => ({ reward: 1 }),
      fault: ({ operation }) => {
        if (operation !== 'UpdateReward') return undefined;
        attempts += 1;
        if (attempts === 3) held.resolve();
        return attempts <= 3 ? { kind: 'error', status: 500 } : undefined;
      },
    });
    const end = runtime.open({ jobArn, trajectoryId: 'b' }, 100_000);
    await send('b');
    await held.promise;
    expect(await app.getCurrentPingStatus()).toBe('HealthyBusy');
    await end;
    await vi.waitFor(async () => expect(await app.getCurrentPingStatus()).toBe('Healthy'));
  });

  const faults: [string, JobFault, number][] = [
    ['429', { kind: 'error', status: 429, headers: { 'retry-after': '0' } }, 2],
    ['500', { kind: 'error', status: 500 }, 2],
    ['503', { kind: 'error', status: 503 }, 1],
    ['a reset', { kind: 'reset' }, 2],
    ['a lost reply', { kind: 'lose_reply' }, 1],
    ['403', { kind: 'error', status: 403 }, 2],
  ];
  it.each(faults)('survives %s, under one idempotency token', async (_name, fault, times) => {
    const left: Record<string, number> = {};
    const { run, calls, log } = await bed({
      process: () => ({ reward: 0.25 }),
      wire: { clock: fastClock(), rolloutTimeoutMs: longest },
      fault: ({ operation }) => {
        left[operation] = (left[operation] ?? times) - 1;
        return left[operation] >= 0 ? fault : undefined;
      },
    });
    expect(await run(longest)).toMatchObject({ state: 'rewarded', rewards: [0.25] });
    await vi.waitFor(() => expect(log()).toContain('SageMaker has the result'));
    for (const path of ['/complete-rollout', '/update-reward']) {
      const sent = calls.filter((call) => call.path === path);
      expect(sent).toHaveLength(times + 1);
      expect(new Set(sent.map(({ body }) => body['ClientToken'])).size).toBe(1);
    }
  });

  it('is signed anew after 403, and so are calls of the model', async () => {
    let key = 0;
    const refused = new Set<string>();
    const { run, calls } = await bed({
      wire: { credentials: async () => ({ accessKeyId: `AKIA${(key += 1)}`, secretAccessKey: 's' }) },
      fault: ({ headers, operation }) => {
        const sent = headers['authorization'] as string;
        // The first key of each operation is out of date.
        if ([...refused].some((name) => name.startsWith(operation))) return undefined;
        refused.add(`${operation} ${sent}`);
        return { kind: 'error', status: 403 };
      },
    });
    expect(await run()).toMatchObject({ state: 'rewarded', rewards: [1], turns: 1 });
    expect(calls).toHaveLength(6);
    expect(new Set(calls.map((call) => call.key)).size).toBe(4);
  });

  it('takes 409 for taken, and gives up what is refused for good', async () => {
    const conflict = await bed({
      process: () => ({ reward: 1 }),
      fault: () => ({ kind: 'error', status: 409 }),
    });
    void conflict.runtime.open({ jobArn, trajectoryId: 'c' }, 100_000);
    await conflict.send('c');
    await vi.waitFor(() => expect(conflict.log()).toContain('SageMaker has the result'));
    expect(conflict.calls).toHaveLength(2);

    for (const [status, count] of [
      [400, 1],
      [402, 1],
      [403, 5],
      [404, 2],
    ] as const) {
      const { send, calls, log, app } = await bed({
        process: () => ({ reward: 1 }),
        wire: { clock: fastClock() },
        fault: () => ({ kind: 'error', status, message: 'sagemaker-api-key-AAAA is not wanted' }),
      });
      await send('x');
      await vi.waitFor(() => expect(log()).toContain('could not be delivered'));
      expect(log()).toMatch(new RegExp(`was answered ${status}: .*redacted`));
      expect(log()).not.toMatch(/api-key-A/);
      expect(calls).toHaveLength(count);
      expect(await app.getCurrentPingStatus()).toBe('Healthy');
    }
  });

  it('is not sent after the time-out', async () => {
    const clock = new ManualClock();
    const { send, calls, log } = await bed({
      process: () => ({ reward: 1 }),
      wire: { clock },
      fault: () => ({ kind: 'error', status: 500 }),
    });
    await send('t');
    await vi.waitFor(async () => {
      clock.advance(10_000);
      expect(log()).toContain("was not taken before the rollout's time-out");
    });
    // At least one in a minute, where each call is cut at its limit.
    expect(calls.length).toBeGreaterThan(9);
    const sent = calls.length;
    clock.advance(600_000);
    expect(calls).toHaveLength(sent);
  });

  it('ends with the process', async () => {
    const { send, app, log, calls } = await bed({
      process: () => ({ reward: 1 }),
      fault: () => ({ kind: 'error', status: 500, headers: { 'retry-after': '3600' } }),
    });
    await send('p');
    await vi.waitFor(() => expect(calls.length).toBe(1));
    await app.close();
    expect(log()).toContain('could not be delivered');
  });
});

it('nothing of a key is in the log', async () => {
  const keys: string[] = [];
  const { run, calls, log } = await bed({
    process: async (request, context) => {
      keys.push(await sagemakerModel(context.rollout)!.apiKey());
      context.log.info({ rollout: context.rollout, request }, 'what I got');
      throw Object.assign(new Error('call failed'), { config: context.rollout });
    },
    fault: ({ operation }) => (operation === 'UpdateReward' ? { kind: 'delay', delayMs: 1 } : undefined),
  });
  await run();
  await vi.waitFor(() => expect(log()).toContain('SageMaker has the result'));
  expect(log()).toContain('what I got');
  for (const secret of [...keys, ...calls.map(({ key }) => key.replace('Bearer ', '')), 'AKIATEST'])
    expect(log()).not.toContain(secret);
});

it.each([
  { rolloutTimeoutMs: 5 },
  { timeoutMs: 1 } as object,
  { rolloutTimeoutMs: Number.NaN },
  { endpoint: 'localhost' },
])('refuses %j', (options) => {
  expect(() => sagemakerRollouts(options)).toThrow(/^Expected .* to be /);
});
