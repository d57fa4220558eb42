import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileResultStore } from '@art/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const agent = join(import.meta.dirname, '../../../../examples/math-agent/src/agent.ts');
let root: string;
let port: number;
let child: ChildProcess;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-contract-'));
  child = spawn(process.execPath, ['--conditions=@art/source', agent], {
    env: { ...process.env, PORT: '0', ART_RESULT_STORE: pathToFileURL(root).href },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let log = '';
  child.stdout!.setEncoding('utf8').on('data', (part: string) => (log += part));
  port = await vi.waitFor(() => {
    const [, listening] = /Server listening at http:\/\/[\d.]+:(\d+)/.exec(log) ?? [];
    if (listening === undefined) throw new Error(`The agent does not listen: ${log}`);
    return Number(listening);
  });
});

afterAll(async () => {
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

const session = '0a1b2c3d-0000-4000-8000-00000000000';
const rollout = (index: number, more: object = {}): Buffer =>
  Buffer.from(
    JSON.stringify({
      prompt: 'What is 1 + 1?',
      answer: '2',
      ...more,
      // Nothing listens there: the rollout fails at once, and that is a result too.
      _rollout: {
        exp_id: 'e',
        input_id: `i${index}`,
        s3_bucket: 'b',
        base_url: 'http://127.0.0.1:9/v1',
        model_id: 'm',
      },
    }),
  );

describe('the example agent', () => {
  it.each([
    ['without a content type, as boto3 sends it', 1, {}, {}],
    [
      'as octet-stream, as the JavaScript SDK sends it',
      2,
      { 'content-type': 'application/octet-stream' },
      {},
    ],
    ['with an Accept of event streams only', 3, { accept: 'text/event-stream' }, {}],
    ['with 20 MB', 4, { 'content-type': 'application/json' }, { more: 'x'.repeat(20_000_000) }],
    ['under the internal host name of the service', 5, { host: 'cell01.us-west-2.prod.internal' }, {}],
  ])('accepts a rollout %s', async (_, index, headers, more) => {
    const sessionId = `${session}${index}`;
    const reply = await send(
      'POST',
      '/invocations',
      { ...headers, 'x-amzn-bedrock-agentcore-runtime-session-id': sessionId, 'x-amzn-requestid': 'r' },
      rollout(index, more),
    );
    const key = `e/i${index}/${sessionId}.json`;
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(reply.body)).toEqual({ status: 'processing', s3_bucket: 'b', result_key: key });
    const store = new FileResultStore({ root });
    const text = await vi.waitFor(
      async () => (await store.get({ bucket: 'b', key })) ?? Promise.reject(new Error('not yet')),
      { interval: 100 },
    );
    expect(JSON.parse(text)).toMatchObject({ status_code: 503, input_id: `i${index}`, result_key: key });
  });

  it('invents a session id where none came', async () => {
    const reply = await send('POST', '/invocations', {}, rollout(6));
    expect((JSON.parse(reply.body) as { result_key: string }).result_key).toMatch(
      /^e\/i6\/[0-9a-f-]{36}\.json$/,
    );
  });

  it('refuses what it cannot take, before anything starts', async () => {
    expect(await send('POST', '/invocations', {}, Buffer.from('{"prompt":'))).toMatchObject({ status: 400 });
    expect(await send('POST', '/invocations', {}, Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
      status: 400,
    });
    expect(await send('POST', '/invocations', {}, Buffer.from('{"prompt":5,"_rollout":{}}'))).toMatchObject({
      status: 400,
    });
    const incomplete = await send(
      'POST',
      '/invocations',
      {},
      Buffer.from('{"prompt":"x","answer":"1","_rollout":{"exp_id":"e"}}'),
    );
    expect(incomplete.status).toBe(500);
    expect(JSON.parse(incomplete.body)).toEqual({
      error: "Missing required rollout config field: 'input_id'",
    });
  });

  it('reports integer seconds that stand still while the status does', async () => {
    const first = JSON.parse((await send('GET', '/ping')).body) as {
      status: string;
      time_of_last_update: number;
    };
    expect(Number.isInteger(first.time_of_last_update)).toBe(true);
    expect(Math.abs(first.time_of_last_update - Date.now() / 1_000)).toBeLessThan(3_600);
  });
});

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Node's own client adds no content type, which is the point. */
function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, 'content-length': body?.length ?? 0 },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    call.end(body);
  });
}
