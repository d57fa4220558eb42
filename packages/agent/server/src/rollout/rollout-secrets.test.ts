import { afterEach, describe, expect, it, vi } from 'vitest';
import { StoreError } from '@art/store';
import { invocation, resultKey, sessionHeader, target, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

const key = 'sk-planted"0123456789';
const spelled = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];

/** Everything that was stored or logged, byte for byte. */
async function everything(): Promise<string> {
  const stored = (await made.store.get({ bucket: 'results', key: resultKey })) ?? '';
  return `${stored}\n${made.lines.map((line) => JSON.stringify(line)).join('\n')}`;
}

async function expectNoSecret(): Promise<void> {
  const text = await everything();
  // Lines are JSON inside of JSON here, so a level of escapes is taken off, too.
  for (const version of [text, text.replaceAll('\\\\', '\\'), text.replaceAll('\\"', '"')]) {
    for (const spelling of spelled) expect(version).not.toContain(spelling);
  }
}

async function run(
  process: (request: Record<string, unknown>) => unknown,
  config: object = {},
): Promise<void> {
  made = testApp({ rolloutHandler: { process: process as () => object } });
  const payload = { prompt: `the key is ${key}`, _rollout: { ...target, api_key: key, ...config } };
  expect((await made.app.inject(invocation(payload))).statusCode).toBe(200);
  await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));
}

describe('a secret of _rollout', () => {
  it('reaches the handler, and neither the document nor the log', async () => {
    let seen: unknown;
    await run((request) => {
      seen = request['_rollout'];
      return { rewards: 1 };
    });
    expect(seen).toEqual({ ...target, api_key: key });
    expect(await made.stored(resultKey)).toMatchObject({
      rewards: 1,
      payload: { prompt: 'the key is [redacted]', _rollout: { ...target, api_key: '[redacted]' } },
    });
    await expectNoSecret();
  });

  it('is taken out of an error that the handler throws, its cause and its stack', async () => {
    await run(() => {
      const url = `https://host/?api_key=${encodeURIComponent(key)}`;
      throw new Error(`Incorrect API key provided: ${key} (${url})`, {
        cause: new Error(`{"headers":${JSON.stringify({ authorization: `Bearer ${key}` })}}`),
      });
    });
    const document = await made.stored(resultKey);
    expect(document).toMatchObject({
      status_code: 500,
      stop_reason: 'Incorrect API key provided: [redacted] (https://host/?api_key=[redacted])',
    });
    expect(made.lines).toContainEqual(
      expect.objectContaining({ errorMessage: expect.stringContaining('[redacted]') as string }),
    );
    await expectNoSecret();
  });

  it('is taken out of what the handler returns, names included', async () => {
    await run(() => ({
      rewards: 1,
      [key]: { [key]: [key, { deep: `x${key}y` }] },
      json: JSON.stringify({ key }),
    }));
    expect(await made.stored(resultKey)).toMatchObject({
      rewards: 1,
      '[redacted]': { '[redacted]': ['[redacted]', { deep: 'x[redacted]y' }] },
      json: '{"key":"[redacted]"}',
    });
    await expectNoSecret();
  });

  it('is taken out of the lines that the handler writes', async () => {
    made = testApp({
      rolloutHandler: {
        process: (_request, { log }) => {
          log.info({ key, nested: { list: [key] } }, `using ${key}`);
          log.child({ bound: key }).warn('%s in a format', key);
          return { rewards: 1 };
        },
      },
    });
    await made.app.inject(invocation({ _rollout: { ...target, api_key: key } }));
    await vi.waitFor(async () => expect(await made.stored(resultKey)).toBeDefined());
    expect(made.lines).toContainEqual(
      expect.objectContaining({
        message: 'using [redacted]',
        key: '[redacted]',
        nested: { list: ['[redacted]'] },
      }),
    );
    expect(made.lines).toContainEqual(
      expect.objectContaining({ message: '[redacted] in a format', bound: '[redacted]' }),
    );
    await expectNoSecret();
  });

  it('is taken out of the line that has the document which could not be stored', async () => {
    made = testApp({
      unsavedHoldMs: 0,
      rolloutHandler: { process: () => ({ rewards: 1, text: key }) },
    });
    vi.spyOn(made.store, 'put').mockRejectedValue(
      new StoreError({
        operation: 'put',
        bucket: 'results',
        key: resultKey,
        message: 'full',
        retryable: false,
      }),
    );
    await made.app.inject(invocation({ _rollout: { ...target, api_key: key } }));
    await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));
    const line = made.lines.find((candidate) => typeof candidate['document'] === 'string');
    expect(JSON.parse(String(line?.['document']))).toMatchObject({ rewards: 1, text: '[redacted]' });
    await expectNoSecret();
  });

  it.each([
    ['a config that is refused', { _rollout: { ...target, exp_id: `../${key}`, api_key: key } }],
    ['a payload that is refused', { [key]: 1, _rollout: { ...target, token: key } }],
  ])('is not logged with %s', async (_name, payload) => {
    made = testApp({
      rolloutHandler: {
        process: () => ({}),
        requestSchema: { type: 'object', additionalProperties: false, properties: {} } as never,
      },
    });
    expect((await made.app.inject(invocation(payload))).statusCode).toBe(400);
    expect(made.lines.some((line) => String(line['message']).startsWith('Answered 400'))).toBe(true);
    await expectNoSecret();
  });

  it('is not logged with a body that is no JSON', async () => {
    made = testApp({ rolloutHandler: { process: () => ({}) } });
    const payload = `{"_rollout":{"api_key":"sk-planted-0123"`;
    await made.app.inject({ method: 'POST', url: '/invocations', headers: sessionHeader, payload });
    expect(await everything()).toContain('Invalid JSON');
    expect(await everything()).not.toContain('sk-planted');
  });

  it('is found by the names that the user adds, and in the headers of the request', async () => {
    made = testApp({
      redact: { names: ['wandb_run'] },
      rolloutHandler: {
        process: (request, { headers }) => ({ rewards: 1, run: request['_rollout'], headers }),
      },
    });
    const headers = { ...sessionHeader, authorization: 'Bearer header-token-1', 'x-plain': 'plain-value' };
    await made.app.inject(invocation({ _rollout: { ...target, wandbRun: 'run-12345' } }, headers));
    await vi.waitFor(async () => expect(await made.stored(resultKey)).toBeDefined());
    const text = await everything();
    expect(text).not.toContain('run-12345');
    expect(text).not.toContain('header-token-1');
    expect(text).toContain('plain-value');
  });
});
