import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionEnvironment } from './session-environment.ts';

const aws = { s3Endpoint: 'http://127.0.0.1:1', givesWay: false, region: 'eu-west-1' };
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
  vi.stubEnv('HOME', home);
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

describe('sessionEnvironment', () => {
  it('puts the agent over this process and the port over both', () => {
    vi.stubEnv('A', 'process');
    vi.stubEnv('B', 'process');
    const env = sessionEnvironment({ B: 'agent', PORT: '1' }, 12_345, aws);
    expect(env).toMatchObject({ A: 'process', B: 'agent', PORT: '12345' });
  });

  it('has agents listen on loopback, whatever the shell says, unless their own variables say otherwise', () => {
    vi.stubEnv('ART_HOST', '0.0.0.0');
    expect(sessionEnvironment({}, 1, aws)['ART_HOST']).toBe('127.0.0.1');
    expect(sessionEnvironment({ ART_HOST: '0.0.0.0' }, 1, aws)['ART_HOST']).toBe('0.0.0.0');
  });

  it('keeps what Node compiles in the cache of the user, or where that is said to be', () => {
    vi.stubEnv('NODE_COMPILE_CACHE', undefined);
    vi.stubEnv('XDG_CACHE_HOME', undefined);
    const folder = (env: Record<string, string>): string | undefined =>
      sessionEnvironment(env, 1, aws)['NODE_COMPILE_CACHE'];
    expect(folder({})).toBe(join(home, '.cache/art/compiled'));
    expect(folder({ XDG_CACHE_HOME: '/caches' })).toBe('/caches/art/compiled');
    expect(folder({ NODE_COMPILE_CACHE: '/mine' })).toBe('/mine');
  });

  it('leads S3 clients to the local endpoint with keys that open nothing', () => {
    expect(sessionEnvironment({}, 1, aws)).toMatchObject({
      AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1',
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
  });

  it('gives SDKs that read AWS_REGION only the region that was chosen by its older name', () => {
    expect(sessionEnvironment({ AWS_DEFAULT_REGION: 'eu-west-3' }, 1, aws)['AWS_REGION']).toBe('eu-west-3');
    expect(sessionEnvironment({ AWS_REGION: 'x', AWS_DEFAULT_REGION: 'y' }, 1, aws)['AWS_REGION']).toBe('x');
  });

  it.each(['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3'])('leaves %s as it is', (name) => {
    const env = sessionEnvironment({ [name]: 'http://mine' }, 1, aws);
    expect(Object.keys(env).filter((key) => key.startsWith('AWS_'))).toEqual([name]);
  });

  it.each(['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3'])(
    'leads S3 clients there, whatever %s of the shell says',
    (name) => {
      vi.stubEnv(name, 'http://127.0.0.1:8787');
      expect(sessionEnvironment({}, 1, aws)['AWS_ENDPOINT_URL_S3']).toBe('http://127.0.0.1:1');
      expect(sessionEnvironment({}, 1, { ...aws, s3Endpoint: undefined })[name]).toBe(
        'http://127.0.0.1:8787',
      );
    },
  );

  it.each(['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3'])(
    'leaves %s of the shell where it gives way',
    (name) => {
      vi.stubEnv(name, 'http://mine');
      const env = sessionEnvironment({}, 1, { ...aws, givesWay: true });
      expect(Object.keys(env).filter((key) => key.startsWith('AWS_'))).toEqual([name]);
    },
  );

  it('adds nothing without an S3 endpoint', () => {
    const env = sessionEnvironment({}, 1, { ...aws, s3Endpoint: undefined });
    expect(Object.keys(env).filter((key) => key.startsWith('AWS_'))).toEqual([]);
  });

  it('never hides real credentials', () => {
    mkdirSync(join(home, '.aws'));
    writeFileSync(join(home, '.aws/config'), '[default]\nregion = x\n[profile work]\nsso_session = y\n');
    const work = sessionEnvironment({ AWS_PROFILE: 'work' }, 1, aws);
    expect(work).toMatchObject({ AWS_PROFILE: 'work' });
    expect(work['AWS_ACCESS_KEY_ID']).toBeUndefined();
    // A region alone is no credential.
    expect(sessionEnvironment({}, 1, aws)['AWS_ACCESS_KEY_ID']).toBe('local');
  });

  it.each([
    [{ AWS_REGION: '', AWS_PROFILE: '' }],
    [{ AWS_PROFILE: 'gone' }],
    [{ AWS_ACCESS_KEY_ID: 'half' }],
    [{ AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' }],
    [{ AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }],
  ])('leads S3 clients to the local endpoint in a shell with %j', (shell) => {
    for (const [name, value] of Object.entries(shell)) vi.stubEnv(name, value);
    const env = sessionEnvironment({}, 1, aws);
    expect(env).toMatchObject({
      AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1',
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
    for (const name of Object.keys(shell).filter((key) => shell[key as never] === 'true'))
      expect(env[name]).toBe('false');
    expect(env['AWS_PROFILE']).toBeUndefined();
  });

  it('keeps calls on this machine from a proxy', () => {
    vi.stubEnv('HTTP_PROXY', 'http://proxy');
    vi.stubEnv('NO_PROXY', '');
    expect(sessionEnvironment({}, 1, aws)['NO_PROXY']).toContain('127.0.0.1');
  });
});
