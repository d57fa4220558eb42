import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sessionHeader, target, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

const rolloutProcess = vi.fn(() => ({ rewards: 1 }));
const invocationProcess = vi.fn(() => 'answered');

async function send(
  payload: string | Buffer,
  headers: Record<string, string> = sessionHeader,
): Promise<{ status: number; code: unknown; error: string }> {
  rolloutProcess.mockClear();
  invocationProcess.mockClear();
  made = testApp({
    rolloutHandler: { process: rolloutProcess },
    invocationHandler: { process: invocationProcess },
  });
  const answer = await made.app.inject({ method: 'POST', url: '/invocations', headers, payload });
  const body = answer.json<{ error: string; details?: string }>();
  return {
    status: answer.statusCode,
    code: answer.headers['x-art-error-code'],
    error: `${body.error} ${body.details ?? ''}`,
  };
}

async function expectNothingHappened(): Promise<void> {
  expect(made.app.getAsyncTaskInfo().activeCount).toBe(0);
  expect(rolloutProcess).not.toHaveBeenCalled();
  expect(invocationProcess).not.toHaveBeenCalled();
  expect((await made.store.list({ bucket: 'results', prefix: '' })).keys).toEqual([]);
}

const config = JSON.stringify(target);

describe('a request that means harm is refused, and nothing is started:', () => {
  it.each([
    ['_rollout twice', `{"_rollout":${config},"_rollout":{}}`, /"_rollout" occurs twice/],
    ['_rollout twice in two spellings', `{"_rollout":{},"\\u005frollout":${config}}`, /occurs twice/],
    ['a member of _rollout twice', `{"_rollout":{"exp_id":"a","exp_id":"b"}}`, /"exp_id" occurs twice/],
    ['a member far inside of _rollout twice', '{"_rollout":{"a":[{"b":{"c":1,"c":2}}]}}', /"c" occurs twice/],
    [
      'an envelope twice',
      '{"_agentcore_runtime":{},"_agentcore_runtime":{}}',
      /"_agentcore_runtime" occurs twice/,
    ],
    ['__proto__', '{"__proto__":{"polluted":true}}', /__proto__/],
    ['__proto__ in _rollout', '{"_rollout":{"__proto__":{"exp_id":"e"}}}', /__proto__/],
    ['constructor.prototype', '{"a":{"constructor":{"prototype":{"polluted":true}}}}', /prototype/],
    ['nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /deeper than 1000/],
    [
      'nesting in the dialect of Python',
      `{"a":NaN,"b":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /deeper than 1000/,
    ],
    ['a number without end', `{"a":${'9'.repeat(1_000_000)}}`, /more than 4300 digits/],
  ])('%s', async (_name, body, error) => {
    expect(await send(body)).toMatchObject({
      status: 400,
      code: 'ART_JSON_PARSE',
      error: expect.stringMatching(error) as string,
    });
    await expectNothingHappened();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each([
    ['overlong UTF-8', [0xc0, 0xaf]],
    ['half a character', [0xe2, 0x82]],
    ['a lone surrogate', [0xed, 0xa0, 0x80]],
  ])('%s', async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(await send(body)).toMatchObject({ status: 400, code: 'ART_JSON_PARSE' });
    await expectNothingHappened();
  });

  it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'GZIP'])(
    'a body that is packed with %s',
    async (encoding) => {
      const headers = { ...sessionHeader, 'content-encoding': encoding };
      const answer = await send(gzipSync(JSON.stringify({ _rollout: target })), headers);
      expect(answer).toMatchObject({ status: 415, code: 'ART_UNSUPPORTED_ENCODING' });
      await expectNothingHappened();
    },
  );

  it.each([
    ['dots', { input_id: '..' }, 'ART_INVALID_RESULT_KEY'],
    ['dots behind a slash', { exp_id: 'a/../b' }, 'ART_INVALID_RESULT_KEY'],
    ['an absolute path', { exp_id: '/etc' }, 'ART_INVALID_RESULT_KEY'],
    ['a null', { input_id: 'a\0b' }, 'ART_INVALID_RESULT_KEY'],
    ['a line break', { input_id: 'a\r\nx-amz-acl: public-read' }, 'ART_INVALID_RESULT_KEY'],
    ['an unpaired surrogate', { exp_id: 'a\ud800' }, 'ART_INVALID_RESULT_KEY'],
    ['a bucket that is a path', { s3_bucket: '../../etc' }, 'ART_INVALID_BUCKET'],
    ['a bucket with a line break', { s3_bucket: 'b\r\nHost: x' }, 'ART_INVALID_BUCKET'],
    ['a list for an id', { exp_id: ['a'] }, 'ART_INVALID_ROLLOUT_CONFIG'],
    ['an object for an id', { input_id: { toString: 'x' } }, 'ART_INVALID_ROLLOUT_CONFIG'],
  ])('an id with %s', async (_name, ids, code) => {
    const body = JSON.stringify({ _rollout: { ...target, ...ids } });
    expect(await send(body)).toMatchObject({ status: 400, code });
    await expectNothingHappened();
  });

  it.each([
    ['a line break', 'a\r\nx: y'],
    ['a control character', 'a\u0001b'],
    ['a path', '../../x'],
    ['a space', 'a b'],
    ['more than it may have', 'a'.repeat(257)],
    ['letters that are no ASCII', 'sitzung-ü'],
  ])('a session id with %s', async (_name, id) => {
    const answer = await send(JSON.stringify({ _rollout: target }), {
      'x-amzn-bedrock-agentcore-runtime-session-id': id,
    });
    expect(answer.status).toBe(400);
    expect(answer.code).toMatch(/^ART_INVALID_(SESSION_ID|RESULT_KEY)$/);
    await expectNothingHappened();
  });
});

it('takes the last of two members of a payload, as the Python app does', async () => {
  made = testApp({ invocationHandler: { process: (request) => request } });
  const payload = '{"a":1,"b":{"c":1,"c":2},"a":2}';
  const answer = await made.app.inject({ method: 'POST', url: '/invocations', payload });
  expect(answer.json()).toEqual({ a: 2, b: { c: 2 } });
});

it('takes a request id only where it is fit for a log', async () => {
  made = testApp({ invocationHandler: { process: (_request, { requestId }) => requestId } });
  for (const [id, kept] of [
    ['req-1', true],
    ['a\nb', false],
    ['x'.repeat(300), false],
  ] as const) {
    const headers = { ...sessionHeader, 'x-amzn-requestid': id };
    const answer = await made.app.inject({ method: 'POST', url: '/invocations', headers, payload: '{}' });
    expect(answer.json<string>() === id).toBe(kept);
  }
});
