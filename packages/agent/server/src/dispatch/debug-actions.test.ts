import { afterEach, describe, expect, it } from 'vitest';
import { invocation, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

async function act(action: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await made.app.inject(invocation({ _agent_core_app_action: action }));
  return { status: answer.statusCode, body: answer.json() };
}

describe('debug actions', () => {
  it('are ordinary payloads unless the app allows them', async () => {
    made = testApp({ invocationHandler: { process: (request) => request } });
    expect((await act('force_busy')).body).toEqual({ _agent_core_app_action: 'force_busy' });
    expect(await made.app.getCurrentPingStatus()).toBe('Healthy');
  });

  it('answer as AWS documents them', async () => {
    made = testApp({ debug: true });
    expect(await act('force_busy')).toEqual({ status: 200, body: { forced_status: 'HealthyBusy' } });
    expect((await act('ping_status')).body).toMatchObject({ status: 'HealthyBusy' });
    expect((await act('force_healthy')).body).toEqual({ forced_status: 'Healthy' });
    expect(await made.app.getCurrentPingStatus()).toBe('Healthy');
    made.app.addAsyncTask('job', { secret: 1 });
    expect((await act('job_status')).body).toEqual({
      active_count: 1,
      running_jobs: [{ name: 'job', duration: expect.any(Number) as number }],
    });
    expect((await act('clear_forced_status')).body).toEqual({ forced_status: 'Cleared' });
    expect(await made.app.getCurrentPingStatus()).toBe('HealthyBusy');
    expect(await act('foo')).toEqual({ status: 400, body: { error: 'Unknown action: foo' } });
  });
});
