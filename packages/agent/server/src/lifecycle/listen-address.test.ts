import { describe, expect, it } from 'vitest';
import { listenAddress, listenFailure } from './listen-address.ts';

describe('listenAddress', () => {
  it('is what AgentCore asks for, unless PORT, ART_HOST or the options say otherwise', () => {
    expect(listenAddress({}, {})).toEqual({ port: 8080, host: '0.0.0.0' });
    expect(listenAddress({}, { PORT: '' })).toEqual({ port: 8080, host: '0.0.0.0' });
    expect(listenAddress({}, { ART_HOST: '127.0.0.1' })).toEqual({ port: 8080, host: '127.0.0.1' });
    expect(listenAddress({ host: '::1' }, { ART_HOST: '127.0.0.1' })).toMatchObject({ host: '::1' });
    expect(listenAddress({}, { ART_HOST: '' })).toMatchObject({ host: '0.0.0.0' });
    expect(listenAddress({}, { PORT: '9001' })).toEqual({ port: 9001, host: '0.0.0.0' });
    expect(listenAddress({ port: 0, host: '::1' }, { PORT: '9001' })).toEqual({ port: 0, host: '::1' });
  });

  it.each(['http', '-1', '80.5', '65536', ' 80', '0x50'])('refuses PORT=%s', (PORT) => {
    expect(() => listenAddress({}, { PORT })).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(`\`PORT\` to be an integer from 0 to 65535, got "${PORT}"`),
      }),
    );
  });

  it.each([-1, 1.5, 65_536, Number.NaN, '80' as never])('refuses port %s', (port) => {
    expect(() => listenAddress({ port }, {})).toThrow(/Expected `port` to be an integer/);
  });

  it('refuses an empty host', () => {
    expect(() => listenAddress({ host: '' }, {})).toThrow(/Expected `host`/);
  });
});

describe('listenFailure', () => {
  it.each([
    [
      'EADDRINUSE',
      'ART_PORT_TAKEN',
      /^Port 80 of 0\.0\.0\.0 is taken by another program\. Stop that, or choose/,
    ],
    ['EACCES', 'ART_INVALID_OPTION', /may not listen at port 80 .* Choose another port/],
    ['EADDRNOTAVAIL', 'ART_INVALID_OPTION', /address of this machine/],
  ])('says what to do about %s', (code, artCode, message) => {
    const cause = Object.assign(new Error('listen'), { code });
    const failure = listenFailure(cause, { port: 80, host: '0.0.0.0' });
    expect(failure).toMatchObject({
      code: artCode,
      cause,
      message: expect.stringMatching(message) as string,
    });
    expect((failure as Error).message).not.toContain('\n');
  });

  it('leaves alone what it does not know', () => {
    const error = new Error('else');
    expect(listenFailure(error, { port: 80, host: '0.0.0.0' })).toBe(error);
  });
});
