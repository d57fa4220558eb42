import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RuntimeError, runtimeHeaders } from '@art/protocol';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import type { LocalRuntime } from './index.ts';
import { startLocalRuntime } from './start-local-runtime.ts';
import { isRunning } from '@art/tooling/is-running';
import { temporaryFolder } from './temporary-folder.fixture.ts';
import { invokeJson, newSessionId, startTiny, tinyAgent } from './tiny-agent.fixture.ts';

const only = (local: LocalRuntime) => local.sessions()[0]!;

async function invokeFailure(local: LocalRuntime, sessionId: string, payload = {}): Promise<RuntimeError> {
  const error: unknown = await invokeJson(local.runtime('tiny'), sessionId, payload).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!RuntimeError.isInstance(error)) throw new Error(`Expected a RuntimeError, got ${String(error)}.`);
  return error;
}

describe('a session', () => {
  it('is one process for one id, and another for another', async () => {
    await using local = await startTiny();
    const runtime = local.runtime('tiny');
    const [one, two] = [newSessionId(), newSessionId()];
    const answers = await Promise.all([one, one, two].map((id) => invokeJson(runtime, id, {})));
    expect(answers[0]!['pid']).toBe(answers[1]!['pid']);
    expect(answers[0]!['pid']).not.toBe(answers[2]!['pid']);
    expect((await invokeJson(runtime, one, {}))['pid']).toBe(answers[0]!['pid']);
    expect(local.metrics()).toMatchObject({ liveSessions: 2, peakLiveSessions: 2, startedSessions: 2 });
  });

  it('takes requests concurrently', async () => {
    await using local = await startTiny();
    const id = newSessionId();
    const runtime = local.runtime('tiny');
    const hanging = new AbortController();
    const held = invokeJson(runtime, id, {});
    await held;
    const stuck = runtime.invoke({ sessionId: id, body: '{"do":"hang"}' }, { signal: hanging.signal });
    await eventually(() => expect(only(local).activeRequests).toBe(1));
    expect(await invokeJson(runtime, id, { do: 'busy', busy: false })).toEqual({ busy: false });
    hanging.abort(new Error('enough'));
    await expect(stuck).rejects.toThrow('enough');
    // The agent learns of it, and the session can become idle.
    await eventually(() => expect(only(local).activeRequests).toBe(0));
  });

  it('gets a fresh process after a stop, which answers at once', async () => {
    const release = join(await temporaryFolder(), 'release');
    await using local = await startTiny(['flush-on-sigterm', release]);
    const id = newSessionId();
    const runtime = local.runtime('tiny');
    const { pid } = await invokeJson(runtime, id, {});
    const { logFile } = only(local);
    expect(await runtime.stop(id)).toEqual({ kind: 'stopped' });
    expect(isRunning(pid as number)).toBe(true);
    expect(await runtime.stop(id)).toEqual({ kind: 'not_found' });
    const next = await invokeJson(runtime, id, {});
    expect(next['pid']).not.toBe(pid);
    writeFileSync(release, '');
    await eventually(() => expect(isRunning(pid as number)).toBe(false));
    expect(readFileSync(logFile!, 'utf8')).toContain('flushed');
    await eventually(() => expect(local.metrics().endedSessions.stopped).toBe(1));
  });

  it('is killed after the grace when it ignores SIGTERM', async () => {
    await using local = await startTiny(['ignore-sigterm'], { stopGraceMs: 100 });
    const id = newSessionId();
    const { pid } = await invokeJson(local.runtime('tiny'), id, {});
    await local.runtime('tiny').stop(id);
    await eventually(() => expect(isRunning(pid as number)).toBe(false));
    await eventually(() =>
      expect(only(local)).toMatchObject({ state: 'ended', exit: 'was killed by SIGKILL' }),
    );
  });

  it('takes its children along', async () => {
    await using local = await startTiny();
    const id = newSessionId();
    const { child } = await invokeJson(local.runtime('tiny'), id, { do: 'child' });
    expect(isRunning(child as number)).toBe(true);
    await local.runtime('tiny').stop(id);
    await eventually(() => expect(isRunning(child as number)).toBe(false));
  });

  it('can be stopped while it starts', async () => {
    await using local = await startTiny(['never-listen']);
    const id = newSessionId();
    const failure = invokeFailure(local, id);
    await eventually(() => expect(local.metrics().liveSessions).toBe(1));
    expect(await local.runtime('tiny').stop(id)).toEqual({ kind: 'stopped' });
    expect((await failure).code).toBe('ART_CONTAINER_ERROR');
    await eventually(() => expect(local.metrics().liveSessions).toBe(0));
  });

  it('can be stopped during the delay of a cold start', async () => {
    await using local = await startTiny([], { coldStartDelayMs: 3_600_000 });
    const id = newSessionId();
    const failure = invokeFailure(local, id);
    await eventually(() => expect(only(local)?.pid).toBeDefined());
    const pid = only(local).pid!;
    await local.runtime('tiny').stop(id);
    expect((await failure).message).toContain('ended: stopped');
    await eventually(() => expect(local.metrics().liveSessions).toBe(0));
    expect(isRunning(pid)).toBe(false);
  });

  it('writes to a log that is named after it', async () => {
    const logDir = mkdtempSync(join(tmpdir(), 'art-log-test-'));
    try {
      const local = await startTiny([], { logDir });
      const id = newSessionId();
      await invokeJson(local.runtime('tiny'), id, {});
      await local.close();
      expect(readFileSync(join(logDir, 'tiny', `${id}.log`), 'utf8')).toContain('listening');
    } finally {
      rmSync(logDir, { recursive: true });
    }
  });
});

