import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newSessionId, startTiny } from '../tiny-agent.fixture.ts';
import { rawRequest } from '@art/tooling/raw-http';
import type { FuzzTarget } from '@art/tooling/fuzz';
import { hostileRequest, sendBytes } from '@art/tooling/hostile-request';

/** Requests that are almost right: each gets a typed answer, and none starts a session that it may not start. */
export const dataPlane: FuzzTarget = {
  name: 'data plane, hostile requests',
  share: 0.15,
  run: async (options) => {
    // A session that is started after all is one too many, and costs nothing here.
    await using local = await startTiny(['crash'], { s3: false });
    const port = Number(new URL(local.endpoint).port);
    const arn = encodeURIComponent(local.arnOf('tiny'));
    const paths = [
      `runtimes/${arn}/invocationsX`,
      `runtimes/${arn}/stopruntimesession`,
      `runtimes/${arn}/commands`,
      'runtimes/tiny-local00000/invocations',
      'runtimes/',
      '_art/log?after=',
      '_art/faults?after=1&after=',
      '_art/',
    ];
    await fc.assert(
      fc.asyncProperty(hostileRequest(paths), async (bytes) => {
        const reply = await sendBytes(port, bytes);
        if (reply === undefined) return;
        const { status, headers, body } = reply;
        assert(status >= 200 && status < 600 && status !== 500, `HTTP ${status}: ${body}`);
        if (headers['x-amzn-errortype'] !== undefined && body !== '') {
          assert.equal(typeof (JSON.parse(body) as { message: unknown }).message, 'string');
        }
      }),
      options,
    );
    assert.equal(local.metrics().startedSessions, 0);
  },
};

/** Payloads of any bytes reach the agent as they are, and only it decides about them. */
export const payloads: FuzzTarget = {
  name: 'data plane, payloads of any kind',
  share: 0.05,
  run: async (options) => {
    await using local = await startTiny(['digest'], { pingIntervalMs: 60_000 });
    const port = Number(new URL(local.endpoint).port);
    const path = `/runtimes/${encodeURIComponent(local.arnOf('tiny'))}/invocations`;
    const headers = { 'x-amzn-bedrock-agentcore-runtime-session-id': newSessionId() };
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(`{"_agentcore_runtime":${text}}`)),
      fc
        .constantFrom('[', '{"_agentcore_runtime":{"operation":"get"}}', '"_agentcore_runtime"')
        .map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(payload, async (bytes) => {
        const { status, body } = await rawRequest(port, 'POST', path, headers, bytes);
        assert.equal(status, 200);
        assert.equal(body, bytes.toString('hex'));
      }),
      options,
    );
    assert.equal(local.metrics().startedSessions, 1);
  },
};
