import { startGateway, type Gateway, type GatewayOptions } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import type { CaptureRecord } from '@art/trajectories';
import { expect, onTestFinished } from 'vitest';
import { startMockEngine, type MockEngine, type MockEngineOptions } from './engine/mock-engine.ts';
import { solveSums } from './sums-script.ts';

/** A gateway before one mock engine; both end with the test. */
export interface GatewayBed {
  engine: MockEngine;
  gateway: Gateway;
  control: GatewayClient;
  captures(sessionId: string): Promise<CaptureRecord[]>;
}

export async function startGatewayBed(
  engineOptions: Partial<MockEngineOptions> = {},
  gatewayOptions: GatewayOptions = {},
): Promise<GatewayBed> {
  const engine = await startMockEngine({ flavour: 'vllm', answer: solveSums, ...engineOptions });
  onTestFinished(() => engine[Symbol.asyncDispose]());
  const gateway = await startGateway({
    port: 0,
    logLevel: 'silent',
    workers: [{ url: engine.url }],
    ...gatewayOptions,
  });
  onTestFinished(() => gateway.close());
  const control = new GatewayClient({ url: gateway.url });
  // A call that comes before the gateway knows its engine goes out as to vLLM in the end.
  if (gatewayOptions.workers === undefined)
    await expect
      .poll(async () => (await control.workers())[0]?.flavour)
      .toBe(engineOptions.flavour ?? 'vllm');
  return { engine, gateway, control, captures: (sessionId) => control.captures(sessionId) };
}
