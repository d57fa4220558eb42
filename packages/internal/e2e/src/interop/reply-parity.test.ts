import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPythonMissing, pythonExecutable } from './provided-python.fixture.ts';
import { startTwinAgents, type Twin, type TwinAgents } from './twin-agents.fixture.ts';

/** Replies that the Python toolkit's own tests expect, held against both apps. */
interface ExpectedReply {
  body: string;
  status: number;
  /** The reply's whole content. */
  reply?: Record<string, unknown>;
  /** Part of the reply's `error`. */
  error?: RegExp;
}

const target = { exp_id: 'replies', input_id: 'i', s3_bucket: 'reply-bucket' };
const request = (rollout?: unknown, more = {}): string =>
  JSON.stringify({
    do: 'return',
    value: { rewards: [1] },
    ...more,
    ...(rollout !== undefined && { _rollout: rollout }),
  });
const without = (field: keyof typeof target): string => {
  const { [field]: _, ...rest } = target;
  return request(rest);
};
const accepted = (key: string): Record<string, unknown> => ({
  status: 'processing',
  s3_bucket: target.s3_bucket,
  result_key: key,
});

const expectations = (sessionId: string): Record<string, ExpectedReply> => ({
  'a rollout is told where its result will be': {
    body: request(target),
    status: 200,
    reply: accepted(`replies/i/${sessionId}.json`),
  },
  'slashes, blanks and scripts in ids go into the key as they are': {
    body: request({ ...target, exp_id: 'run 1/step-2', input_id: 'é&+%/7' }),
    status: 200,
    reply: accepted(`run 1/step-2/é&+%/7/${sessionId}.json`),
  },
  'an integer id is one': {
    body: request({ ...target, input_id: 17 }),
    status: 200,
    reply: accepted(`replies/17/${sessionId}.json`),
  },
  'fields that nobody knows pass': {
    body: request({ ...target, temperature: 0.7, sampling_params: { top_p: 1 }, future: null }),
    status: 200,
    reply: accepted(`replies/i/${sessionId}.json`),
  },
  'no _rollout: nothing but the status': { body: request(), status: 200, reply: { status: 'processing' } },
  'an empty _rollout: nothing but the status': {
    body: request({}),
    status: 200,
    reply: { status: 'processing' },
  },
  'a _rollout with a model only: nothing but the status': {
    body: request({ base_url: 'http://localhost:8000/v1', model_id: 'my-model' }),
    status: 200,
    reply: { status: 'processing' },
  },
  'exp_id missing': {
    body: without('exp_id'),
    status: 500,
    error: /^Missing required rollout config field: 'exp_id'/,
  },
  'input_id missing': {
    body: without('input_id'),
    status: 500,
    error: /^Missing required rollout config field: 'input_id'/,
  },
  's3_bucket missing': {
    body: without('s3_bucket'),
    status: 500,
    error: /^Missing required rollout config field: 's3_bucket'/,
  },
  'no JSON': { body: '{"do":', status: 400, error: /^Invalid JSON$/ },
});

let twins: TwinAgents;

describe.skipIf(isPythonMissing)('replies of both apps to the same request', () => {
  beforeAll(async () => {
    twins = await startTwinAgents(pythonExecutable);
  });
  afterAll(async () => {
    await twins[Symbol.asyncDispose]();
  });

  it.each(Object.keys(expectations('')))('%s', async (name) => {
    const { body, status, reply, error } = expectations(twins.sessionId)[name]!;
    const expected = {
      status,
      content: reply ?? expect.objectContaining({ error: expect.stringMatching(error!) }),
    };
    expect(await toBoth(body)).toEqual({ python: expected, typescript: expected });
  });

  it.each([
    ['rewards only', { rewards: [1] }],
    ['fields of its own', { metrics: { accuracy: 0.95 }, summary: 'All passed' }],
    ['rollout data and rewards', { rollout_data: [{ tokens: [10, 20, 30] }], rewards: [1, 0.5] }],
  ])('a document keeps what the handler returned and adds the reserved fields: %s', async (name, value) => {
    const rollout = { ...target, input_id: name };
    const key = `replies/${name}/${twins.sessionId}.json`;
    const payload = { do: 'return', value, _rollout: rollout };
    for (const twin of ['python', 'typescript'] as const) {
      const s3_bucket = `reply-${twin}`;
      const sent = { ...payload, _rollout: { ...rollout, s3_bucket } };
      await twins.send(twin, JSON.stringify(sent));
      expect(JSON.parse(await twins.stored(s3_bucket, key))).toEqual({
        ...value,
        status_code: 200,
        stop_reason: 'end_turn',
        input_id: name,
        s3_bucket,
        result_key: key,
        payload: sent,
      });
    }
  });
});

async function toBoth(body: string): Promise<Record<Twin, { status: number; content: unknown }>> {
  const send = async (twin: Twin): Promise<{ status: number; content: unknown }> => {
    const reply = await twins.send(twin, body);
    return { status: reply.status, content: JSON.parse(reply.body) };
  };
  return { python: await send('python'), typescript: await send('typescript') };
}
