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

  it('mount the bucket of results, which the agent is told as the URL of its store', () => {
    const results = { bucket: 'my-results', keyPrefix: 'math/runs' };
    const first = runtimeSettings({ resultsMount: '/mnt/results' }, undefined, results);
    expect(first).toEqual({
      platformVersion: 'V2',
      environmentVariables: { ART_RESULT_STORE: 'mount:///mnt/results?bucket=my-results&prefix=math/runs/' },
      filesystemConfigurations: [
        { s3BucketMount: { bucket: 'my-results', mountPath: '/mnt/results', prefix: 'math/runs/' } },
      ],
    });
    const whole = runtimeSettings({ resultsMount: '/mnt/results' }, JSON.stringify(first), {
      bucket: 'others',
    });
    expect(whole).toMatchObject({
      environmentVariables: { ART_RESULT_STORE: 'mount:///mnt/results?bucket=others' },
      filesystemConfigurations: [{ s3BucketMount: { bucket: 'others', mountPath: '/mnt/results' } }],
    });
    expect(JSON.stringify(whole)).not.toContain('prefix');
  });

  it('keep other file systems, and what somebody added to the mount', () => {
    const work = { sessionStorage: { mountPath: '/mnt/work' } };
    const mount = { bucket: 'old', mountPath: '/mnt/results/', prefix: 'old/', s3BucketRegion: 'us-east-1' };
    const earlier = JSON.stringify({ filesystemConfigurations: [{ s3BucketMount: mount }, work] });
    const options = { resultsMount: '/mnt/results' };
    expect(runtimeSettings(options, earlier, { bucket: 'new' })['filesystemConfigurations']).toEqual([
      { s3BucketMount: { bucket: 'new', mountPath: '/mnt/results', s3BucketRegion: 'us-east-1' } },
      work,
    ]);
    expect(() => runtimeSettings({ resultsMount: '/mnt/work' }, earlier, { bucket: 'new' })).toThrow(
      /resultsMount.*sessionStorage/,
    );
  });

  it.each<[Record<string, string | undefined>, RegExp]>([
    [{}, /bucket/],
    [{ bucket: 'arn:aws:s3:us-west-2:123456789012:accesspoint/mine' }, /name of a bucket/],
    [{ bucket: 'my-results', keyPrefix: 'math-*' }, /keyPrefix.*one folder/],
    [{ bucket: 'my-results', keyPrefix: 'runs/{runtimeSessionId}' }, /keyPrefix.*one folder/],
    [{ bucket: 'my-results', keyPrefix: 'a//b' }, /keyPrefix/],
    [{ bucket: 'my-results', keyPrefix: 'a/../b' }, /keyPrefix/],
    [{ bucket: 'my-results', keyPrefix: '.a' }, /keyPrefix/],
    [{ bucket: 'my-results', keyPrefix: 'a&bucket=b' }, /keyPrefix/],
    [{ bucket: 'my-results', keyPrefix: 'a'.repeat(1_024) }, /keyPrefix/],
  ])('mount nothing for %j', (results, why) => {
    expect(() => runtimeSettings({ resultsMount: '/mnt/results' }, undefined, results)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringMatching(why) as string }),
    );
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
    ['resultsMount', '/data'],
    ['resultsMount', '/mnt/'],
    ['resultsMount', '/mnt/..'],
    ['resultsMount', '/mnt/a/b'],
    ['resultsMount', `/mnt/${'a'.repeat(196)}`],
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
