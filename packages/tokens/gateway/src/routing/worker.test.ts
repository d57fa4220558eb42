import { describe, expect, it } from 'vitest';
import { resolveWorkerUrl } from './worker.ts';

describe('resolveWorkerUrl', () => {
  it.each<[string, string | undefined, string, string]>([
    ['http://localhost:4000/v1', undefined, 'http://localhost:4000', '/v1'],
    ['http://localhost:4000', undefined, 'http://localhost:4000', '/v1'],
    ['http://localhost:4000/api/v2', undefined, 'http://localhost:4000', '/api/v2'],
    ['http://localhost:4000/v1/', undefined, 'http://localhost:4000', '/v1'],
    ['http://localhost:4000', '/v2', 'http://localhost:4000', '/v2'],
    ['http://localhost:4000/v1', '/v1', 'http://localhost:4000', '/v1'],
    ['http://localhost:4000/proxy/v1', '/v1', 'http://localhost:4000/proxy', '/v1'],
    ['http://localhost:4000/proxy', '/v1', 'http://localhost:4000/proxy', '/v1'],
    ['http://localhost:4000', '', 'http://localhost:4000', ''],
    ['https://[::1]:8443/v1', undefined, 'https://[::1]:8443', '/v1'],
  ])('splits %s with path %s', (raw, path, url, apiPath) => {
    expect(resolveWorkerUrl(raw, path)).toEqual({ url, apiPath });
  });

  it.each<[unknown, unknown]>([
    ['not a url', undefined],
    ['ftp://host', undefined],
    ['http://host?x=1', undefined],
    [7, undefined],
    ['http://host', 7],
  ])('refuses %s with path %s', (raw, path) => {
    expect(() => resolveWorkerUrl(raw, path)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION' }),
    );
  });
});
