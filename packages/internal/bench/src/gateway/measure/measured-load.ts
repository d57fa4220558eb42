import { sessionsOf, type LoadPlan } from '../load/load-plan.ts';
import type { LoadResult, LoadTask } from '../load/load-task.ts';
import type { LoadGenerator } from '../load/start-load-generator.ts';
import { processUsage } from '../subjects/process-usage.ts';
import type { RunningSubject } from '../subjects/running-subject.ts';
import { isGateway } from '../subjects/subject-kind.ts';
import { checkCapture } from './check-capture.ts';
import { readEventLoopLag, type EventLoopLag } from './event-loop-lag.ts';
import { deleteSessions } from './gateway-control.ts';

export interface MeasuredLoad extends LoadResult {
  /** CPU of the subject's process while the load ran; undefined without a process. */
  cpuMs: number | undefined;
  /** Event loop of our gateway. */
  eventLoopLag: EventLoopLag | undefined;
  /** Beginning of its sessions' ids; undefined where the subject has none. */
  sessionPrefix: string | undefined;
}

let runs = 0;

/**
 * Puts load on a subject and reads what it cost. What a gateway captured is compared with what the engine sent, and deleted.
 * @param keepSessions Leaves them in the store
 */
export async function measureLoad(
  load: LoadGenerator,
  subject: RunningSubject,
  plan: LoadPlan,
  keepSessions = false,
): Promise<MeasuredLoad> {
  const { kind, url, pid } = subject;
  runs += 1;
  const sessionPrefix = isGateway(kind) ? `${kind}-${runs}` : undefined;
  const task: LoadTask = { ...plan, url, sessionPrefix };
  const hasLag = kind === 'art' || kind === 'art_raw';
  // Reading it begins a new period.
  if (hasLag) await readEventLoopLag(url);
  const before = pid === undefined ? undefined : processUsage(pid);
  const result = await load.run(task);
  const cpuMs = before === undefined ? undefined : processUsage(pid!).cpuMs - before.cpuMs;
  const eventLoopLag = hasLag ? await readEventLoopLag(url) : undefined;
  if (sessionPrefix !== undefined) {
    await checkCapture(url, sessionPrefix, plan);
    if (!keepSessions) await deleteSessions(url, sessionPrefix, sessionsOf(plan));
  }
  return { ...result, cpuMs, eventLoopLag, sessionPrefix };
}
