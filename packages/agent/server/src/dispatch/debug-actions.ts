import type { PingStatusDecision } from '../ping/ping-status.ts';
import type { AsyncTasks } from '../ping/async-tasks.ts';

/** Member of a payload that asks for a debug action, as in AWS's Python SDK. */
export const debugActionField = '_agent_core_app_action';

/**
 * Performs a debug action of AWS's Python SDK. Only ever called when the app was made with `debug: true`: anyone who can
 * invoke the agent could otherwise keep its session alive.
 */
export async function performDebugAction(
  action: unknown,
  { ping, tasks }: { ping: PingStatusDecision; tasks: AsyncTasks },
): Promise<{ statusCode: number; body: object }> {
  switch (action) {
    case 'ping_status':
      return { statusCode: 200, body: await ping.report() };
    case 'job_status': {
      const { activeCount, runningJobs } = tasks.info();
      const jobs = runningJobs.map(({ name, duration }) => ({ name, duration }));
      return { statusCode: 200, body: { active_count: activeCount, running_jobs: jobs } };
    }
    case 'force_healthy':
      ping.force('Healthy');
      return { statusCode: 200, body: { forced_status: 'Healthy' } };
    case 'force_busy':
      ping.force('HealthyBusy');
      return { statusCode: 200, body: { forced_status: 'HealthyBusy' } };
    case 'clear_forced_status':
      ping.clearForced();
      return { statusCode: 200, body: { forced_status: 'Cleared' } };
    default:
      return { statusCode: 400, body: { error: `Unknown action: ${String(action)}` } };
  }
}
