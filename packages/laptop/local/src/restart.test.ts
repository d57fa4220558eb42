import { describe, expect, it, vi } from 'vitest';
import { isRunning } from '@art/tooling/is-running';
import { invokeJson, newSessionId, startTiny } from './tiny-agent.fixture.ts';

describe('restart', () => {
  it('ends sessions and warm processes, and continues with fresh ones on the same port', async () => {
    await using local = await startTiny([], { warmPoolSize: 1 });
    const runtime = local.runtime('tiny');
    const id = newSessionId();
    const { pid } = await invokeJson(runtime, id, {});
    await vi.waitFor(() => expect(local.metrics().warmProcesses).toBe(1));

    expect(await local.restart()).toBe(1);

    expect(isRunning(pid as number)).toBe(false);
    expect(local.sessions()[0]).toMatchObject({ sessionId: id, state: 'ended', endReason: 'stopped' });
    const next = await invokeJson(runtime, id, {});
    expect(next['pid']).not.toBe(pid);
    expect(await local.restart()).toBe(1);
    expect(await local.restart()).toBe(0);
  });
});
