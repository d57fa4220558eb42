import { backgroundClock } from '@art/ground';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { FakeGateway, gatewayError } from './fake-gateway.fixture.ts';
import type { RolloutGateway } from './gateway-options.ts';
import { GatewaySessions } from './gateway-sessions.ts';

const sessionId = 's'.repeat(40);
let gateway: FakeGateway;
let warnings: string[];
let sessions: GatewaySessions;

const resolved: RolloutGateway = {
  get client() {
    return gateway;
  },
  agentBaseUrlOf: (id) => gateway.baseUrlOf(id),
  init: {},
  budget: () => undefined,
  waitTimeoutMs: 1_000,
  openTimeoutMs: 0,
};
const open = (openTimeoutMs: number, signal = new AbortController().signal): Promise<string | undefined> => {
  resolved.openTimeoutMs = openTimeoutMs;
  return inFakeTime(sessions.open({ sessionId, inputId: 'i', invocationId: 'attempt' }, signal));
};

beforeEach(() => {
  vi.useFakeTimers();
  gateway = new FakeGateway();
  gateway.failing = () => ({ error: gatewayError('ART_GATEWAY_REJECTED', 503), when: 'before' });
  warnings = [];
  sessions = new GatewaySessions(resolved, backgroundClock, (message) => warnings.push(message));
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('asks a gateway that is down for as long as it is told to, less and less often', async () => {
  await expect(open(0)).rejects.toMatchObject({ status: 503 });
  expect(gateway.calls).toHaveLength(1);
  const startedMs = Date.now();
  await expect(open(20_000)).rejects.toMatchObject({ status: 503 });
  // After 0, 0.25, 0.75, 1.75, 3.75, 7.75, 12.75 and 17.75 s.
  expect(gateway.calls).toHaveLength(1 + 8);
  expect(Date.now() - startedMs).toBeGreaterThan(17_750);
});

it('warns once an outage, whoever meets it', async () => {
  await Promise.allSettled([open(60_000), open(60_000)]);
  expect(warnings).toHaveLength(1);
  gateway.failing = () => undefined;
  await open(0);
  gateway.sessions.clear();
  gateway.failing = () => ({ error: gatewayError('ART_GATEWAY_TIMEOUT'), when: 'before' });
  await expect(open(1_000)).rejects.toThrow('scripted');
  expect(warnings).toHaveLength(1);
  await expect(open(10_000)).rejects.toThrow('scripted');
  expect(warnings).toHaveLength(2);
});

it('ends with its signal', async () => {
  const abort = new AbortController();
  const opening = open(60_000, abort.signal);
  await vi.advanceTimersByTimeAsync(3_000);
  abort.abort(new Error('enough'));
  await expect(opening).rejects.toThrow('enough');
});
