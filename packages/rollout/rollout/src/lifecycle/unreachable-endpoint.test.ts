import type { RolloutOutcome } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import type { RolloutClientOptions } from '../client/rollout-client-options.ts';
import { FakeGateway, gatewayError } from '../gateway/fake-gateway.fixture.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { ScriptedRuntime } from '../scripted-runtime.fixture.ts';

const told =
  'The model endpoint http://10.0.0.1:9090 could not be reached from where the agent runs: refused.';
const returned = { rewards: 0, unreachable_endpoint: told };
const threw = {
  status_code: 503,
  stop_reason: 'infrastructure_error',
  message: `${told} Then the handler failed: x`,
  unreachable_endpoint: told,
};

let runtime: ScriptedRuntime;
let gateway: FakeGateway;
let warnings: string[];
let client: RolloutClient;

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  gateway = new FakeGateway();
  warnings = [];
});
afterEach(async () => {
  runtime.clearTimers();
  await inFakeTime(client.close());
  vi.useRealTimers();
});

async function outcomeOf(document: object, options: Partial<RolloutClientOptions> = {}) {
  client = new RolloutClient({
    runtime,
    store: runtime.store,
    bucket: 'b',
    expId: 'e',
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  const run = client.runBatch([{ script: { text: JSON.stringify(document) } }], {
    retry: { infra_error: 1 },
    maxConcurrentSessions: 1,
  });
  const outcomes: RolloutOutcome[] = [];
  await inFakeTime(
    (async () => {
      for await (const item of run) outcomes.push(item.outcome);
    })(),
  );
  return outcomes[0];
}

const failed = { kind: 'infra_error', error: { code: 'ART_ENDPOINT_UNREACHABLE' } };

describe('a rollout whose agent cannot reach its model', () => {
  it.each([
    ['a result, and no call was captured', returned],
    ['an error', threw],
  ])(
    'has failed by its infrastructure with %s; the ways out are told once, at the first attempt',
    async (_name, document) => {
      const outcome = await outcomeOf(document, { gateway });
      expect(outcome).toMatchObject({ ...failed, document });
      expect(runtime.sends).toHaveLength(2);
      expect(warnings).toEqual([
        expect.stringMatching(/^The model endpoint .* VPC .*--session-keys.*--reach session/),
      ]);
    },
  );

  it.each([{ turns: 1 }, { in_flight: 1 }])(
    'counts where a call was captured all the same: %o',
    async (calls) => {
      gateway.status = calls;
      expect(await outcomeOf(returned, { gateway })).toMatchObject({ kind: 'ok', reward: 0 });
      expect(warnings).toEqual([]);
    },
  );

  it('has failed where nobody captures calls, and where the gateway cannot be asked', async () => {
    expect(await outcomeOf(returned)).toMatchObject(failed);
    await inFakeTime(client.close());
    gateway.failing = (call) =>
      call === 'status' ? { error: gatewayError('ART_GATEWAY_UNREACHABLE'), when: 'before' } : undefined;
    expect(await outcomeOf(returned, { gateway })).toMatchObject(failed);
  });
});
