import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { RolloutClient } from '@art/client';
import { startLocalRuntime, type LocalRuntime } from '@art/local';
import {
  BedrockAgentCoreClient,
  GetAgentCardCommand,
  InvokeAgentRuntimeCommand,
  InvokeAgentRuntimeCommandCommand,
  StopRuntimeSessionCommand,
} from '@aws-sdk/client-bedrock-agentcore';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { scriptedAgent } from '../interop/interop-runtime.fixture.ts';
import { isPythonMissing, pythonExecutable } from '../interop/provided-python.fixture.ts';
import { runPython } from '../interop/run-python.ts';
import { awsEnvironment, hideAwsEnvironment, stubAwsEnvironment } from './aws-environment.fixture.ts';

/** SDKs as they come; environment variables are all that tells them about the local AWS. */
let local: LocalRuntime;

beforeAll(async () => {
  hideAwsEnvironment();
  const command = [process.execPath, join(import.meta.dirname, 'echo-agent.mjs')];
  local = await startLocalRuntime({
    agents: { echo: { command }, scripted: scriptedAgent },
    stopGraceMs: 5_000,
    allowCommands: true,
    s3: { autoCreateBuckets: true },
  });
  stubAwsEnvironment(local.endpoint);
});

afterAll(async () => {
  await local.close();
  vi.unstubAllEnvs();
});

