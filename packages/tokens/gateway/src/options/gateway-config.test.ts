import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configRules } from './config-keys.ts';
import { readGatewayConfig, type GatewayConfig } from './gateway-config.ts';
import { resolveGatewayOptions } from './resolve-gateway-options.ts';

type Given = Parameters<typeof readGatewayConfig>;
const optionsOf = (...given: Given): GatewayConfig['options'] => readGatewayConfig(...given).options;
const processesOf = (...given: Given): number => readGatewayConfig(...given).processes;

describe('readGatewayConfig', () => {
  it('says nothing where nothing is said', () => {
    expect(optionsOf(undefined)).toEqual({ store: {} });
  });

  it('reads what rllm-model-gateway reads', () => {
    const yaml = `
host: 0.0.0.0
port: 1234
processes: 4
store_worker: memory
add_logprobs: false
add_return_token_ids: false
strip_vllm_fields: false
health_check_interval: 999
health_check_timeout: 30.5
health_failure_threshold: 6
loop_health_enabled: true
max_model_len: 4096
capture_raw_payloads: true
log_level: WARNING
sync_traces: true
sampling_params_priority: client
model: forced
routing_policy: null
cumulative_token_mode: false
renderer_family: auto
renderer_name: null
workers:
  - url: http://a:1/v1
    worker_id: ''
  - { url: http://b:2, api_path: /v2, worker_id: w1, model_name: m, weight: 2, flavour: sglang }
  - http://c:3
`;
    expect(optionsOf(yaml)).toEqual({
      host: '0.0.0.0',
      port: 1234,
      cumulativeTokenMode: false,
      store: {},
      addLogprobs: false,
      addTokenIds: false,
      stripEngineFields: false,
      healthCheckIntervalMs: 999_000,
      healthCheckTimeoutMs: 30_500,
      healthFailureThreshold: 6,
      keepRawBodies: true,
      logLevel: 'warn',
      samplingEnforcement: 'client',
      model: 'forced',
      workers: [
        { url: 'http://a:1/v1' },
        { url: 'http://b:2', apiPath: '/v2', workerId: 'w1', modelName: 'm', weight: 2, flavour: 'sglang' },
        { url: 'http://c:3' },
      ],
    });
  });

  it('lets the environment win over the file, and flags over both', () => {
    const yaml = 'host: file\nport: 1\nlog_level: info\nmodel: file';
    const env = {
      RLLM_GATEWAY_HOST: 'env',
      RLLM_GATEWAY_PORT: '2',
      RLLM_GATEWAY_LOG_LEVEL: '',
      RLLM_GATEWAY_STRIP_VLLM_FIELDS: 'no',
      RLLM_GATEWAY_HEALTH_CHECK_TIMEOUT: '60.5',
      RLLM_GATEWAY_HEALTH_FAILURE_THRESHOLD: '9',
      ART_GATEWAY_ADMIN_TOKEN: 'secret',
    };
    expect(optionsOf(yaml, env, { port: 3, worker: ['http://w'] })).toEqual({
      host: 'env',
      port: 3,
      logLevel: 'info',
      model: 'file',
      stripEngineFields: false,
      healthCheckTimeoutMs: 60_500,
      healthFailureThreshold: 9,
      auth: { adminToken: 'secret' },
      workers: [{ url: 'http://w' }],
      store: {},
    });
  });

  it.each<[string, Record<string, string>, object]>([
    ['nothing', {}, {}],
    ['memory', { store: 'memory', dbPath: '/x' }, {}],
    ['a path', { dbPath: '/x/traces.db' }, { directory: '/x/traces.db' }],
    ['sqlite', { store: 'sqlite', dbPath: '/x' }, { directory: '/x' }],
    ['disk', { store: 'disk' }, { directory: join(homedir(), '.art', 'gateway') }],
  ])('chooses the store for %s', (_name, flags, store) => {
    expect(optionsOf('', {}, flags)).toMatchObject({ store });
  });

  it('reads the flags that slime passes', async () => {
    const model = 'Qwen/Qwen3-8B';
    const flags = {
      host: '10.0.0.1',
      port: 1,
      logLevel: 'warning',
      useSglang: true,
      model,
      sglangToolCallParser: 'qwen3_coder',
      sglangReasoningParser: 'qwen3',
      cumulativeTokenMode: true,
      rendererFamily: 'qwen3',
    };
    expect(optionsOf('', {}, flags)).toEqual({
      host: '10.0.0.1',
      port: 1,
      logLevel: 'warn',
      store: {},
      model,
      cumulativeTokenMode: true,
      flavour: 'sglang',
    });
  });

  it('reads what only this gateway has', () => {
    const yaml = `
session_ttl_ms: 1000
max_sessions: 5
heartbeat: { after_ms: 1, every_ms: 2, budget_ms: 3 }
retry: { attempts: 0, max_retry_after_ms: 9 }
auth: { admin_token: t, session_keys: true }
`;
    expect(optionsOf(yaml)).toEqual({
      sessionTtlMs: 1_000,
      store: { maxSessions: 5 },
      heartbeat: { afterMs: 1, everyMs: 2, budgetMs: 3 },
      retry: { attempts: 0, maxRetryAfterMs: 9 },
      auth: { adminToken: 't', sessionKeys: true },
    });
  });

  it.each([0, -1])('checks nobody at an interval of %d', (seconds) => {
    expect(optionsOf(`health_check_interval: ${seconds}`)).toMatchObject({
      healthCheckIntervalMs: 0,
    });
  });

  it('says what has taken the place of token_mode', () => {
    expect(() => optionsOf('token_mode: { engine: vllm }')).toThrow('see cumulative_token_mode');
  });

  it.each([
    { RLLM_GATEWAY_HEALTH_CHECK_TIMEOUT: 'soon' },
    { RLLM_GATEWAY_HEALTH_CHECK_TIMEOUT: '0' },
    { RLLM_GATEWAY_HEALTH_FAILURE_THRESHOLD: '0' },
    { RLLM_GATEWAY_HEALTH_FAILURE_THRESHOLD: '1.5' },
  ])('refuses %j', (env) => {
    const [[variable, value]] = Object.entries(env) as [[string, string]];
    const option = variable.includes('TIMEOUT') ? 'healthCheckTimeoutMs' : 'healthFailureThreshold';
    const name = value === 'soon' ? variable : option;
    expect(() => optionsOf('', env)).toThrow(`\`${name}\``);
  });

  it('tells of keys that it does not know, where somebody listens, and refuses those that are misspelt', () => {
    const passedOver: string[] = [];
    const read = (yaml: string): unknown => optionsOf(yaml, {}, {}, (key) => void passedOver.push(key));
    expect(read('port: 1\ninbound_auth_token: x\nproviders: []')).toMatchObject({ port: 1 });
    expect(passedOver).toEqual(['inbound_auth_token', 'providers']);
    expect(() => read('wokers: []')).toThrow('`wokers` to be spelled `workers`');
    expect(() => optionsOf('inbound_auth_token: x')).toThrow('`inbound_auth_token`');
  });

  it.each<[string, string]>([
    ['- a', '`config` to be a YAML mapping'],
    ['{', '`config` to be YAML'],
    ['hots: x', 'got "hots"'],
    ['routing_policy: my.Policy', '`routing_policy`'],
    ['store: redis', 'got "redis"'],
    ['port: high', '`port`'],
    ['health_check_timeout: .inf', '`healthCheckTimeoutMs`'],
    ['health_check_timeout: -1', '`healthCheckTimeoutMs`'],
    ['port: 70000', 'got 70000'],
    ['log_level: loud', '`logLevel`'],
    ['workers: x', '`workers`'],
    ['workers: [{url: nonsense}]', 'URL of a worker'],
    ['workers: [{url: http://h, wieght: 1}]', 'got "wieght"'],
    ['sampling_params_priority: agent', '`samplingEnforcement`'],
    ['auth: { admin_tokn: x }', 'got "adminTokn"'],
  ])('refuses %j', (yaml, part) => {
    expect(() => optionsOf(yaml)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(part) as string,
      }) as Error,
    );
  });
});

