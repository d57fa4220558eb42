import { formatRipRequest, ripEnvelopeField } from '@art/protocol';
import { describe, expect, it, vi } from 'vitest';
import { invokeJson, newSessionId, startTiny } from '../tiny-agent.fixture.ts';

const get = { [ripEnvelopeField]: formatRipRequest({ operation: 'get', invocationId: 'inv-1' }) };
const notFound = { version: 1, invocation_id: 'inv-1', status: 'not_found' };

describe('an invocation that is asked for when its process has died', () => {
  it('is answered by a fresh process, with how the one before ended and its last words', async () => {
    await using local = await startTiny();
    const runtime = local.runtime('tiny');
    const id = newSessionId();
    expect(await invokeJson(runtime, id, get as never)).toEqual(notFound);
    await expect(invokeJson(runtime, id, { do: 'exit', code: 3, says: 'out of ideas' })).rejects.toThrow(
      '502',
    );
    const answer = await invokeJson(runtime, id, get as never);
    expect(answer).toMatchObject(notFound);
    expect(answer['reason']).toMatch(/exited with code 3\. Its last output:\nlistening\nout of ideas/);
    // Also to anyone who asks again.
    expect(await invokeJson(runtime, id, get as never)).toEqual(answer);
  });

  it('has no reason where its session was stopped', async () => {
    await using local = await startTiny();
    const runtime = local.runtime('tiny');
    const id = newSessionId();
    await invokeJson(runtime, id, {});
    await runtime.stop(id);
    await vi.waitFor(() => expect(local.sessions()[0]).toMatchObject({ state: 'ended' }));
    expect(await invokeJson(runtime, id, get as never)).toEqual(notFound);
  });

  it('continues untouched where it is no state, or has ended', async () => {
    await using local = await startTiny();
    const runtime = local.runtime('tiny');
    const id = newSessionId();
    await expect(invokeJson(runtime, id, { do: 'exit' })).rejects.toThrow('502');
    const done = { version: 1, invocation_id: 'inv-1', status: 'completed', result: { reward: 0.5 } };
    expect(await invokeJson(runtime, id, { ...get, answers: done } as never)).toEqual(done);
    expect(await invokeJson(runtime, id, { ...get, answers: 'well' } as never)).toBe('well');
  });
});
