import { describe, expect, it } from 'vitest';
import { ArtError } from '@art/ground';
import type { GatewayOptions } from './gateway-options.ts';
import { resolveGatewayOptions } from './resolve-gateway-options.ts';

function refusal(options: unknown): string {
  try {
    resolveGatewayOptions(options as GatewayOptions);
  } catch (error) {
    if (ArtError.isInstance(error) && error.code === 'ART_INVALID_OPTION') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('resolveGatewayOptions', () => {
  it('fills in the defaults', () => {
    expect(resolveGatewayOptions()).toMatchObject({
      host: '127.0.0.1',
      port: 9_090,
      workers: [],
      addLogprobs: true,
      addTokenIds: true,
      stripEngineFields: true,
      samplingEnforcement: 'session',
      healthCheckIntervalMs: 10_000,
      healthCheckTimeoutMs: 5_000,
      healthFailureThreshold: 3,
      heartbeat: { afterMs: 50_000, everyMs: 25_000, budgetMs: 3_600_000 },
      retry: { attempts: 5 },
      keepRawBodies: false,
      auth: { sessionKeys: false },
      logLevel: 'info',
    });
  });

  it('switches heartbeats and retries off', () => {
    const { heartbeat, retry } = resolveGatewayOptions({ heartbeat: false, retry: false });
    expect(heartbeat).toBeUndefined();
    expect(retry).toMatchObject({ attempts: 0, serverErrorAttempts: 0, connectionAttempts: 0 });
  });

  it.each<[unknown, string]>([
    [null, 'an object'],
    [{ engine: {} as never }, '`engine`'],
    [{ prot: 1 }, 'got "prot"'],
    [{ port: 1.5 }, '`port` to be an integer from 0 to 65535, got 1.5'],
    [{ host: '' }, '`host`'],
    [{ workers: [{}] }, 'URL of a worker'],
    [{ workers: [{ url: 'http://h', weight: -1 }] }, '`workers[0].weight`'],
    [{ workers: [{ url: 'http://h', flavour: 'x' }] }, "`workers[0].flavour` to be 'vllm'"],
    [{ store: { directory: 7 } }, '`store.directory`'],
    [{ store: { durability: 'x' } }, '`store.durability`'],
    [{ store: { maxBytes: 0 } }, '`store.maxBytes`'],
    [{ sessionTtlMs: 2 ** 31 }, '`sessionTtlMs`'],
    [{ addLogprobs: 'yes' }, '`addLogprobs` to be true or false, got "yes"'],
    [{ healthCheckTimeoutMs: 0 }, '`healthCheckTimeoutMs`'],
    [{ healthFailureThreshold: 0 }, '`healthFailureThreshold`'],
    [{ heartbeat: { afterMs: 0 } }, '`heartbeat.afterMs`'],
    [{ heartbeat: true }, '`heartbeat` to be an object'],
    [{ retry: { attempts: -1 } }, '`retry.attempts`'],
    [{ auth: { sessionKeys: 1 } }, '`auth.sessionKeys`'],
    [{ bodyLimitBytes: 0 }, '`bodyLimitBytes`'],
    [{ logLevel: 'loud' }, '`logLevel`'],
  ])('refuses %j', (options, part) => {
    expect(refusal(options)).toContain(part);
  });
});