it('lets a variable or a flag that sets a part of a key leave the rest of it as the file has it', () => {
  const yaml = 'auth: { session_keys: true, admin_token: file }';
  const env = { ART_GATEWAY_ADMIN_TOKEN: 'env' };
  expect(optionsOf(yaml, env).auth).toEqual({ sessionKeys: true, adminToken: 'env' });
  expect(optionsOf(yaml, env, { adminToken: 'flag' }).auth).toEqual({
    sessionKeys: true,
    adminToken: 'flag',
  });
  expect(optionsOf(yaml, {}, { sessionKeys: false }).auth).toEqual({
    sessionKeys: false,
    adminToken: 'file',
  });
});

it('reads flags as they are typed, and names the one that is wrong as it is typed', () => {
  const given = { port: '8', processes: '2', allowedHost: ['h'], store: 'memory' };
  expect(readGatewayConfig('store: disk', {}, given)).toEqual({
    processes: 2,
    options: { port: 8, allowedHosts: ['h'], store: {} },
  });
  for (const [flags, name] of [
    [{ port: 'high' }, '--port <number>'],
    [{ maxModelLen: ' ' }, '--max-model-len <tokens>'],
    [{ host: '' }, '--host <address>'],
    [{ prot: 1 }, 'flags'],
  ] as const)
    expect(() => optionsOf('', {}, flags)).toThrow(`\`${name}\``);
});

it('has a key for every option that a file can have', () => {
  const keyed = configRules.flatMap(([, { option }]) => option ?? []);
  const options = Object.keys(resolveGatewayOptions()).filter(
    (option) => !['answers', 'engine', 'onSpent', 'sign'].includes(option),
  );
  expect(options.filter((option) => option !== 'store').toSorted()).toEqual([...new Set(keyed)].toSorted());
});

it('takes null for what is not said, also inside of an object', () => {
  expect(optionsOf('port: null\nretry: { attempts: null, base_delay_ms: 5 }')).toMatchObject({
    retry: { baseDelayMs: 5 },
  });
});

describe('the number of processes', () => {
  it('takes the flag, else the file, else one', () => {
    expect(processesOf(undefined)).toBe(1);
    expect(processesOf('processes: 4')).toBe(4);
    expect(processesOf('processes: 4', {}, { processes: 2 })).toBe(2);
  });

  it.each([0, 1.5, 129, '4'])('refuses %j', (processes) => {
    expect(() => processesOf(JSON.stringify({ processes }))).toThrow(
      /`processes` to be an integer from 1 to 128/,
    );
  });
});