describe('the AWS SDK for JavaScript', () => {
  it('invokes, runs a command in the session, reads the agent card and stops', async () => {
    const client = new BedrockAgentCoreClient();
    const runtimeSessionId = 'js-sdk-session-0123456789-0123456789';
    const runtime = { agentRuntimeArn: local.arnOf('echo'), runtimeSessionId };
    const payload = new TextEncoder().encode('{"prompt":"grüße"}');

    const answer = await client.send(new InvokeAgentRuntimeCommand({ ...runtime, payload }));
    expect(answer).toMatchObject({ statusCode: 200, contentType: 'application/json', runtimeSessionId });
    expect(JSON.parse(await answer.response!.transformToString())).toMatchObject({
      method: 'POST',
      body: '{"prompt":"grüße"}',
      headers: { 'x-amzn-bedrock-agentcore-runtime-session-id': runtimeSessionId },
    });

    const { stream } = await client.send(
      new InvokeAgentRuntimeCommandCommand({ ...runtime, body: { command: 'echo grüße' } }),
    );
    const events = await Array.fromAsync(stream!, (event) => event.chunk!);
    expect(events.map((event) => event.contentDelta?.stdout ?? '').join('')).toBe('grüße\n');
    expect(events.at(-1)).toEqual({ contentStop: { exitCode: 0, status: 'COMPLETED' } });

    const { agentCard } = await client.send(new GetAgentCardCommand(runtime));
    expect(agentCard).toMatchObject({ name: 'echo', url: expect.stringContaining(local.endpoint) });

    expect((await client.send(new StopRuntimeSessionCommand(runtime))).statusCode).toBe(200);
    await expect(client.send(new StopRuntimeSessionCommand(runtime))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    expect(local.metrics().attempts).toContainEqual(
      expect.objectContaining({ sessionId: runtimeSessionId, delivered: 1, highestSdkAttempt: 1, stops: 2 }),
    );
    client.destroy();
  });

  it('puts, gets, heads, lists and writes on condition', async () => {
    const client = new S3Client();
    const at = { Bucket: 'js-bucket', Key: 'exp 1/é&+%7?#/日本.json' };
    const put = new PutObjectCommand({
      ...at,
      Body: '{"a":"ü"}',
      ContentType: 'application/json',
      IfNoneMatch: '*',
    });
    const { ETag } = await client.send(put);
    expect(await client.send(new HeadObjectCommand(at))).toMatchObject({ ETag, ContentLength: 10 });
    const got = await client.send(new GetObjectCommand(at));
    expect(await text(got.Body as AsyncIterable<Uint8Array> & NodeJS.ReadableStream)).toBe('{"a":"ü"}');
    expect(got).toMatchObject({ ETag, ContentType: 'application/json' });
    await expect(client.send(put)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    const page = await client.send(new ListObjectsV2Command({ Bucket: at.Bucket, Prefix: 'exp 1/é&' }));
    expect(page).toMatchObject({ KeyCount: 1, IsTruncated: false, Contents: [{ Key: at.Key, Size: 10 }] });
    await expect(client.send(new HeadObjectCommand({ ...at, Key: 'x' }))).rejects.toMatchObject({
      name: 'NotFound',
    });
    client.destroy();
  });
});

describe('our client and our agent on their defaults', () => {
  it('meet at the local AWS, told of it by environment variables only', async () => {
    // As a Python trainer sets it; the client finds the runtime's region in the ARN.
    vi.stubEnv('AWS_REGION', undefined);
    const expId = 'defaults/é 1';
    const client = new RolloutClient({
      agentRuntimeArn: local.arnOf('scripted'),
      bucket: 'default-bucket',
      expId,
    });
    const future = await client.invoke({ do: 'return', value: { rewards: [0, 1], text: 'ü' } });
    const document = await future.result({ timeoutMs: 100_000 });
    expect(document).toMatchObject({ rewards: [0, 1], text: 'ü', s3_bucket: 'default-bucket' });
    const items = await Array.fromAsync(
      client.runBatch([{ do: 'return', value: { rewards: 0.5 } }, { do: 'throw' }], {
        maxConcurrentSessions: 2,
        timeoutMs: 100_000,
      }),
    );
    expect(items.toSorted((a, b) => a.index - b.index).map((item) => item.outcome)).toMatchObject([
      { kind: 'ok', reward: 0.5 },
      { kind: 'agent_error', document: { stop_reason: 'the tool failed' } },
    ]);
    await client.close();

    const s3 = new S3Client({ region: 'us-west-2' });
    const page = await s3.send(new ListObjectsV2Command({ Bucket: 'default-bucket', Prefix: `${expId}/` }));
    expect(page.Contents?.map((object) => object.Key)).toEqual(
      [future.resultKey, ...items.map((item) => item.resultKey!)].toSorted(),
    );
    s3.destroy();
    await vi.waitFor(() => expect(local.metrics().liveSessions).toBe(0));
    const scripted = local.metrics().attempts.filter((attempts) => attempts.agent === 'scripted');
    expect(scripted.map(({ stops }) => stops)).toEqual([1, 1, 1]);
    // A client whose machine is busy may ask how an invocation is; it starts none twice.
    const started = local.endpointLog().filter((event) => event.kind === 'invoked' && event.invocationId);
    expect(started.map((event) => 'sessionId' in event && event.sessionId)).toEqual(
      scripted.map(({ sessionId }) => sessionId),
    );
  });
});

describe.skipIf(isPythonMissing)('boto3', () => {
  it('makes the same calls, and abuses S3 in vain', async () => {
    const session_id = 'boto3-session-0123456789-0123456789';
    const calls = await runPython({
      executable: pythonExecutable,
      script: join(import.meta.dirname, 'call-with-boto3.py'),
      env: awsEnvironment(local.endpoint),
      input: { arn: local.arnOf('echo'), session_id, bucket: 'boto3-bucket' },
    });
    expect(calls).toEqual({
      invoke: {
        status: 200,
        session_id,
        content_type: 'application/json',
        seen: expect.objectContaining({ method: 'POST', body: '{"prompt": "gr\\u00fc\\u00dfe"}' }),
      },
      command: {
        stdout: 'grüße\n',
        stderr: 'oops\n',
        first: ['contentStart'],
        stop: { exitCode: 3, status: 'COMPLETED' },
      },
      agent_card: {
        name: 'echo',
        version: '1',
        url: `${local.endpoint}/runtimes/${encodeURIComponent(local.arnOf('echo'))}/invocations/`,
      },
      stop: [200, ['ResourceNotFoundException', 404]],
      put_get_head: { same: true, etags: 1, content_type: 'application/json', length: 0, listed: true },
      missing: [
        ['404', 404],
        ['NoSuchKey', 404],
      ],
      large: true,
      wrong_checksum: ['BadDigest', 400],
      pages: { sizes: [1_000, 50], in_order: true, after: true },
      race: { winners: 1, refusals: [['PreconditionFailed', 412]], kept: true },
    });
  });
});
