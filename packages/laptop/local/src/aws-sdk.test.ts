import {
  BedrockAgentCoreClient,
  GetAgentCardCommand,
  InvokeAgentRuntimeCommand,
  InvokeAgentRuntimeCommandCommand,
  StopRuntimeSessionCommand,
} from '@aws-sdk/client-bedrock-agentcore';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalRuntime } from './index.ts';
import { newSessionId, startTiny } from './tiny-agent.fixture.ts';

/** The genuine SDK against the genuine port; nothing of ours is between them. */
let local: LocalRuntime;
let client: BedrockAgentCoreClient;
let agentRuntimeArn: string;
beforeAll(async () => {
  local = await startTiny([], { allowCommands: true });
  agentRuntimeArn = local.arnOf('tiny');
  client = new BedrockAgentCoreClient({
    region: 'us-west-2',
    endpoint: local.endpoint,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});
afterAll(async () => {
  client.destroy();
  await local.close();
});

interface CommandRun {
  stdout: string;
  stderr: string;
  stop: unknown;
  events: string[];
}

async function run(runtimeSessionId: string, command: string, timeout?: number): Promise<CommandRun> {
  const { stream } = await client.send(
    new InvokeAgentRuntimeCommandCommand({
      agentRuntimeArn,
      runtimeSessionId,
      body: { command, ...(timeout === undefined ? {} : { timeout }) },
    }),
  );
  const result: CommandRun = { stdout: '', stderr: '', stop: undefined, events: [] };
  for await (const event of stream!) {
    const chunk = event.chunk!;
    result.events.push(Object.keys(chunk)[0]!);
    result.stdout += chunk.contentDelta?.stdout ?? '';
    result.stderr += chunk.contentDelta?.stderr ?? '';
    if (chunk.contentStop !== undefined) result.stop = chunk.contentStop;
  }
  return result;
}

describe('the AWS SDK', () => {
  it('invokes, stops, and sees the errors of the model', async () => {
    const runtimeSessionId = newSessionId();
    const payload = new TextEncoder().encode('{"do":"echo"}');
    const answer = await client.send(
      new InvokeAgentRuntimeCommand({ agentRuntimeArn, runtimeSessionId, payload }),
    );
    expect(answer).toMatchObject({ statusCode: 200, contentType: 'application/json', runtimeSessionId });
    expect(answer.$metadata.requestId).toMatch(/^[0-9a-f-]{36}$/);
    const seen = JSON.parse(await answer.response!.transformToString()) as {
      headers: Record<string, string>;
    };
    expect(seen.headers['content-type']).toBe('application/octet-stream');
    expect(seen.headers['authorization']).toBeUndefined();

    const stop = new StopRuntimeSessionCommand({ agentRuntimeArn, runtimeSessionId, qualifier: 'DEFAULT' });
    expect((await client.send(stop)).statusCode).toBe(200);
    await expect(
      client.send(new StopRuntimeSessionCommand({ agentRuntimeArn, runtimeSessionId })),
    ).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    const short = new InvokeAgentRuntimeCommand({ agentRuntimeArn, runtimeSessionId: 'short', payload });
    await expect(client.send(short)).rejects.toMatchObject({
      name: 'ValidationException',
      reason: 'FieldValidationFailed',
    });
    const failing = new TextEncoder().encode('{"do":"status","status":500}');
    await expect(
      client.send(new InvokeAgentRuntimeCommand({ agentRuntimeArn, payload: failing })),
    ).rejects.toMatchObject({ name: 'RuntimeClientError', $metadata: { httpStatusCode: 424 } });
  });

  it('gets the agent card with the address of the runtime', async () => {
    const { agentCard } = await client.send(new GetAgentCardCommand({ agentRuntimeArn }));
    expect(agentCard).toEqual({
      name: 'tiny',
      url: `${local.endpoint}/runtimes/${encodeURIComponent(agentRuntimeArn)}/invocations/`,
    });
  });

  it('runs a command in the environment of the session', async () => {
    const sessionId = newSessionId();
    const result = await run(sessionId, `/bin/sh -c 'echo "grüße $PORT"; echo oops >&2; exit 3'`);
    expect(result.stdout).toMatch(/^grüße \d+\n$/);
    expect(result.stderr).toBe('oops\n');
    expect(result.stop).toEqual({ exitCode: 3, status: 'COMPLETED' });
    expect(result.events[0]).toBe('contentStart');
    expect(result.events.at(-1)).toBe('contentStop');
    expect(local.sessions().find((session) => session.sessionId === sessionId)?.state).toBe('ready');
  });

  it('gets a megabyte of output whole', async () => {
    const { stdout } = await run(
      newSessionId(),
      `${process.execPath} -e 'process.stdout.write("ü".repeat(500000))'`,
    );
    expect(stdout.length).toBe(500_000);
    expect(/^ü+$/.test(stdout)).toBe(true);
  });

  it('sees a command time out, and one that is not there', async () => {
    expect((await run(newSessionId(), 'sleep 600', 1)).stop).toEqual({ exitCode: -1, status: 'TIMED_OUT' });
    const missing = await run(newSessionId(), 'no-such-program');
    expect(missing.stop).toEqual({ exitCode: 127, status: 'COMPLETED' });
    expect(missing.stderr).toContain('not found');
  });

  it('is refused a command that is none', async () => {
    await expect(run(newSessionId(), `echo 'open`)).rejects.toMatchObject({ name: 'ValidationException' });
    await expect(run(newSessionId(), 'ls', 3_601)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('loses its command when the session ends', async () => {
    const sessionId = newSessionId();
    const running = run(sessionId, 'sleep 600');
    await expect
      .poll(() => local.sessions().find((session) => session.sessionId === sessionId)?.state)
      .toBe('ready');
    await client.send(new StopRuntimeSessionCommand({ agentRuntimeArn, runtimeSessionId: sessionId }));
    expect((await running).stop).toEqual({ exitCode: 143, status: 'COMPLETED' });
  });
});