describe('an agent that fails', () => {
  it('at start is reported at once, with its exit code and its last words', async () => {
    await using local = await startTiny(['crash']);
    const { message, httpStatus, code, delivery } = await invokeFailure(local, newSessionId());
    expect({ httpStatus, code, delivery }).toEqual({
      httpStatus: 424,
      code: 'ART_RUNTIME_START_FAILED',
      delivery: 'never',
    });
    expect(message).toMatch(/failed \(HTTP 424\): The agent did not start: Error: MODEL_ID is not set\. /);
    expect(message).toContain('Runtime initialization time exceeded.');
    expect(message).toContain('exited with code 3');
    expect(message).toContain('reading the configuration\nError: MODEL_ID is not set');
    expect(message).toContain(local.logDir);
    await eventually(() =>
      expect(only(local)).toMatchObject({
        state: 'ended',
        endReason: 'start_failed',
        startFailure: expect.stringContaining('MODEL_ID is not set'),
        logFile: expect.stringContaining(only(local).sessionId),
      }),
    );
  });

  it('to start because its program is missing says so', async () => {
    await using local = await startLocalRuntime({ agents: { tiny: { command: 'no-such-program --now' } } });
    const { message } = await invokeFailure(local, newSessionId());
    expect(message).toContain('exited with code 127');
    expect(message).toMatch(/no-such-program.*not found/);
  });

  it('to listen is given up after the initialisation limit', async () => {
    await using local = await startTiny(['never-listen'], { initTimeoutMs: 150 });
    const { message } = await invokeFailure(local, newSessionId());
    expect(message).toContain('completes in 0.15s.');
    expect(message).toContain('must listen on the port in the environment variable PORT');
    await eventually(() => expect(local.metrics().liveSessions).toBe(0));
  });

  it('with a status is a 424 without its body, which the log has', async () => {
    await using local = await startTiny();
    const id = newSessionId();
    const { message, httpStatus } = await invokeFailure(local, id, { do: 'status', status: 418 });
    expect(httpStatus).toBe(424);
    expect(message).toContain(
      'Received error (418) from runtime. Please check your CloudWatch logs for more information.',
    );
    expect(message).not.toContain('secret');
    expect(only(local).lastContainerError).toEqual({
      httpStatus: 418,
      body: '{"secret":"for the log only"}',
    });
    expect(readFileSync(only(local).logFile!, 'utf8')).toContain('for the log only');
  });

  it.each([
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nmore',
    'HTTP/1.1 101 Nothing Else\r\n\r\n',
    'HTTP/1.1 101 With A Body\r\ncontent-length: 2\r\n\r\n{}',
  ])('by switching to another protocol is a 424 (101): %j', async (text) => {
    await using local = await startTiny();
    const { message, httpStatus } = await invokeFailure(local, newSessionId(), { do: 'raw', text });
    expect(httpStatus).toBe(424);
    expect(message).toContain('Received error (101) from runtime.');
    expect(readFileSync(only(local).logFile!, 'utf8')).toContain('The agent answered HTTP 101');
  });

  it('with a refusal in words is told in these words, for there is no CloudWatch here', async () => {
    await using local = await startTiny();
    const refusal = { do: 'status', status: 400, error: 'Expected prompt to be a string, got 7.' };
    const { message } = await invokeFailure(local, newSessionId(), refusal);
    expect(message).toBe(
      "InvokeAgentRuntime failed (HTTP 424): Received error (400) from runtime. The agent said: Expected prompt to be a string, got 7. Read the agent's log for the cause.",
    );
  });

  it('in the middle of a request is a 424 (502), and the next request gets a fresh process', async () => {
    await using local = await startTiny();
    const id = newSessionId();
    const { message } = await invokeFailure(local, id, { do: 'exit', code: 7 });
    expect(message).toContain('Received error (502) from runtime.');
    expect(message).toContain("The agent's process exited with code 7");
    expect(await invokeJson(local.runtime('tiny'), id, {})).toHaveProperty('pid');
    await eventually(() => expect(local.metrics().endedSessions.exited).toBe(1));
  });

  it('in the middle of its answer tears the connection', async () => {
    await using local = await startTiny();
    const failure = await invokeFailure(local, newSessionId(), { do: 'tear-answer' });
    expect(failure).toMatchObject({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'unknown' });
  });

  it('to answer in time is a 424 (504)', async () => {
    await using local = await startTiny([], { requestTimeoutMs: 100 });
    const { message } = await invokeFailure(local, newSessionId(), { do: 'hang' });
    expect(message).toContain('Received error (504) from runtime.');
  });
});

