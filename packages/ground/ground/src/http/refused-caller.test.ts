import { describe, expect, it } from 'vitest';
import { type CallerRules, refusedCaller } from './refused-caller.ts';

type Headers = Record<string, string>;

function reasonOf(headers: Headers, rules: Partial<CallerRules> = {}, method = 'GET'): string | undefined {
  return refusedCaller({ method, headers }, { host: '127.0.0.1', ...rules })?.reason;
}

describe('a server on loopback', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1:9090',
    '127.8.9.10:1',
    'localhost:9090',
    'LOCALHOST',
    'localhost.:80',
    'app.localhost:3000',
    '[::1]:9090',
    '[::1]',
    '[::ffff:127.0.0.1]:9090',
    '[::ffff:7f00:1]',
    'host.docker.internal:9090',
  ])('is called %s', (host) => {
    expect(reasonOf({ host })).toBeUndefined();
  });

  it.each([
    'evil.example',
    'evil.example:9090',
    '127.0.0.1.evil.example:9090',
    '127.0.0.1.nip.io',
    'localhost.evil.example',
    'evil-localhost',
    'localhost@evil.example',
    'localhost:80@evil.example',
    '127.0.0.1, evil.example',
    'localhost/evil.example',
    '0.0.0.0:9090',
    '[::]:9090',
    '10.0.0.5:9090',
    '[2001:db8::1]:9090',
    '[::ffff:10.0.0.5]',
    'host.docker.internal.evil.example',
    ' ',
    '',
  ])('is not called "%s"', (host) => {
    expect(reasonOf({ host })).toBe('host');
    expect(reasonOf({ host }, { host: '::1' })).toBe('host');
    expect(reasonOf({ host }, { host: 'localhost' })).toBe('host');
  });

  it('takes a request without a Host header, which no browser sends', () => {
    expect(reasonOf({})).toBeUndefined();
  });

  it('has other names once they are listed, whatever their case, and all with *', () => {
    const allowedHosts = ['Tunnel.example', '10.0.0.5', '2001:db8::1'];
    for (const host of ['tunnel.example', 'tunnel.EXAMPLE:443', '10.0.0.5:1', '[2001:db8::1]:1', 'localhost'])
      expect(reasonOf({ host }, { allowedHosts })).toBeUndefined();
    for (const host of ['evil.example', 'a.tunnel.example', '10.0.0.6'])
      expect(reasonOf({ host }, { allowedHosts })).toBe('host');
    expect(reasonOf({ host: 'evil.example' }, { allowedHosts: ['*'] })).toBeUndefined();
  });
});

describe('a server that the network reaches', () => {
  it.each(['0.0.0.0', '::', '10.0.0.5', 'trainer.internal'])('at %s has any name', (host) => {
    expect(reasonOf({ host: 'gateway.example:9090' }, { host })).toBeUndefined();
  });

  it('has the names that are listed, those of loopback, and addresses, which health checks use', () => {
    const rules = { host: '0.0.0.0', allowedHosts: ['gateway.example'] };
    for (const host of ['gateway.example:9090', '10.1.2.3:9090', '[2001:db8::1]:9090', 'localhost:9090'])
      expect(reasonOf({ host }, rules)).toBeUndefined();
    for (const host of ['evil.example', '10.1.2.3.nip.io']) expect(reasonOf({ host }, rules)).toBe('host');
  });
});

const page: Headers = { host: '127.0.0.1:9090' };
const readByPages: Headers[] = [
  { origin: 'http://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'something-new' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
];

describe('web pages', () => {
  it.each([...readByPages, { origin: 'http://127.0.0.1:9090' }, { 'sec-fetch-site': 'same-origin' }])(
    'are refused where none is served: %j',
    (headers) => {
      for (const host of ['127.0.0.1', '0.0.0.0'])
        for (const method of ['GET', 'POST'])
          expect(reasonOf({ ...page, ...headers }, { host }, method)).toBe('web_page');
    },
  );

  it.each(readByPages)('of others are refused where own ones are served: %j', (headers) => {
    expect(reasonOf({ ...page, ...headers }, { pages: 'own' })).toBe('web_page');
  });

  it('of the server itself may ask it, and be opened from elsewhere', () => {
    const opened = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: 'http://127.0.0.1:9090' }, opened])
      expect(reasonOf({ ...page, ...headers }, { pages: 'own' })).toBeUndefined();
    expect(reasonOf({ ...page, ...opened }, { pages: 'own' }, 'POST')).toBe('web_page');
  });

  it('of this machine may ask where a developer writes one', () => {
    const rules = { pages: 'loopback' } as const;
    expect(
      reasonOf({ ...page, origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }, rules),
    ).toBe(undefined);
    for (const headers of readByPages) expect(reasonOf({ ...page, ...headers }, rules)).toBe('web_page');
  });

  it('are none: an address that a person typed, and what programs send', () => {
    for (const headers of [{ 'sec-fetch-site': 'none' }, { 'sec-fetch-mode': 'cors' }, {}])
      expect(reasonOf({ ...page, ...(headers as Headers) })).toBeUndefined();
  });
});
