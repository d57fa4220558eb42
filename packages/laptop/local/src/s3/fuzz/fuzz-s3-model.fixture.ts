import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { compareKeys } from '@art/store';
import fc from 'fast-check';
import type { ObjectBackend } from '../backend/object-backend.ts';
import { MemoryObjectBackend } from '../backend/memory-object-backend.ts';
import { makeTestDirectory, startTestEndpoint } from '../s3-endpoint.fixture.ts';
import type { FuzzTarget } from '@art/tooling/fuzz';

const key = fc.oneof(
  fc.constantFrom(
    'a',
    'a/b',
    'a/b.json',
    'A',
    'ä',
    'a b',
    'a+b',
    'a%20b',
    '..a',
    'con',
    'x'.repeat(300),
    '😀',
    '\u{fffd}',
  ),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
  fc.constantFrom('.', '..', 'a//b', '/a', 'a/', 'a/../b', './a'),
);
const body = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));
const step = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), key, body, ifAbsent: fc.boolean() }),
  fc.record({ kind: fc.constant('get' as const), key }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({
    kind: fc.constant('list' as const),
    prefix: fc.constantFrom('', 'a', 'a/', 'ä'),
    after: fc.option(key),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Requests that are right, with odd keys: what S3 would answer is known, and every answer has to be that. */
function modelTarget(name: string, share: number, open: () => Promise<OpenBackend>): FuzzTarget {
  return {
    name,
    share,
    run: async (options) => {
      const { backend, close } = await open();
      const endpoint = await startTestEndpoint({ backend });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const send = sender(endpoint.port, agent);
      const stored = new Map<string, Buffer>();
      try {
        await fc.assert(
          fc.asyncProperty(step, (asked) => judge(asked, stored, send)),
          // What is stored is part of a case, so a shorter one would be another.
          { ...options, endOnFailure: true },
        );
      } finally {
        agent.destroy();
        await endpoint.close();
        await close();
      }
    },
  };
}

interface OpenBackend {
  backend: ObjectBackend;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: Buffer;
}
type Send = (
  method: string,
  path: string,
  sent?: Buffer,
  headers?: Record<string, string>,
) => Promise<Answer>;

function sender(port: number, agent: Agent): Send {
  return async (method, path, sent, headers = {}) => {
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers });
    outgoing.end(sent);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: incoming.statusCode ?? 0, body: await buffer(incoming) };
  };
}

async function judge(asked: Step, stored: Map<string, Buffer>, send: Send): Promise<void> {
  if (asked.kind === 'list') return judgeList(asked, stored, send);
  const path = `/bucket/${encodeURIComponent(asked.key)}`;
  switch (asked.kind) {
    case 'put': {
      const wins = !asked.ifAbsent || !stored.has(asked.key);
      const answer = await send('PUT', path, asked.body, {
        'content-length': String(asked.body.length),
        ...(asked.ifAbsent ? { 'if-none-match': '*' } : {}),
      });
      assert.equal(answer.status, wins ? 200 : 412, answer.body.toString());
      if (wins) stored.set(asked.key, asked.body);
      return;
    }
    case 'get': {
      const answer = await send('GET', path);
      const expected = stored.get(asked.key);
      assert.equal(answer.status, expected === undefined ? 404 : 200);
      if (expected !== undefined) assert.deepEqual(answer.body, expected);
      return;
    }
    case 'delete': {
      const answer = await send('DELETE', path);
      assert.equal(answer.status, 204);
      stored.delete(asked.key);
    }
  }
}

async function judgeList(
  { prefix, after }: Extract<Step, { kind: 'list' }>,
  stored: Map<string, Buffer>,
  send: Send,
): Promise<void> {
  const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix });
  if (after !== null) query.set('start-after', after);
  const answer = await send('GET', `/bucket?${query.toString()}`);
  assert.equal(answer.status, 200);
  const keys = [...answer.body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) =>
    decodeURIComponent(match[1] ?? ''),
  );
  const expected = [...stored.keys()]
    .filter((one) => one.startsWith(prefix) && (after === null || compareKeys(one, after) > 0))
    .toSorted(compareKeys);
  assert.deepEqual(keys, expected.slice(0, 1_000));
}

export const s3Memory = modelTarget('S3 endpoint in memory, against a model', 0.2, async () => ({
  backend: new MemoryObjectBackend(),
  close: async () => {},
}));

export const s3Files = modelTarget('S3 endpoint over files, against a model', 0.05, async () => {
  const directory = await makeTestDirectory();
  return {
    backend: directory.backend,
    close: () => directory.remove(),
  };
});
