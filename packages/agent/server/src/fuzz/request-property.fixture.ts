import { ok, strictEqual } from 'node:assert';
import { runtimeHeaders } from '@art/protocol';
import { MemoryResultStore } from '@art/store';
import fc from 'fast-check';
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';
import { sessionId as aSessionId } from '../test-app.fixture.ts';

const oddNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'exp_id',
  '_rollout',
  'invocation_id',
  '',
];

const anyText = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('..', '.', '/', 'a/../b', 'a\r\nb', '\0', 'a'.repeat(2_000), '\ud800', ...oddNames),
);

const anyMember = fc.oneof(
  anyText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue(),
);

const plainText = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '-', '_', '1'),
  minLength: 1,
  maxLength: 8,
});

// Half of the configs are good ones, so that the cases get behind the first check.
const anyConfig = fc.oneof(
  fc.record({ exp_id: plainText, input_id: plainText, s3_bucket: plainText }, { noNullPrototype: true }),
  fc.record(
    { exp_id: plainText, input_id: plainText, s3_bucket: plainText, api_key: anyText },
    { noNullPrototype: true, requiredKeys: ['exp_id', 'input_id', 's3_bucket'] },
  ),
  fc.record(
    {
      exp_id: fc.oneof(plainText, anyMember),
      input_id: fc.oneof(plainText, anyMember),
      s3_bucket: fc.oneof(plainText, anyMember),
      base_url: anyMember,
      sampling_params: anyMember,
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
  anyMember,
);

// Few ids, so that some come again.
const anyId = fc.constantFrom('a', 'b', 'c', 'inv-1', 'inv-2');

const anyEnvelope = fc.oneof(
  fc.record(
    { version: fc.constant(1), operation: fc.constantFrom('start', 'get'), invocation_id: anyId },
    { noNullPrototype: true },
  ),
  fc.record(
    {
      version: fc.constant(1),
      operation: fc.constant('start'),
      invocation_id: anyId,
      background: fc.boolean(),
    },
    { noNullPrototype: true },
  ),
  fc.record(
    {
      version: fc.oneof(fc.constant(1), anyMember),
      operation: fc.oneof(fc.constant('start'), anyMember),
      invocation_id: fc.oneof(anyId, anyMember),
      background: anyMember,
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
  anyMember,
);

const anyPayload = fc.oneof(
  fc
    .tuple(
      anyEnvelope,
      fc.record({ _rollout: anyConfig, _config: anyConfig }, { requiredKeys: [], noNullPrototype: true }),
    )
    .map(([envelope, configs]) => ({ ...configs, _agentcore_runtime: envelope })),
  fc
    .tuple(anyConfig, fc.dictionary(anyText, anyMember, { maxKeys: 3, noNullPrototype: true }))
    .map(([config, rest]) => ({ ...rest, _rollout: config })),
  fc.dictionary(anyText, anyMember, { maxKeys: 3, noNullPrototype: true }),
  anyMember,
);

const edit = fc.record({
  at: fc.nat(),
  drop: fc.integer({ min: 0, max: 3 }),
  insert: fc.oneof(
    fc
      .constantFrom(...'{ } [ ] " , : NaN \\ {"a": "_rollout":{}, "exp_id":1,'.split(' '))
      .map((text) => Buffer.from(text)),
    fc.constant(Buffer.from('['.repeat(1_200))),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  ),
});

/** Bodies as they come over the wire: JSON, JSON that was cut and pasted, and bytes. */
const anyBody = fc.tuple(anyPayload, fc.array(edit, { maxLength: 2 })).map(([payload, edits]) => {
  let body: Buffer = Buffer.from(JSON.stringify(payload) ?? '');
  for (const { at, drop, insert } of edits) {
    const from = body.length === 0 ? 0 : at % body.length;
    body = Buffer.concat([body.subarray(0, from), insert, body.subarray(from + drop)]);
  }
  return body;
});

const anyHeader = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
});

const anyHeaders = fc.record(
  {
    [runtimeHeaders.sessionId]: fc.oneof(fc.constant(aSessionId), plainText, anyHeader),
    [runtimeHeaders.requestId]: anyHeader,
    'content-type': fc.oneof(fc.constantFrom('application/json', 'text/plain', ''), anyHeader),
    'content-encoding': fc.constantFrom('identity', 'gzip', ''),
    accept: anyHeader,
  },
  { requiredKeys: [], noNullPrototype: true },
);

const statuses = new Set([200, 400, 413, 415, 500]);

/** An app whose handlers count their calls, and what must be true of every request to it. */
export function requestProperty(stateDir: string): {
  app: AgentCoreRLApp;
  property: fc.IAsyncProperty<[Buffer, Record<string, string | undefined>]>;
} {
  let calls = 0;
  const store = new MemoryResultStore();
  const app = new AgentCoreRLApp({
    resultStore: store,
    stateDir,
    unsavedHoldMs: 0,
    config: { logging: { enabled: false } },
    rolloutHandler: {
      process: () => {
        calls += 1;
        return { rewards: 1 };
      },
    },
    invocationHandler: {
      process: () => {
        calls += 1;
        return { answered: true };
      },
    },
  });
  const runs = new Map<string, number>();
  const property = fc.asyncProperty(anyBody, anyHeaders, async (payload, headers) => {
    calls = 0;
    const given: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) given[name] = value;
    const answer = await app.inject({ method: 'POST', url: '/invocations', headers: given, payload });
    ok(statuses.has(answer.statusCode), `status ${answer.statusCode}`);
    const body: unknown = JSON.parse(answer.body);
    while (app.getAsyncTaskInfo().activeCount > 0) await new Promise(setImmediate);

    if (answer.statusCode !== 200) {
      // Nothing was started, and the reason has a name. Only an incomplete config is answered with 500.
      strictEqual(calls, 0);
      const code = String(answer.headers['x-art-error-code']);
      ok(code.startsWith('ART_'), `no code with ${answer.body}`);
      if (answer.statusCode === 500) strictEqual(code, 'ART_INVALID_ROLLOUT_CONFIG');
      return;
    }
    const reply = Object(body) as Record<string, unknown>;
    const { status, s3_bucket: bucket, result_key: key } = reply;
    if (reply['version'] === 1) {
      // A state of RIP: the same invocation never runs a second time.
      const session = given[runtimeHeaders.sessionId] ?? '';
      const place = JSON.stringify([session, reply['invocation_id']]);
      const total = (runs.get(place) ?? 0) + calls;
      runs.set(place, total);
      strictEqual(total, status === 'not_found' ? 0 : 1, `${total} runs of ${place}`);
    } else {
      strictEqual(calls, 1);
    }
    if (typeof bucket !== 'string' || typeof key !== 'string') return;
    const text = await store.get({ bucket, key });
    ok(text !== undefined, 'no document');
    const document = JSON.parse(text) as Record<string, unknown>;
    strictEqual(document['result_key'], key);
    strictEqual(document['status_code'], 200);
  });
  return { app, property };
}
