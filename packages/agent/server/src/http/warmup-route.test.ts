import { afterEach, describe, expect, it, vi } from 'vitest';
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';
import { testApp } from '../test-app.fixture.ts';

afterEach(() => void vi.unstubAllEnvs());

describe('the warm-up', () => {
  it('runs the handler and answers 204', async () => {
    const warmupHandler = vi.fn();
    const { app } = testApp({ warmupHandler });
    const reply = await app.inject({ method: 'POST', url: '/warmup' });
    expect([reply.statusCode, reply.body]).toEqual([204, '']);
    expect(warmupHandler).toHaveBeenCalledExactlyOnceWith();
  });

  it('answers 500 with the reason when it fails, so that the runtime is not created', async () => {
    const { app, lines } = testApp();
    app.warmup(async () => Promise.reject(new Error('no template')));
    const reply = await app.inject({ method: 'POST', url: '/warmup' });
    expect(reply.statusCode).toBe(500);
    expect(reply.json()).toEqual({ error: 'The warm-up failed: no template' });
    expect(lines).toContainEqual(expect.objectContaining({ message: 'The warm-up failed' }));
  });

  it('is not there without a handler, and takes one only', async () => {
    const { app } = testApp();
    expect((await app.inject({ method: 'POST', url: '/warmup' })).statusCode).toBe(404);
    const second = testApp({ warmupHandler: () => undefined });
    expect(() => second.app.warmup(() => undefined)).toThrow(
      'Expected one warm-up handler, got a second one',
    );
  });
});

describe('the path of invocations', () => {
  const invocationHandler = { process: () => ({ text: 'here' }) };
  const answers = async (app: AgentCoreRLApp, url: string) =>
    (await app.inject({ method: 'POST', url, payload: {} })).statusCode;

  it('is that of the option or of the environment, besides the usual one', async () => {
    const { app } = testApp({ invocationHandler, invocationPath: '/api/agent.v1' });
    expect([await answers(app, '/api/agent.v1'), await answers(app, '/invocations')]).toEqual([200, 200]);
    vi.stubEnv('ART_INVOCATION_PATH', '/run');
    const other = testApp({ invocationHandler });
    expect([await answers(other.app, '/run'), await answers(other.app, '/api/agent.v1')]).toEqual([200, 404]);
  });

  it.each(['run', '/ping', '/warmup', '/ws', '/a b', `/${'x'.repeat(2_048)}`])('cannot be %s', (path) => {
    const refusal = expect.objectContaining({ code: 'ART_INVALID_OPTION' }) as Error;
    expect(() => new AgentCoreRLApp({ invocationPath: path })).toThrow(refusal);
    vi.stubEnv('ART_INVOCATION_PATH', path);
    expect(() => new AgentCoreRLApp()).toThrow(/Expected `ART_INVOCATION_PATH` to be a path/);
  });
});