describe('the reaper', () => {
  const hour = 3_600_000;

  async function startReaped(modes: string[], options = {}) {
    let nowMs = 0;
    const local = await startTiny(modes, {
      pingIntervalMs: 10,
      pingTimeoutMs: 60_000,
      clock: { nowMs: () => nowMs },
      ...options,
    });
    const id = newSessionId();
    await invokeJson(local.runtime('tiny'), id, {});
    // The second of two pings was sent after this call, whatever the first one was.
    const pinged = async (): Promise<void> => {
      const before = only(local).pings;
      await eventually(() => expect(only(local).pings).toBeGreaterThan(before + 1));
    };
    await pinged();
    return { local, id, advance: (ms: number) => void (nowMs += ms), pinged };
  }

  it('ends an idle session at its time-out and counts it as leaked', async () => {
    const { local, advance } = await startReaped([]);
    await using _ = local;
    advance(899_000);
    expect(local.metrics().liveSessions).toBe(1);
    advance(1_000);
    await eventually(() => expect(only(local)).toMatchObject({ state: 'ended', endReason: 'idle' }));
    await eventually(() => expect(local.metrics().leakedSessions).toBe(1));
  });

  it('spares a busy session until its maximum lifetime', async () => {
    const { local, advance, pinged } = await startReaped(['busy']);
    await using _ = local;
    advance(7 * hour);
    await pinged();
    expect(only(local)).toMatchObject({ state: 'ready', busy: true });
    advance(hour);
    await eventually(() => expect(only(local)).toMatchObject({ state: 'ended', endReason: 'max_lifetime' }));
  });

  it.each(['stamp-none', 'stamp-text'])('does not believe a busy session with %s', async (mode) => {
    const { local, advance } = await startReaped(['busy', mode]);
    await using _ = local;
    advance(900_000);
    await eventually(() => expect(only(local).endReason).toBe('idle'));
  });

  it('believes it when told to follow the documentation', async () => {
    const { local, advance, pinged } = await startReaped(['busy', 'stamp-none'], { strictPing: false });
    await using _ = local;
    advance(900_000);
    await pinged();
    expect(only(local).state).toBe('ready');
  });

  it('never finds an agent idle that stamps every ping anew', async () => {
    const { local, id, advance, pinged } = await startReaped(['stamp-now']);
    await using _ = local;
    const { pid } = only(local);
    for (let step = 0; step < 4; step += 1) {
      advance(600_000);
      await pinged();
      expect(only(local)).toMatchObject({ state: 'ready', pid, sessionId: id });
    }
  });

  it('leaves a session alone while a request is in flight', async () => {
    const { local, id, advance, pinged } = await startReaped([]);
    await using _ = local;
    const stuck = invokeFailure(local, id, { do: 'hang' });
    await eventually(() => expect(only(local).activeRequests).toBe(1));
    advance(hour);
    await pinged();
    expect(only(local).state).toBe('ready');
    await local.runtime('tiny').stop(id);
    expect((await stuck).message).toContain('Received error (502) from runtime.');
  });
});

describe('the warm pool', () => {
  it('hands out processes that are ready and fills up again', async () => {
    await using local = await startTiny([], { warmPoolSize: 2 });
    await eventually(() => expect(local.metrics().warmProcesses).toBe(2));
    const id = newSessionId();
    await invokeJson(local.runtime('tiny'), id, {});
    expect(only(local)).toMatchObject({ warm: true });
    expect(only(local).logFile).toContain(`${id}.log`);
    await eventually(() => expect(local.metrics().warmProcesses).toBe(2));
  });
});

