import { Semaphore } from '@art/async';
import type { SessionStops, StopResult } from '../lifecycle/session-stops.ts';
import type { OpenSession } from '@art/journal';

const atOnce = 32;

/** Stops sessions whose rollouts nobody waits for; never throws. */
export async function stopSessions(
  sessions: readonly OpenSession[],
  stops: SessionStops,
  onStopped: (session: OpenSession, result: StopResult['kind']) => void,
): Promise<void> {
  const limit = new Semaphore(atOnce);
  await Promise.all(
    sessions.map((session) =>
      limit.run(undefined, async () => {
        const { kind } = await stops.stop(session.sessionId);
        onStopped(session, kind);
      }),
    ),
  );
}
