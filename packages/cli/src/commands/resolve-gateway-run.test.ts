import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { createPaint } from '../terminal/paint.ts';
import { formatGatewayEvent } from '../gateway/gateway-event.ts';
import { reachableUrl } from './gateway.ts';
import { resolveGatewayRun } from './gateway.ts';

function refuse(key: string): void {
  throw new Error(`${key} is passed over`);
}

describe('resolveGatewayRun', () => {
  it('is quiet by default, and lets file, environment and flags win in this order', async () => {
    const cwd = await temporaryFolder();
    expect(resolveGatewayRun({}, { cwd, env: {} }, refuse)).toEqual({
      processes: 1,
      options: { store: {}, logLevel: 'error' },
    });
    await writeFile(
      join(cwd, 'g.yaml'),
      'port: 1\nhost: file\nlog_level: DEBUG\nauth: { session_keys: true }\n',
    );
    const env = { RLLM_GATEWAY_PORT: '2', RLLM_GATEWAY_HOST: 'env' };
    expect(
      resolveGatewayRun(
        { config: 'g.yaml', port: 3, dbPath: 'traces', adminToken: 't' },
        { cwd, env },
        refuse,
      ),
    ).toMatchObject({
      options: {
        port: 3,
        host: 'env',
        logLevel: 'debug',
        auth: { adminToken: 't', sessionKeys: true },
        store: { directory: join(cwd, 'traces') },
      },
    });
  });

  it('takes the admin token from the environment, where others cannot see it', async () => {
    const { options } = resolveGatewayRun(
      { sessionKeys: true },
      { cwd: '/', env: { ART_GATEWAY_ADMIN_TOKEN: 's' } },
      refuse,
    );
    expect(options.auth).toEqual({ adminToken: 's', sessionKeys: true });
  });

  it('refuses a file that is not there, and what is misspelt', async () => {
    const cwd = await temporaryFolder();
    const refusal = { code: 'ART_INVALID_OPTION' };
    expect(() => resolveGatewayRun({ config: 'none.yaml' }, { cwd, env: {} }, refuse)).toThrow(
      expect.objectContaining(refusal),
    );
    await writeFile(join(cwd, 'g.yaml'), 'ports: 1\n');
    expect(() => resolveGatewayRun({ config: 'g.yaml' }, { cwd, env: {} }, refuse)).toThrow(
      expect.objectContaining(refusal),
    );
  });

  it('tells what it passes over', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'g.yaml'), 'port: 4\nnobody_knows: 1\n');
    const keys: string[] = [];
    const resolved = resolveGatewayRun({ config: 'g.yaml' }, { cwd, env: {} }, (key) => void keys.push(key));
    expect(resolved.options).toMatchObject({ port: 4 });
    expect(keys).toEqual(['nobody_knows']);
  });
});

describe('formatGatewayEvent', () => {
  const paint = createPaint({ write: () => undefined }, {});

  it('shows what to point agents and trainers at', () => {
    const text = formatGatewayEvent(
      { event: 'ready', url: 'http://h:1', traces: 'in memory', workers: 2, control: 'open' },
      paint,
    );
    expect(text).toContain('Gateway at http://h:1\n');
    expect(text).toContain('http://h:1/sessions/{id}/v1');
    expect(text).toContain('(2 now)');
    expect(text).toContain('no token is asked for');
  });

  it.each([
    [{ change: 'added', healthy: true, flavour: 'vllm' }, 'worker http://w (vllm) added, up\n'],
    [{ change: 'added', healthy: false, flavour: null }, 'worker http://w added, not answering yet\n'],
    [{ change: 'down', healthy: false, flavour: null }, 'worker http://w down\n'],
    [{ change: 'removed', healthy: true, flavour: null }, 'worker http://w removed\n'],
  ] as const)('%o', (change, line) => {
    expect(formatGatewayEvent({ event: 'worker', workerId: 'w', url: 'http://w', ...change }, paint)).toBe(
      line,
    );
  });
});

it('asks a gateway that listens everywhere on loopback', () => {
  expect(reachableUrl('http://0.0.0.0:90')).toBe('http://127.0.0.1:90');
  expect(reachableUrl('http://[::]:90')).toBe('http://[::1]:90');
  expect(reachableUrl('http://10.0.0.1:90')).toBe('http://10.0.0.1:90');
});
