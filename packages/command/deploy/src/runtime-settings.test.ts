import { describe, expect, it } from 'vitest';
import { runtimeSettings, type RuntimeSettingsOptions } from './runtime-settings.ts';

describe('the settings of a runtime', () => {
  it('are members of UpdateAgentRuntime', () => {
    expect(
      runtimeSettings(
        {
          platformVersion: 'V2',
          minimumMemoryMib: 4_096,
          allowedPorts: ['9000-9010', '8081'],
          port: 8_090,
          invocationPath: '/agent',
          warmupPath: '/warmup',
        },
        undefined,
      ),
    ).toEqual({
      platformVersion: 'V2',
      resourceConfigurations: [{ minimumMemoryInMiB: 4_096 }],
      allowedPorts: [{ portRange: { from: 9_000, to: 9_010 } }, { port: 8_081 }],
      protocolConfiguration: { serverProtocol: 'HTTP', port: 8_090, path: '/agent' },
      environmentVariables: { PORT: '8090', ART_INVOCATION_PATH: '/agent' },
      hooksConfiguration: { build: { warmup: { action: { httpPost: { path: '/warmup' } } } } },
    });
  });

  it('name the platform version also where nobody has: AWS has not one default for all Regions', () => {
    expect(runtimeSettings({}, undefined)).toEqual({ platformVersion: 'V2' });
    expect(runtimeSettings({}, '{"platformVersion":"V1"}')).toEqual({ platformVersion: 'V1' });
    expect(runtimeSettings({ platformVersion: 'V1' }, '{"platformVersion":"V2"}')).toEqual({
      platformVersion: 'V1',
    });
  });

  it('stay from call to call, also those that somebody wrote', () => {
    const first = runtimeSettings({ port: 8_090, platformVersion: 'V2' }, '{"description":"mine"}');
    expect(
      runtimeSettings({ invocationPath: '/agent', warmupPath: '/warmup' }, JSON.stringify(first)),
    ).toMatchObject({
      description: 'mine',
      platformVersion: 'V2',
      protocolConfiguration: { serverProtocol: 'HTTP', port: 8_090, path: '/agent' },
      environmentVariables: { PORT: '8090', ART_INVOCATION_PATH: '/agent' },
    });
  });

  it.each<[keyof RuntimeSettingsOptions, unknown]>([
    ['platformVersion', 'V3'],
    ['minimumMemoryMib', 0],
    ['minimumMemoryMib', 1.5],
    ['allowedPorts', []],
    ['allowedPorts', ['8443']],
    ['allowedPorts', ['8400-8500']],
    ['allowedPorts', ['7999']],
    ['allowedPorts', ['9000-8999']],
    ['allowedPorts', ['9000-9010', '9010']],
    ['allowedPorts', ['a']],
    ['allowedPorts', ['8001', '8002', '8003', '8004', '8005', '8006']],
    ['port', 8_443],
    ['port', 80],
    ['invocationPath', '/ping'],
    ['invocationPath', 'agent'],
    ['warmupPath', '/ws'],
    ['warmupPath', '/invocations'],
    ['warmupPath', `/${'a'.repeat(32)}`],
  ])('are refused with %s %j', (name, value) => {
    expect(() => runtimeSettings({ platformVersion: 'V2', [name]: value }, undefined)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(name) as string,
      }),
    );
  });

  it('has a warm-up on V2 only, and at its own path', () => {
    expect(() => runtimeSettings({ warmupPath: '/warmup', platformVersion: 'V1' }, undefined)).toThrow(
      /V2 beside a warm-up/,
    );
    const both = { platformVersion: 'V2', warmupPath: '/a', invocationPath: '/a' } as const;
    expect(() => runtimeSettings(both, undefined)).toThrow(/not that of the invocations/);
    expect(() => runtimeSettings({}, 'null')).toThrow(/runtime-settings\.json/);
  });
});