describe('close', () => {
  it('ends all, frees the port and removes what it made', async () => {
    const local = await startTiny([], { warmPoolSize: 1 });
    await eventually(() => expect(local.metrics().warmProcesses).toBe(1));
    const ids = [newSessionId(), newSessionId()];
    const answers = await Promise.all(ids.map((id) => invokeJson(local.runtime('tiny'), id, {})));
    const [first, second] = [local.close(), local.close()];
    await Promise.all([first, second]);
    for (const { pid } of answers) expect(isRunning(pid as number)).toBe(false);
    expect(local.metrics()).toMatchObject({ liveSessions: 0, warmProcesses: 0 });
    expect(existsSync(local.logDir)).toBe(false);
    // Not by taking the port: another process may have got it by now.
    await expect(fetch(local.endpoint)).rejects.toThrow('fetch failed');
  });

  it('answers requests that are in flight', async () => {
    const local = await startTiny();
    const failure = invokeFailure(local, newSessionId(), { do: 'hang' });
    await eventually(() => expect(only(local)?.activeRequests).toBe(1));
    await eventually(() => expect(only(local).state).toBe('ready'));
    await local.close();
    expect((await failure).code).toMatch(/ART_CONTAINER_ERROR|ART_RUNTIME_UNAVAILABLE/);
  });

  it('tells who takes the port that it is taken', async () => {
    await using local = await startTiny();
    const { port } = new URL(local.endpoint);
    await expect(startTiny([], { port: Number(port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('the endpoint', () => {
  it('listens on loopback and knows its agents by name', async () => {
    await using local = await startTiny();
    expect(local.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(local.arnOf('tiny')).toBe(
      'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/tiny-local00000',
    );
    expect(() => local.arnOf('other')).toThrow('(tiny), got "other"');
    expectTypeOf(startLocalRuntime).returns.resolves.toEqualTypeOf<LocalRuntime>();
  });

  it('honours Expect: 100-continue and passes 100 MB', async () => {
    await using local = await startTiny();
    const bytes = 100_000_000;
    const outgoing = request(
      `${local.endpoint}/runtimes/${encodeURIComponent(local.arnOf('tiny'))}/invocations`,
      {
        method: 'POST',
        headers: { expect: '100-continue', 'content-length': bytes },
      },
    );
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.end(Buffer.alloc(bytes));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({ bytes });
    expect(response.headers[runtimeHeaders.sessionId]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('leads the S3 clients of a session to itself', async () => {
    await using local = await startLocalRuntime({
      agents: {
        tiny: { command: tinyAgent() },
        own: { command: tinyAgent(), env: { AWS_ENDPOINT_URL_S3: 'http://own' } },
      },
      stopGraceMs: 2_000,
    });
    const ask = { do: 'env', name: 'AWS_ENDPOINT_URL_S3' };
    expect(await invokeJson(local.runtime('tiny'), newSessionId(), ask)).toEqual({ value: local.endpoint });
    expect(await invokeJson(local.runtime('own'), newSessionId(), ask)).toEqual({ value: 'http://own' });
  });

  it('has the buckets that were named or made, and no misspelt one', async () => {
    await using local = await startLocalRuntime({
      agents: { tiny: { command: tinyAgent() } },
      s3: { buckets: ['results'] },
    });
    const put = async (path: string, body?: string): Promise<number> =>
      (await fetch(`${local.endpoint}/${path}`, { method: 'PUT', ...(body !== undefined && { body }) }))
        .status;
    expect(await put('results/a/b.json', '{}')).toBe(200);
    expect(await put('reslts/a/b.json', '{}')).toBe(404);
    expect(await put('made')).toBe(200);
    expect(await put('made/a/b.json', '{}')).toBe(200);
    await expect(
      startLocalRuntime({ agents: { tiny: { command: tinyAgent() } }, s3: { buckets: ['No Bucket'] } }),
    ).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  });
});

describe('the settings of a runtime', () => {
  it('lead invocations to the path of the agent, which finds it in its environment', async () => {
    await using local = await startLocalRuntime({
      agents: { tiny: { command: tinyAgent(), invocationPath: '/api/run' } },
    });
    const answer = await invokeJson(local.runtime('tiny'), newSessionId(), {
      do: 'env',
      name: 'ART_INVOCATION_PATH',
    });
    expect(answer).toEqual({ value: '/api/run' });
    expect(await invokeJson(local.runtime('tiny'), newSessionId(), {})).toMatchObject({ url: '/api/run' });
  });

  it('call the warm-up of each process before it gets a session, and do not start one whose warm-up fails', async () => {
    const agents = {
      ready: { command: tinyAgent(), warmupPath: '/warmup' },
      broken: { command: tinyAgent('cold'), warmupPath: '/warmup' },
    };
    await using local = await startLocalRuntime({ agents });
    expect(await invokeJson(local.runtime('ready'), newSessionId(), {})).toMatchObject({ warmedUp: 1 });
    await expect(
      local.runtime('broken').invoke({ sessionId: newSessionId(), body: '{}' }),
    ).rejects.toMatchObject({
      httpStatus: 424,
      message: expect.stringMatching(
        /The warm-up failed: POST http:\/\/127\.0\.0\.1:\d+\/warmup came to 500 "no template"/,
      ) as string,
    });
  });
});
