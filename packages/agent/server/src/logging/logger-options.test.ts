import { describe, expect, it } from 'vitest';
import { invocation, lineCollector, sessionId, testApp } from '../test-app.fixture.ts';
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';

describe('log lines', () => {
  it('have the fields of the Python SDK, and name session and request', async () => {
    const { app, lines } = testApp({
      invocationHandler: {
        process: (_request, { log }) => {
          log.info({ turn: 1 }, 'hello');
          log.warn('careful');
          log.error(new RangeError('too far', { cause: new Error('the map') }));
        },
      },
    });
    await app.inject(
      invocation({}, { 'x-amzn-bedrock-agentcore-runtime-session-id': sessionId, 'x-amzn-requestid': 'r1' }),
    );
    const stamped = { sessionId, requestId: 'r1', logger: 'art.server' };
    const find = (message: string): unknown => lines.find((line) => line['message'] === message);
    expect(find('hello')).toEqual({
      ...stamped,
      level: 'INFO',
      message: 'hello',
      turn: 1,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    expect(find('careful')).toMatchObject({ ...stamped, level: 'WARNING' });
    expect(find('too far')).toMatchObject({
      ...stamped,
      level: 'ERROR',
      errorType: 'RangeError',
      errorMessage: 'too far',
      errorCause: 'the map',
      stackTrace: expect.arrayContaining(['RangeError: too far']) as string[],
    });
    expect(find('too far')).not.toHaveProperty('err');
    expect(find('request completed')).toMatchObject(stamped);
    await app.close();
  });

  it('name the session that was made up for a request without one', async () => {
    const { app, lines } = testApp({
      invocationHandler: {
        process: (_request, context) => {
          context.log.info('hello');
          return context.sessionId;
        },
      },
    });
    const answer = await app.inject(invocation({}, {}));
    expect(lines.find((line) => line['message'] === 'hello')).toHaveProperty('sessionId', answer.json());
    await app.close();
  });

  it('can be turned off, turned up, and kept to what the handler writes', async () => {
    const { lines, stream } = lineCollector();
    const make = (logging: object): AgentCoreRLApp =>
      new AgentCoreRLApp({
        invocationHandler: { process: (_request, { log }) => log.debug('detail') },
        config: { logging: { options: { stream }, ...logging } },
      });
    const messages = async (logging: object): Promise<unknown[]> => {
      lines.length = 0;
      const app = make(logging);
      await app.inject(invocation({}));
      await app.close();
      return lines.map((line) => line['message']);
    };
    expect(await messages({ enabled: false })).toEqual([]);
    expect(await messages({ level: 'warn' })).toEqual([]);
    expect(await messages({ level: 'debug' })).toEqual(['incoming request', 'detail', 'request completed']);
    expect(await messages({ level: 'debug', disableRequestLogging: true })).toEqual(['detail']);
    expect(
      await messages({ options: { stream, level: 'debug' }, disableRequestLogging: () => true }),
    ).toEqual(['detail']);
  });
});
